import type { Merchant } from '../../merchants/index.ts'
import type { Services } from '../../services.ts'
import type { Said, Unheard } from './ask-bank.ts'
import { askBank, newCall } from './ask-bank.ts'
import type { BankCall, Operation } from './attempt.ts'
import type { Decision, Situation } from './decide.ts'
import { move, takeEffect } from './move.ts'
import { noteAnswer } from './store.ts'

/** How many times as long as a bank may take nobody else attends to an attempt. */
const patiences = 3

/** And how many times as long a connector may take: one that takes longer has a bug. */
const patiencesOfConnector = 2

/** A turn that began before this is over, whoever has it. */
export function turnBegan({ clock, config }: Pick<Services, 'clock' | 'config'>): Date {
  return new Date(clock.now().getTime() - config.bankPatienceSeconds * 1000 * patiences)
}

/**
 * Somebody's turn to attend to an attempt. Guarantee: of several who attend to it at once, in whichever copy, one asks;
 * when that one is killed, another takes its turn after a while; and it ends, whatever a connector does.
 */
export class Turn {
  readonly #services: Services
  readonly #merchant: Merchant
  #situation: Situation
  /** What was answered and is not written down yet. */
  #answered: BankCall | undefined

  constructor(services: Services, merchant: Merchant, situation: Situation) {
    this.#services = services
    this.#merchant = merchant
    this.#situation = situation
  }

  /** Writes the question down, together with the last answer, and asks it. Undefined if somebody else got ahead. */
  async ask<Word extends Said>(
    operation: Operation,
    ask: () => Promise<Word>,
  ): Promise<Word | Unheard | undefined> {
    const services = this.#services
    const before = this.#situation
    const leaseMs = services.config.bankPatienceSeconds * 1000 * patiences
    const dueAt = new Date(services.clock.now().getTime() + leaseMs)
    const asks = await newCall(services, before.attempt, operation)
    const moved = await move(services, this.#merchant, {
      before,
      attempt: { ...before.attempt, dueAt },
      asks,
      ...(this.#answered && { answered: this.#answered }),
    })
    if (!moved?.attempt) {
      if (this.#answered) await noteAnswer(services.sql, this.#answered)
      return undefined
    }
    this.#situation = { payment: moved.payment, attempt: moved.attempt }
    const { said, answered } = await askBank(services, asks, () => inTime(services, ask()))
    this.#answered = answered
    return said
  }

  /** Lets what was answered take effect. */
  async end(decide: (situation: Situation) => Decision): Promise<Situation> {
    if (!this.#answered) throw new Error('a turn ends after something was asked')
    const { attempt: before } = this.#situation
    const then = await takeEffect(this.#services, this.#merchant, this.#situation, this.#answered, decide)
    if (then.attempt.needsPersonAt && !before.needsPersonAt) {
      const { id: attempt, paymentId: payment } = then.attempt
      this.#services.log.warn({ attempt, payment }, 'people have to ask the bank: vezne payment unknown')
    }
    return then
  }
}

/**
 * Without this, a promise that nobody keeps would hold up all that are attended to after it. Not for the charge itself:
 * an approval counts however late it comes, and a question that is asked here will be asked again.
 */
async function inTime<Word>(
  { clock, config }: Pick<Services, 'clock' | 'config'>,
  saying: Promise<Word>,
): Promise<Word> {
  const heard = new AbortController()
  const late = clock
    .sleep(config.bankPatienceSeconds * 1000 * patiencesOfConnector, heard.signal)
    .then(() => {
      throw new Error('the connector has not answered')
    })
  try {
    return await Promise.race([saying, late])
  } finally {
    heard.abort()
  }
}
