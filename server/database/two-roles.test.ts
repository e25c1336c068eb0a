import assert from 'node:assert/strict'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { silentLog } from '../../testing/harness/database.ts'
import { makeHome, makeUsedHome } from '../../testing/harness/embedded-home.ts'
import type { ExternalPostgres } from '../../testing/harness/external-postgres.ts'
import { externalPostgres } from '../../testing/harness/external-postgres.ts'
import { freePorts, startProcess, suiteCleanupScope } from '../../testing/harness/process.ts'
import { documentedRoleStatements, runStatements, urlAs } from '../../testing/harness/service-role.ts'
import { migrate, programSchemaLevel, readMigrations } from './migrate.ts'
import { openDatabase } from './pool.ts'

const level = programSchemaLevel()
const ownerMustMigrate = (from: number) =>
  new RegExp(
    `^The database has schema level ${from}, but this program needs level ${level}, and the role of DATABASE_URL may not migrate it \\(.*\\)\\. Run this first, with the DATABASE_URL of the role that owns the tables: vezne migrate$`,
    'm',
  )

describe('with the two roles of docs/operate/database.md, step by step:', () => {
  const stage = suiteCleanupScope()
  const statements = documentedRoleStatements()
  let server: ExternalPostgres

  before(async () => {
    server = await externalPostgres(stage, await makeUsedHome(stage))
    server.launch()
    await server.answers('00000')
  })

  const superuserUrl = () => server.url.replace(/\/vezne$/, '/postgres')

  const run = async (role: 'vezne_owner' | 'vezne_service', words: string) =>
    startProcess(stage, [process.execPath, 'server/main.ts', ...words.split(' ')], {
      ...(await freePorts()),
      DATABASE_URL: urlAs(server.url, role),
      VEZNE_SECRET: 'a secret for tests, long enough for it',
      VEZNE_HOME: join(makeHome(stage), 'none'),
    })

  const assertFails = async (words: string, sentence: RegExp) => {
    const program = await run('vezne_service', words)
    assert.equal(await program.ended, 1, words)
    assert.match(program.output(), sentence, words)
  }

  it('the service refuses an empty database, and names the command of the owner', async () => {
    // The cluster comes with a database of this name.
    await runStatements(superuserUrl(), `drop database vezne;\n${statements.create}`)
    for (const words of ['serve', 'work', 'migrate']) await assertFails(words, ownerMustMigrate(0))
  })

  it('the owner creates the tables, and the service asks for its rights', async () => {
    const migrated = await run('vezne_owner', 'migrate')
    assert.equal(await migrated.ended, 0, migrated.output())
    const sentence =
      /^The role of DATABASE_URL may not use the tables of Vezne \(permission denied for table schema_state\)\. Grant it its rights, as the role that owns the tables: docs\/operate\/database\.md, "Two roles"$/m
    for (const words of ['serve', 'merchant list']) await assertFails(words, sentence)
  })

  it('the service runs with its rights, as programs and as commands', async () => {
    await runStatements(urlAs(server.url, 'vezne_owner'), statements.grant)
    const programs = await Promise.all(['serve', 'work', 'start'].map((words) => run('vezne_service', words)))
    for (const program of programs) await program.waitForLine('"msg":"ready"')
    const created = await run('vezne_service', 'merchant create --name Işık --live')
    assert.equal(await created.ended, 0, created.output())
    const checked = await run('vezne_service', 'ledger check')
    assert.equal(await checked.ended, 0, checked.output())
    for (const program of programs) {
      assert.equal(await program.end('SIGINT'), 0)
      assert.doesNotMatch(program.output(), /permission denied|"level":"(?:error|fatal)"/)
    }
  })

  it('the sandbox bank runs as the owner', async () => {
    const sandbox = await run('vezne_owner', 'sandbox')
    await sandbox.waitForLine('the sandbox is ready')
    assert.equal(await sandbox.end('SIGINT'), 0)
  })

  it('a new version refuses the old schema until the owner has migrated it', async () => {
    const owned = 'create database vezne owner vezne_owner;'
    assert.ok(statements.create.includes(owned))
    await runStatements(superuserUrl(), `drop database vezne;\n${owned}`)
    const owner = openDatabase({ url: urlAs(server.url, 'vezne_owner') }, 2, silentLog)
    await migrate(owner.sql, silentLog, readMigrations().slice(0, -1))
    await owner.close()
    await runStatements(urlAs(server.url, 'vezne_owner'), statements.grant)
    for (const words of ['serve', 'migrate']) await assertFails(words, ownerMustMigrate(level - 1))
    const migrated = await run('vezne_owner', 'migrate')
    assert.equal(await migrated.ended, 0, migrated.output())
    const work = await run('vezne_service', 'work')
    await work.waitForLine('"msg":"ready"')
    assert.equal(await work.end('SIGINT'), 0)
    assert.doesNotMatch(work.output(), /permission denied/)
  })
})
