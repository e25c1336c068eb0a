import { after } from 'node:test'
import pg from 'pg'
import { testDatabaseUrl } from '../config.ts'
import type { Database } from '../database/pool.ts'
import { openDatabase } from '../database/pool.ts'
import type { Log } from '../kit/log.ts'
import { systemRandom } from '../kit/random.ts'

export const templateDatabase = 'vezne_template'

export const silentLog: Log = { debug() {}, info() {}, warn() {}, error() {} }

/** A new database with the current schema, in the cluster that the test run started. It goes when the test file ends. */
export async function testDatabase(): Promise<Database & { url: string }> {
  const name = `test_${systemRandom.bytes(8).toString('hex')}`
  await asAdmin((admin) => admin.query(`create database ${name} template ${templateDatabase}`))
  const url = databaseUrl(name)
  const database = openDatabase({ url }, 10, silentLog)
  after(async () => {
    await database.close()
    await asAdmin((admin) => admin.query(`drop database ${name} with (force)`))
  })
  return { ...database, url }
}

async function asAdmin(work: (admin: pg.Client) => Promise<unknown>): Promise<void> {
  const admin = new pg.Client({ connectionString: testDatabaseUrl() })
  await admin.connect()
  try {
    await work(admin)
  } finally {
    await admin.end()
  }
}

function databaseUrl(name: string): string {
  return testDatabaseUrl().replace(/\/[^/]*$/, `/${name}`)
}
