/** What goes wrong with a card. The book keeps its name, so that whoever answers later knows of it too. */
export interface Fault {
  name: string
  /** When the money is taken or held; at once unless said otherwise. */
  done?: 'never' | { afterMs: number }
  /** What is taken beyond what was asked for. */
  extraMinor?: number
  /** What the charge is answered with. */
  answer?: Manner | 'other reference'
  /** For how long after the charge nobody answers a query about it. */
  statusFailsForMs?: number
  /** What becomes of voids, refunds and captures. */
  undoing?: 'not permitted' | 'void answer lost' | 'void fails once' | 'settled' | 'fails'
}

/** How an answer reaches whoever asked. */
export type Manner =
  | 'plain'
  /** The connection breaks instead. */
  | 'lost'
  | { afterMs: number }
  /** Half of it. */
  | 'garbled'
  /** A page for people instead. */
  | 'page'
  /** The status 500 instead. */
  | 'failure'
