import type { HttpRequest } from './request.ts'

/** Operations of a plain Fastify server: respond, respond after one SELECT, respond after one INSERT. */
export type BaselineName = 'bare' | 'bare_select' | 'bare_insert'

/** Number of rows that `bare_select` reads in turn, so that it does not read one page only. */
export const rowsToSelect = 1000

/**
 * Requests to a limit, with the headers and bodies of the measured requests, because any server must read
 * those.
 */
export function limitRequests(limit: BaselineName, measured: readonly HttpRequest[] = []): HttpRequest[] {
  const { headers = {} } = measured[0] ?? {}
  if (limit === 'bare') return [{ method: 'GET', path: '/bare', headers }]
  if (limit === 'bare_insert') {
    const sent = measured.length > 0 ? measured : [{ method: 'POST' as const, path: '' }]
    return sent.map((request) => ({ ...request, path: '/bare_insert' }))
  }
  return Array.from({ length: rowsToSelect }, (_, id) => ({
    method: 'GET',
    path: `/bare_select/${id}`,
    headers,
  }))
}

/**
 * Response of the limits when they are measured themselves, about as long as the service's most frequent
 * response.
 */
export const plainAnswer = {
  status: true,
  message: 'This is an answer of no meaning.',
  errors: [],
  error_code: null,
  data: {
    id: 10000000000001,
    name: 'x'.repeat(300),
    is_active: true,
    created_at: '2026-11-15T09:30:00+03:00',
  },
}
