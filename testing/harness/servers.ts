import pg from 'pg'

/** The address of another database of the same server. */
export function urlOfDatabase(url: string, name: string): string {
  return url.replace(/\/[^/?]*(?=\?|$)/, `/${name}`)
}

/** Runs the statements on a connection of their own. Returns the rows of the last one. */
export async function ask<Row extends object>(url: string, statements: readonly string[]): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    let rows: Row[] = []
    for (const statement of statements) ({ rows } = await client.query<Row>(statement))
    return rows
  } finally {
    await client.end()
  }
}

/** Runs the statements on every server. */
export async function onEach(urls: readonly string[], ...statements: string[]): Promise<void> {
  await Promise.all(urls.map((url) => ask(url, statements)))
}

/** Makes a Citus of the same database on each server: the coordinator, which holds no shards, and its workers. */
export async function connectNodes(coordinator: string, workers: readonly string[]): Promise<void> {
  await onEach([coordinator, ...workers], 'create extension citus')
  const address = (url: string) => `'${new URL(url).hostname}', ${new URL(url).port || 5432}`
  await ask(coordinator, [
    `select citus_set_coordinator_host(${address(coordinator)})`,
    ...workers.map((worker) => `select citus_add_node(${address(worker)})`),
    `select citus_set_node_property(${address(coordinator)}, 'shouldhaveshards', false)`,
  ])
}
