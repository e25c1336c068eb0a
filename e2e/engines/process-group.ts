import type { ChildProcess, StdioOptions } from 'node:child_process'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Environment } from '../../server/config.ts'

const groups = new Set<ProcessGroup>()
// First, because files of the programs may be removed at the exit too.
process.prependListener('exit', () => {
  for (const group of groups) group.kill()
})

/** A program with all processes that it starts. */
export interface ProcessGroup {
  child: ChildProcess
  kill(): void
  /** Kills all processes of the group and waits for the end of the program. */
  end(): Promise<void>
}

/** Starts a program. Guarantee: its whole group is killed when this process exits, whatever the reason. */
export async function startProcessGroup(
  [program = '', ...words]: string[],
  env: Environment,
  stdio: StdioOptions = 'ignore',
): Promise<ProcessGroup> {
  const child = spawn(program, words, { env, stdio, detached: true })
  const group: ProcessGroup = {
    child,
    kill: () => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
      } catch {
        // The group has ended by itself.
      }
    },
    end: async () => {
      group.kill()
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      groups.delete(group)
    },
  }
  groups.add(group)
  await once(child, 'spawn')
  return group
}
