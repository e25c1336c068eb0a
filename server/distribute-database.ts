import type { Static } from 'typebox'
import type { Print } from '../kit/command-line/command.ts'
import { command } from '../kit/command-line/command.ts'
import { integerField, objectSchema, optional, textField } from '../kit/input/fields.ts'
import { distribute } from './database/distribute.ts'
import type { OpenServices } from './services.ts'
import { openServices } from './services.ts'

const defaultShards = 32

const DistributeDatabase = objectSchema({
  shards: optional(
    integerField(
      `Number of parts of each distributed table. It limits the number of workers, and a later change copies all data. Default: ${defaultShards}.`,
      { min: 1, max: 1024, example: defaultShards },
    ),
  ),
  role: optional(
    textField(
      'Role of the running service in PostgreSQL, if it is not the one in DATABASE_URL. Its lock timeout is set.',
      { max: 63 },
    ),
  ),
})

export const distributeDatabaseCommand = command({ input: DistributeDatabase, run: distributeDatabase })

async function distributeDatabase(
  { config, log }: Pick<OpenServices, 'config' | 'log'>,
  { shards = defaultShards, role }: Static<typeof DistributeDatabase>,
  print: Print,
): Promise<void> {
  const services = await openServices(config, log, 'visitor')
  try {
    const done = await services.withoutTimeouts((database) => distribute(database, { shards, role }))
    const { distributed, reference, local } = done.tables
    print(
      `${distributed.length} tables of merchants are distributed by merchant_id in ${done.shards} shards on ${done.workers} workers: ${distributed.join(', ')}.`,
    )
    print(`${reference.length} tables are copied to every node: ${reference.join(', ')}.`)
    print(`${local.length} tables are on the coordinator: ${local.join(', ')}.`)
    print(
      done.changed.length === 0
        ? 'All of this was so before.'
        : `Changed by this command: ${done.changed.join(', ')}. Restart every instance.`,
    )
  } finally {
    await services.close()
  }
}
