import type { Random } from '../kit/random.ts'

/** A way to reach a bank's virtual POS. A merchant's POS names the one that it is reached by. */
export interface Connector {
  name: string
  about: string
  /** Whose payments it carries: a test merchant's reach the sandbox alone, a live merchant's never do. */
  mode: 'test' | 'live'
  /** What the bank gives to a merchant to sign in with. All of it is sealed, and none of it ever shown. */
  secrets: readonly SecretOfPos[]
  /** Where nobody has to apply for them: makes a POS its secrets. */
  issueSecrets?(random: Random): Record<string, string>
}

export interface SecretOfPos {
  name: string
  about: string
}
