import type { ApiRoute } from '../../server/api.ts'
import type { TestShop } from './shop.ts'

/**
 * The last id in a path and the collection before it: `/v1/customers` for `/v1/customers/:customer_id/notes`.
 * The shop knows the ids before it (`owned`).
 */
export function idInPath({
  url,
}: Pick<ApiRoute, 'url'>): { collection: string; parameter: string } | undefined {
  const match = /^(.+)\/:(\w+)/.exec(url)
  return match ? { collection: match[1] ?? '', parameter: match[2] ?? '' } : undefined
}

/** Address of the route with this last id, and with the shop's own records as the ids before it. */
export function urlWithId({ owned }: TestShop, { url }: Pick<ApiRoute, 'url'>, id: number | string): string {
  const names = url.match(/:\w+/g) ?? []
  return url.replaceAll(/:(\w+)/g, (whole, name: string) => {
    if (whole === names.at(-1)) return String(id)
    const given = owned[name]
    if (given === undefined) throw new Error(`give each shop a ${name} in testing/every-route/shop.ts`)
    return String(given)
  })
}

/** The route that reads the records which another route creates or changes. */
export function readRouteOf(shop: TestShop, { url }: Pick<ApiRoute, 'url'>): ApiRoute | undefined {
  const collection = idInPath({ url })?.collection ?? url
  return shop.routes.find((route) => {
    const lastId = route.method === 'GET' ? idInPath(route) : undefined
    return (
      lastId !== undefined &&
      route.url === `${collection}/:${lastId.parameter}` &&
      lastId.collection === collection
    )
  })
}
