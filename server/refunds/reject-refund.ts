import { command } from '../kit/command.ts'
import type { Services } from '../services.ts'
import { Judgement, judgeRefund } from './judge-refund.ts'

export const rejectRefundCommand = command({
  name: 'refund reject',
  about: 'Rejects a refund that is under review. Its merchant is told the reason, and may ask again.',
  example: 'vezne refund reject 10000000000456 --by "Ayşe Işık" --reason "The goods have not come back."',
  places: ['refund'],
  input: Judgement,
  run: async (services: Services, input, print) => {
    const { id, state } = await judgeRefund(services, input, 'rejected')
    print(`Refund ${id} is ${state}.`)
  },
})
