import { command } from '../../kit/command-line/command.ts'
import type { Services } from '../services.ts'
import { ApproveOrRejectInputSchema, decideRefundManually } from './decide-refund-manually.ts'

export const approveRefundCommand = command({
  positionals: ['refund'],
  input: ApproveOrRejectInputSchema,
  run: async (services: Services, input, print) => {
    const { id, state } = await decideRefundManually(services, input, 'approved')
    print(`Refund ${id} is ${state}. To see the outcome: vezne refund show ${id}`)
  },
})
