import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { Subject } from '../calls/call.ts'
import { noteAnswer } from '../calls/store.ts'
import { takeEffect } from '../calls/take-effect.ts'
import type { Desk } from '../calls/turn.ts'
import { Turn } from '../calls/turn.ts'
import type { Move } from '../moves/move.ts'
import { move } from '../moves/move.ts'
import { verificationOfDeed } from '../verifications/verification.ts'
import type { Deed, DeedSituation } from './deed.ts'
import { deedSituationOf } from './store.ts'

/** What becomes of everything else when a deed is done or refused. */
export interface Consequence extends Pick<Move, 'payment' | 'tells' | 'posts' | 'begins' | 'also'> {
  /** What is done once that is written. */
  onceWritten?: () => void
}

/** Tells it of a situation whose deed has just ended. */
export type Sequel = (
  services: Pick<Services, 'sql' | 'clock' | 'ids' | 'metrics'>,
  merchant: Merchant,
  situation: DeedSituation,
) => Promise<Consequence>

/** The deed as it stands from now on, and whether the bank's answer left its amount open. */
export interface DeedDecision {
  deed: Deed
  isUnproven: boolean
}

/** Somebody's turn to attend to a deed. What is decided is how the deed stands then. */
export function turnOfDeed(
  services: Services,
  merchant: Merchant,
  situation: DeedSituation,
  sequel: Sequel,
): Turn<DeedSituation, DeedDecision> {
  const desk: Desk<DeedSituation, DeedDecision> = {
    subject: ({ deed }) => subjectOfDeed(deed),
    lease: async (before, dueAt, calls) => {
      const { operation, askedAt } = calls.asks
      const isAsked = operation === 'capture' || operation === 'void' || operation === 'refund'
      // What it refused before says nothing of what comes of this: nobody may be left to hear the answer.
      const deed = {
        ...before.deed,
        dueAt,
        ...(isAsked && { way: operation, askedAt, declineReason: null }),
      }
      const moved = await move(services, merchant, { before, deed, ...calls })
      return moved?.deed && { ...before, deed: moved.deed }
    },
    settle: async (seen, answered, decide) => {
      const then = await takeEffect(services, answered, seen, {
        write: async (before) => {
          const { deed, isUnproven } = decide(before)
          if (isOvertaken(seen.deed, before.deed, deed)) {
            await noteAnswer(services.sql, answered)
            return before
          }
          const ended = deed.state === 'doing' ? {} : await sequel(services, merchant, { ...before, deed })
          const { onceWritten, ...follows }: Consequence = ended
          const verifies = isUnproven
            ? verificationOfDeed(deed, before.attempt, services.clock.now())
            : undefined
          const moved = await move(services, merchant, { before, deed, ...follows, verifies, answered })
          if (moved) onceWritten?.()
          return moved?.deed && { ...before, payment: moved.payment, deed: moved.deed }
        },
        again: ({ deed }) => deedSituationOf(services.sql, deed),
      })
      tellPeople(services, seen.deed, then.deed)
      return then
    },
  }
  return new Turn(services, desk, situation)
}

/** A question about a deed. */
export function subjectOfDeed({ merchantId, paymentId, attemptId, id: deedId }: Deed): Subject {
  return { merchantId, paymentId, attemptId, deedId }
}

function tellPeople(
  { log }: Pick<Services, 'log'>,
  before: Deed,
  { needsPersonAt, id, paymentId }: Deed,
): void {
  if (needsPersonAt && !before.needsPersonAt)
    log.warn({ deed: id, payment: paymentId }, 'people have to ask the bank: vezne payment unknown')
}

/**
 * Whether nothing follows from a word any more: a person, or another copy, has settled it meanwhile; or another copy has
 * its turn, and the bank may be doing it right now, whatever it said before. That it is done is news to everybody.
 */
function isOvertaken(seen: Deed, before: Deed, after: Deed): boolean {
  if (before.state !== 'doing') return true
  return before.version !== seen.version && after.state !== 'done'
}
