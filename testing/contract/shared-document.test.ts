import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { contract } from './contract.ts'
import type { Contract } from './contract-schema.ts'
import { differences } from './differences.ts'
import { documentFaults, factsOf, readContract } from './document.ts'

/** The document is not part of this repository. It can lie beside the clone. */
const path = join(import.meta.dirname, '..', '..', '..', 'shared', 'interface.md')
const skip = existsSync(path) ? false : 'the shared document does not lie beside this clone'
const shared = () => readContract(readFileSync(path, 'utf8'))

/** Our facts, some of them changed or, if undefined, removed. */
function changed(changes: Record<string, string | undefined>): Contract {
  const facts = Object.entries({ ...Object.fromEntries(factsOf(contract)), ...changes })
  return Object.fromEntries(facts.filter(([, value]) => value !== undefined)) as unknown as Contract
}

/** Facts of the document below a beginning that is otherwise left out. */
const sharedFacts: [string, string][] = [
  ['statuses payment_status 1', 'success'],
  ['statuses transaction_status 2', 'completed'],
]

/** The document as the differences describe it. */
function described(): Contract {
  const silent = differences.flatMap((each) => Object.keys(each.silent ?? {}))
  const instead = differences.flatMap((each) => Object.entries(each.instead ?? {}))
  const leftOut = [...factsOf(contract).keys()].filter((fact) =>
    silent.some((beginning) => `${fact} `.startsWith(`${beginning} `)),
  )
  return changed({
    ...Object.fromEntries(leftOut.map((fact) => [fact, undefined])),
    ...Object.fromEntries(sharedFacts),
    ...Object.fromEntries(instead.map(([fact, { theirs }]) => [fact, theirs])),
  })
}

/** Changes of our table that were once not found. */
const changes: Record<string, string | undefined>[] = [
  { 'endpoints POST /v1/transaction/refund body amount': undefined },
  { 'endpoints POST /v1/transaction/refund body amount': 'string' },
  { 'endpoints POST /v1/payment/3ds body products': undefined },
  { 'endpoints POST /v1/payment/3ds body product_ids': undefined },
  {
    'endpoints POST /v1/payment/3ds items metadata key': undefined,
    'endpoints POST /v1/payment/3ds items metadata value': undefined,
  },
  { 'endpoints POST /v1/customers body country': undefined },
  { 'resources Customer phone': undefined },
  { 'resources Transaction result metadata': undefined },
  { 'resources Transaction result end_at': undefined },
  { 'resources Commission entry company_pos_credential_id': undefined },
  { 'endpoints POST /v1/pos/commissions anywhere bin_number': undefined },
  { 'resources BIN lookup result card_brand': undefined },
  { 'resources Timeline item type': 'string' },
  { 'requests languages': 'en' },
  { 'codes 901': undefined },
  { 'codes 901': '200' },
  { 'endpoints GET /v1/customers/search answer': 'envelope of null' },
]

/** Facts whose change is not found, although it is made in our table only. */
function missed(document: Contract, change: Record<string, string | undefined>): string[] {
  const faults = documentFaults(changed(change), document, differences)
  const found = (fact: string) => faults.some((fault) => `${fact} `.startsWith(fault.replace(/: .*/, ' ')))
  return Object.keys(change).filter((fact) => !found(fact))
}

describe('our contract', () => {
  it('is that of the shared document, apart from the listed differences', { skip }, () => {
    assert.deepEqual(documentFaults(contract, shared(), differences), [])
  })

  it('has our side of each listed difference', () => {
    assert.deepEqual(documentFaults(contract, described(), differences), [])
  })

  it('cannot change in any fact without a fault', () => {
    const document = described()
    for (const fact of factsOf(contract).keys()) {
      for (const change of [{ [fact]: undefined }, { [fact]: 'another' }, { [`${fact} too`]: 'string' }])
        assert.deepEqual(missed(document, change), [])
    }
  })

  it('cannot change as it once could', () => {
    for (const document of [described(), ...(skip ? [] : [shared()])]) {
      for (const change of changes) {
        for (const fact of Object.keys(change)) assert.ok(factsOf(contract).has(fact), fact)
        assert.deepEqual(missed(document, change), [])
      }
    }
  })
})
