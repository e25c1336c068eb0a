/** Ends the program, whose words name nothing that it could run. */
export function exitWithError(message: string): never {
  process.stderr.write(`${message}\n`)
  process.exit(2)
}
