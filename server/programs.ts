import { command } from '../kit/command-line/command.ts'
import { objectSchema } from '../kit/input/fields.ts'
import type { ProgramContext, StartOptions } from './start.ts'

/** Programs have no arguments; they are configured by settings only. */
const input = objectSchema({})

const serviceCommand = (options: StartOptions) =>
  command({
    input,
    run: async (context: ProgramContext) => (await import('./start.ts')).runUntilSignalled(context, options),
  })

export const startCommand = serviceCommand({ web: true, work: true, sandbox: true, makesHome: true })

export const serveCommand = serviceCommand({ web: true, work: false })

export const workCommand = serviceCommand({ web: false, work: true })

export const migrateCommand = command({
  input,
  run: async ({ config, log }: ProgramContext, _input, print) => {
    const { openServices } = await import('./services.ts')
    const services = await openServices(config, log, 'visitor')
    try {
      const { level } = await services.migrate()
      print(`The database has schema level ${level}.`)
    } finally {
      await services.close()
    }
  },
})
