import type { Static } from 'typebox'
import { command } from '../../kit/command-line/command.ts'
import { choiceField, integerField, objectSchema, optional } from '../../kit/input/fields.ts'
import { merchantArgument, requireMerchant } from '../merchants/index.ts'
import type { Services } from '../services.ts'
import type { RefundPolicy } from './policy.ts'
import { policyOrDefault, writePolicy } from './store.ts'

const SetPolicy = objectSchema({
  ...merchantArgument.properties,
  policy: optional(
    choiceField('automatic: the rules decide after a delay. manual: a person decides.', [
      'automatic',
      'manual',
    ]),
  ),
  delay_seconds: optional(
    integerField('Delay between the request and the decision of the rules, in seconds.', {
      min: 0,
      max: 30 * 24 * 60 * 60,
    }),
  ),
  on_violation: optional(
    choiceField('Outcome of a refund that violates a rule: manual review, or rejection.', [
      'review',
      'reject',
    ]),
  ),
  max_age_days: optional(integerField('Rule: maximum age of the payment, in days.', { min: 1, max: 3650 })),
  usual_times: optional(
    integerField('Rule: maximum amount of a refund, as a multiple of the merchant’s usual payment.', {
      min: 1,
      max: 1000,
    }),
  ),
  rate_percent: optional(
    integerField('Rule: maximum share of the charges of 30 days that may be refunded, in percent.', {
      min: 1,
      max: 100,
    }),
  ),
  card_times: optional(
    integerField('Rule: maximum number of refunds to one card in 30 days.', { min: 1, max: 1000 }),
  ),
})

export const setPolicyCommand = command({
  positionals: ['merchant'],
  input: SetPolicy,
  renamedOptions: { '--on-finding': '--on-violation' },
  run: async (services: Services, input, print) => {
    for (const line of describePolicy(await setPolicy(services, input))) print(line)
  },
})

/** Changes the given settings only. Refunds under review keep their time of review. */
export function setPolicy(services: Services, input: Static<typeof SetPolicy>): Promise<RefundPolicy> {
  return services.sql.transaction(async (sql) => {
    const merchant = await requireMerchant({ sql }, input.merchant)
    const before = await policyOrDefault(sql, merchant)
    const policy: RefundPolicy = {
      policy: input.policy ?? before.policy,
      delaySeconds: input.delay_seconds ?? before.delaySeconds,
      onViolation: input.on_violation ?? before.onViolation,
      maxAgeDays: input.max_age_days ?? before.maxAgeDays,
      usualTimes: input.usual_times ?? before.usualTimes,
      ratePercent: input.rate_percent ?? before.ratePercent,
      cardTimes: input.card_times ?? before.cardTimes,
    }
    if (Object.keys(input).length > 1) await writePolicy(sql, merchant.id, policy, services.clock.now())
    return policy
  })
}

function describePolicy(policy: RefundPolicy): string[] {
  const rows: [string, string | number][] = [
    ['policy', policy.policy],
    ['delay-seconds', policy.delaySeconds],
    ['on-violation', policy.onViolation],
    ['max-age-days', policy.maxAgeDays],
    ['usual-times', policy.usualTimes],
    ['rate-percent', policy.ratePercent],
    ['card-times', policy.cardTimes],
  ]
  return rows.map(([name, value]) => `${name.padEnd(15)}${value}`)
}
