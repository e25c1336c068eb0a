import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import { describe, it } from 'node:test'
import type { ClockFaultKind } from '../../kit/runtime/clock.ts'
import type { DueJob } from '../../kit/runtime/job.ts'
import { sql } from '../../kit/runtime/sql.ts'
import { TestClock } from '../../testing/harness/clock.ts'
import { silentLog, testDatabase } from '../../testing/harness/database.ts'
import { newInstance } from '../../testing/harness/new-instance.ts'
import { sqlWith } from '../../testing/harness/sql.ts'
import { readConfig } from '../config.ts'
import type { Services } from '../services.ts'
import { DueJobs } from './due-jobs.ts'
import { watchUpcomingWork } from './forward-upcoming-work.ts'
import { announceDueNow, upcomingWork } from './upcoming-work.ts'

const config = readConfig({ VEZNE_SECRET: 'a secret for tests, long enough for it' })
const stepMs = 100

/** Begin of the processing of an item, and how late it was. */
interface Begun {
  item: number
  lateMs: number
  by: number
}

class FaultyClock extends TestClock {
  fault: ClockFaultKind | undefined
}

/** An installation with one kind of due work, and a clock that moves in short steps. */
async function installation(time: TestClock = new TestClock()) {
  const { sql: database } = await testDatabase()
  await database.run(sql`create table due_items (id integer, due_at timestamptz)`)
  const begun: Begun[] = []
  const loops: { end: () => Promise<unknown> }[] = []
  const working = new Set<Promise<unknown>>()
  let searches = 0
  const counted = sqlWith(database, {
    many: (query) => {
      if (query.text.includes('as of_job')) searches += 1
      return database.many(query)
    },
  })
  const pass = async (ms: number) => {
    for (let passed = 0; passed < ms; passed += stepMs) {
      time.advance(stepMs)
      await time.asleep(loops.length)
      await Promise.all(working)
    }
  }
  const addItem = (id: number, inMs: number) =>
    database.run(
      sql`insert into due_items (id, due_at) values (${id}, ${new Date(time.now().getTime() + inMs)})`,
    )
  const begin = async (run: (signal: AbortSignal) => Promise<void>) => {
    const ending = new AbortController()
    const running = run(ending.signal)
    const loop = {
      end: () => {
        if (loops.includes(loop)) loops.splice(loops.indexOf(loop), 1)
        ending.abort()
        return running
      },
    }
    loops.push(loop)
    await time.asleep(loops.length)
    return loop
  }
  return { database, working, counted, time, begun, searches: () => searches, pass, addItem, begin }
}

type Installation = Awaited<ReturnType<typeof installation>>

function newServices({ counted, time }: Installation): Services {
  return newInstance({ config, clock: time, log: silentLog }, counted)
}

/** Processes items that are due. */
function itemJob({ database, working, time, begun }: Installation, by: number): DueJob<Services> {
  return {
    name: 'process items',
    due: (until) => sql`select 1::bigint as merchant_id, due_at from due_items where due_at <= ${until}`,
    work: async () => {
      const now = time.now()
      const processing = database.many<{ id: number; dueAt: Date }>(
        sql`delete from due_items where due_at <= ${now} returning id, due_at as "dueAt"`,
      )
      working.add(processing)
      const items = await processing.finally(() => working.delete(processing))
      for (const { id, dueAt } of items) begun.push({ item: id, lateMs: now.getTime() - dueAt.getTime(), by })
      return items.length
    },
  }
}

/** Starts an instance that runs jobs. */
async function startInstance(
  t: TestContext,
  home: Installation,
  by = 1,
  job = itemJob(home, by),
): Promise<{ services: Services; end: () => Promise<unknown> }> {
  const services = newServices(home)
  const { end } = await home.begin((signal) => new DueJobs(services, [job]).run(signal))
  t.after(end)
  return { services, end }
}

const minuteMs = 60_000

describe('due work', () => {
  it('begins within a second of its due time, whenever that is', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    await home.pass(20_000)
    for (let item = 0; item < 30; item++) await home.addItem(item, 6_000 + item * 700)
    await home.pass(30_000)
    assert.deepEqual(
      home.begun.map(({ item }) => item),
      Array.from({ length: 30 }, (_, item) => item),
    )
    const latest = Math.max(...home.begun.map(({ lateMs }) => lateMs))
    assert.ok(latest <= 1_000, `${latest} ms late`)
  })

  it('is searched for at most once in five seconds while nothing is due, however many instances there are', async (t) => {
    const home = await installation()
    for (const by of [1, 2, 3]) await startInstance(t, home, by)
    await home.pass(20_000)
    const before = home.searches()
    await home.pass(minuteMs)
    assert.ok(home.searches() - before <= 13, `${home.searches() - before}`)
  })

  it('is searched for at most once a second while something is always due', async (t) => {
    const home = await installation()
    const job = { ...itemJob(home, 1), work: async () => 0 }
    await home.addItem(1, 0)
    for (const by of [1, 2]) await startInstance(t, home, by, job)
    await home.pass(5_000)
    const before = home.searches()
    await home.pass(minuteMs)
    const count = home.searches() - before
    assert.ok(count >= 30 && count <= 121, `${count}`)
  })

  it('begins at once if this process has written it', async (t) => {
    const home = await installation()
    const { services } = await startInstance(t, home)
    await home.pass(20_000)
    await home.addItem(1, 0)
    announceDueNow(services)
    await home.pass(400)
    assert.deepEqual(
      home.begun.map(({ item }) => item),
      [1],
    )
  })

  it('begins soon if its transaction commits after the announcement', async (t) => {
    const home = await installation()
    const { services } = await startInstance(t, home)
    await home.pass(20_000)
    announceDueNow(services)
    await home.pass(500)
    await home.addItem(1, 0)
    await home.pass(1_500)
    assert.equal(home.begun.length, 1)
  })

  it('begins within a second if a process without jobs has written it', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    const writer = newServices(home)
    t.after((await home.begin((signal) => watchUpcomingWork(writer, signal))).end)
    await home.pass(20_000)
    await home.addItem(1, 0)
    announceDueNow(writer)
    await home.pass(1_600)
    await home.addItem(2, 2_000)
    upcomingWork(writer).announce(new Date(home.time.now().getTime() + 2_000), home.time.now())
    await home.pass(4_000)
    assert.deepEqual(
      home.begun.map(({ item, lateMs }) => [item, lateMs <= 1_500]),
      [
        [1, true],
        [2, true],
      ],
    )
  })

  it('begins within six seconds if the process that wrote it was killed before it announced it', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    await home.pass(20_000)
    await home.addItem(1, 0)
    await home.pass(6_200)
    assert.equal(home.begun.length, 1)
  })

  it('is taken over from an instance that ends', async (t) => {
    const home = await installation()
    const first = await startInstance(t, home, 1)
    await startInstance(t, home, 2)
    await home.pass(20_000)
    await first.end()
    await home.addItem(1, 7_000)
    await home.pass(9_000)
    assert.deepEqual(
      home.begun.map(({ by, lateMs }) => [by, lateMs <= 1_000]),
      [[2, true]],
    )
  })

  it('is processed again a second after its job has failed', async (t) => {
    const home = await installation()
    const job = itemJob(home, 1)
    let failures = 0
    const failing = async (services: Services, signal: AbortSignal) => {
      failures += 1
      if (failures < 3) throw new Error('the job fails')
      return job.work(services, signal)
    }
    await startInstance(t, home, 1, { ...job, work: failing })
    await home.addItem(1, 6_000)
    await home.pass(10_000)
    assert.deepEqual([failures, home.begun.length], [3, 1])
    assert.ok((home.begun[0]?.lateMs ?? 0) <= 3_500)
  })

  it('is searched for again after a search has failed', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    await home.database.run(sql`alter table due_items rename to away`)
    await home.pass(10_000)
    await home.database.run(sql`alter table away rename to due_items`)
    await home.addItem(1, 0)
    await home.pass(1_700)
    assert.equal(home.begun.length, 1)
  })

  it('begins although the search for other work fails', async (t) => {
    const home = await installation()
    const services = newServices(home)
    const broken: DueJob<Services> = {
      name: 'process what is not there',
      due: () => sql`select merchant_id, due_at from not_there`,
      work: async () => 0,
    }
    const run = (signal: AbortSignal) => new DueJobs(services, [broken, itemJob(home, 1)]).run(signal)
    t.after((await home.begin(run)).end)
    await home.addItem(1, 3_000)
    await home.pass(5_000)
    assert.equal(home.begun.length, 1)
  })

  it('begins within seven seconds of the death of an instance whose clock was ahead', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    await home.pass(20_000)
    const aheadS = 10
    await home.database.run(
      sql`update job_leases set ends_at = ${new Date(home.time.now().getTime() + (aheadS + 5) * 1_000)}`,
    )
    await home.addItem(1, 0)
    await home.pass(7_000)
    assert.equal(home.begun.length, 1)
  })

  it('does not begin while the clock is wrong', async (t) => {
    const clock = new FaultyClock()
    const home = await installation(clock)
    await startInstance(t, home)
    await home.addItem(1, 3_000)
    clock.fault = 'wrong'
    await home.pass(10_000)
    assert.deepEqual(home.begun, [])
    clock.fault = undefined
    await home.pass(2_000)
    assert.equal(home.begun.length, 1)
  })

  it('begins although a wrong clock has taken the lease for years', async (t) => {
    const home = await installation()
    await startInstance(t, home)
    await home.database.run(sql`update job_leases set ends_at = '2099-01-01'`)
    await home.addItem(1, 3_000)
    await home.pass(8_200)
    assert.equal(home.begun.length, 1)
  })
})

describe('news', () => {
  it('is processed without a search, and also if it arrives during a run', async (t) => {
    const home = await installation()
    const news: number[] = []
    const processed: number[][] = []
    const runs: (() => void)[] = []
    const job: DueJob<Services> = {
      ...itemJob(home, 1),
      workOnNews: () => {
        if (news.length === 0) return undefined
        processed.push(news.splice(0))
        return new Promise<number>((resolve) => runs.push(() => resolve(0)))
      },
    }
    const { services } = await startInstance(t, home, 1, job)
    await home.pass(20_000)
    const before = home.searches()
    const announce = (item: number) => {
      news.push(item)
      upcomingWork(services).announceNews()
    }
    announce(1)
    await home.pass(300)
    announce(2)
    announce(3)
    await home.pass(300)
    assert.deepEqual(processed, [[1]])
    runs[0]?.()
    await home.pass(300)
    assert.deepEqual(processed, [[1], [2, 3]])
    assert.ok(home.searches() - before <= 1)
    runs[1]?.()
  })
})
