/** Ends the program with an error: its arguments select nothing to run. */
export function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
