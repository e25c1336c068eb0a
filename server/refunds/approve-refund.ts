import { command } from '../kit/command.ts'
import type { Services } from '../services.ts'
import { Judgement, judgeRefund } from './judge-refund.ts'

export const approveRefundCommand = command({
  places: ['refund'],
  input: Judgement,
  run: async (services: Services, input, print) => {
    const { id, state } = await judgeRefund(services, input, 'approved')
    print(`Refund ${id} is ${state}. What comes of it: vezne refund show ${id}`)
  },
})
