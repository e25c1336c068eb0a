/** Guard that is removed from the code to check that a test notices. The file on disk does not change. */
export interface Mutation {
  /** One sentence: the guarantee that the guard gives. */
  guard: string
  file: string
  /** Text that occurs exactly once in the file. */
  find: string
  replace: string
  /** Smallest and fastest test file that notices. */
  noticedBy: string
  /** Part of a test's name. Only tests with it run, because the whole file takes long. */
  test?: string
}

/** Mutations of an area by name. */
export type Area = Readonly<Record<string, Mutation>>
