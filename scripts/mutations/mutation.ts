/** A guard that is taken out of the code, to see that a test notices. Nothing is written to the file itself. */
export interface Mutation {
  /** One sentence: what the guard ensures. */
  guard: string
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** The smallest and quickest test file that notices. */
  noticedBy: string
  /** Words of a test's name, where the whole file takes long: only tests with these words are run. */
  test?: string
}

/** The mutations of an area by their names. */
export type Area = Readonly<Record<string, Mutation>>
