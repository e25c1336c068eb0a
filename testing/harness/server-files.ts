import pg from 'pg'
import { systemRandom } from '../../kit/security/random.ts'
import { ask } from './servers.ts'

/** The files of a PostgreSQL server that its superuser can read by SQL: of tables, and of the write-ahead log. */
export class ServerFiles implements AsyncDisposable {
  readonly #client: pg.Client
  /** Address of another database of the server. */
  readonly #other: string
  readonly #firstOfLog: string

  private constructor(client: pg.Client, other: string, firstOfLog: string) {
    this.#client = client
    this.#other = other
    this.#firstOfLog = firstOfLog
  }

  /** Keeps the log of a server from now on, until the end of the scope. */
  static async open(url: string, other: string): Promise<ServerFiles> {
    const client = new pg.Client({ connectionString: url })
    await client.connect()
    // Otherwise every checkpoint deletes what is older.
    const slot = `pg_create_physical_replication_slot('${new URL(url).pathname.slice(1)}', true, true)`
    const { rows } = await client.query<{ file: string }>(
      `select pg_walfile_name(pg_current_wal_lsn()) as file from ${slot}`,
    )
    return new ServerFiles(client, other, rows[0]?.file ?? '')
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#client.end()
  }

  /** Files of the tables with these names, and of the parts of them that are on this server. */
  async filesOf(names: string): Promise<string[]> {
    // Citus hides the parts of a table. PostgreSQL ignores this setting.
    await this.#client.query('set citus.override_table_visibility = off')
    const { rows } = await this.#client.query<{ path: string }>(
      `select pg_relation_filepath(oid) as path from pg_class
        where relkind = 'r' and relname ~ '${names}' order by oid`,
    )
    return rows.map(({ path }) => path)
  }

  async findsInFiles(paths: readonly string[], bytes: Buffer): Promise<boolean> {
    await this.#writeOutEverything()
    const files = paths.map((path) => `('${path}')`).join(', ')
    return this.#finds(
      bytes,
      `select pg_read_binary_file(path, 0, 100000000, true) from (values ${files}) as files (path)`,
    )
  }

  /** Searches the log since the server was opened. */
  async findsInLog(bytes: Buffer): Promise<boolean> {
    await this.#client.query('select pg_switch_wal()')
    return this.#finds(
      bytes,
      `select pg_read_binary_file('pg_wal/' || name) from pg_ls_waldir()
        where name ~ '^[0-9A-F]{24}$' and name between '${this.#firstOfLog}' and pg_walfile_name(pg_current_wal_lsn())`,
    )
  }

  async #finds(bytes: Buffer, contents: string): Promise<boolean> {
    const { rows } = await this.#client.query(
      `select from (${contents}) as found (content) where position('\\x${bytes.toString('hex')}'::bytea in content) > 0`,
    )
    return rows.length > 0
  }

  /**
   * Flushes everything to disk. A normal checkpoint skips unlogged tables; creating a database by copying files
   * does not.
   */
  async #writeOutEverything(): Promise<void> {
    const name = `flush_${systemRandom.bytes(6).toString('hex')}`
    await ask(this.#other, [
      `create database ${name} template template0 strategy file_copy`,
      `drop database ${name}`,
    ])
  }
}
