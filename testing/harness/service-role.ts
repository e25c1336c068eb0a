import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after } from 'node:test'
import pg from 'pg'
import { systemRandom } from '../../kit/security/random.ts'
import { openDatabase } from '../../server/database/pool.ts'
import type { TestDatabase } from './database.ts'
import { beforeDrop, runChecks, silentLog, testDatabase } from './database.ts'
import { testServerUrls } from './environment.ts'
import { root } from './process.ts'
import { retryingSql } from './sql.ts'

/** Statements that docs/operate/database.md gives for two roles: those of a superuser, then those of the owner. */
export interface RoleStatements {
  create: string
  grant: string
}

export function documentedRoleStatements(): RoleStatements {
  const page = readFileSync(join(root, 'docs/operate/database.md'), 'utf8')
  const section = /^### Two roles\n(.*?)^### /ms.exec(page)?.[1] ?? ''
  const blocks = [...section.matchAll(/^ *```sql\n(.*?)^ *```$/gms)].map(([, text = '']) => text)
  const [create, grant] = blocks
  if (create === undefined || grant === undefined || blocks.length > 2)
    throw new Error('docs/operate/database.md must have two blocks of SQL under "Two roles"')
  return { create, grant }
}

/** Runs statements one after the other on one connection. */
export async function runStatements(url: string, text: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    // Each is sent alone, because a database cannot be created together with something else.
    for (const statement of text.split(/;\s*$/m)) await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Address of the same database for another role. */
export function urlAs(url: string, role: string): string {
  return url.replace(/^postgres:\/\/[^@]+@/, `postgres://${role}@`)
}

/**
 * A migrated test database, once as its owner and once as a role with the documented rights of the service.
 * Roles belong to the whole cluster, so each has a name of its own and is dropped at the end.
 */
export async function serviceRoleDatabase(): Promise<{ owner: TestDatabase; service: TestDatabase }> {
  const owner = await testDatabase()
  const role = `service_${systemRandom.bytes(8).toString('hex')}`
  const { create, grant } = documentedRoleStatements()
  const named = (text: string) => text.replaceAll('vezne_service', role)
  const createRole = create.split('\n').filter((line) => line.includes('create role vezne_service'))
  await runStatements(owner.url, named([...createRole, grant].join('\n')))
  const url = urlAs(owner.url, role)
  const opened = openDatabase({ url }, 10, silentLog)
  beforeDrop(owner.url, async (database) => {
    await runChecks(url, database)
    await opened.close()
  })
  // Hooks run in the order in which they were added: the database, which depends on the role, is gone.
  after(() => runStatements(testServerUrls()[0], `drop role ${role}`))
  return { owner, service: { ...opened, sql: retryingSql(opened.sql), url } }
}
