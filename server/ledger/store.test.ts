import assert from 'node:assert/strict'
import { it } from 'node:test'
import { sql } from '../kit/sql.ts'
import { testApi } from '../testing/api.ts'
import { accounts, balancesOf, isBalanced, sheetsOf } from './index.ts'

const { services } = await testApi()
const { sql: database, ids, random, clock } = services
const currencies = ['TRY', 'USD', 'EUR']

it('the balances of a merchant are what a fold of all its transfers gives, one by one, and balance', async () => {
  const pick = <Value>(list: readonly Value[]) => list[random.bytes(1).readUInt8() % list.length] as Value
  const posted: { merchantId: number; currency: string; debit: string; credit: string; amount: number }[] = []
  for (let index = 0; index < 300; index++) {
    const debit = pick(accounts)
    const credit = pick(accounts.filter((account) => account !== debit))
    const amount = 1 + (random.bytes(4).readUInt32BE() % 99_999_999)
    posted.push({ merchantId: pick([1, 2]), currency: pick(currencies), debit, credit, amount })
  }
  posted.push({
    merchantId: 1,
    currency: 'TRY',
    debit: 'receivable',
    credit: 'balance',
    amount: 99_999_999_999,
  })
  for (const { merchantId, currency, debit, credit, amount } of posted) {
    const id = await ids.next()
    await database.run(sql`insert into ledger_transfers (merchant_id, id, cause, reason, payment_id, currency, debit,
        credit, amount, created_at)
      values (${merchantId}, ${id}, ${`test ${id}`}, 'payment', 1, ${currency}, ${debit}, ${credit}, ${amount},
        ${clock.now()})`)
  }
  for (const merchantId of [1, 2]) {
    const naive = new Map<string, [debited: number, credited: number]>()
    for (const transfer of posted.filter((row) => row.merchantId === merchantId)) {
      const side = (account: string) => {
        const key = `${transfer.currency} ${account}`
        const sums: [number, number] = naive.get(key) ?? [0, 0]
        naive.set(key, sums)
        return sums
      }
      side(transfer.debit)[0] += transfer.amount
      side(transfer.credit)[1] += transfer.amount
    }
    const balances = await balancesOf(database, merchantId)
    const told = new Map(
      balances.map(({ currency, account, debitMinor, creditMinor }) => [
        `${currency} ${account}`,
        [debitMinor, creditMinor],
      ]),
    )
    assert.deepEqual(new Map([...told].toSorted()), new Map([...naive].toSorted()))
    assert.ok(balances.every((balance) => balance.merchantId === merchantId))
    const sheets = sheetsOf(balances)
    assert.equal(sheets.length, 3)
    assert.ok(sheets.every(isBalanced))
  }
  assert.deepEqual(await balancesOf(database, 3), [])
})
