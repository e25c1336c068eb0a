import { command } from '../kit/command.ts'
import type { Services } from '../services.ts'
import { Judgement, judgeRefund } from './judge-refund.ts'

export const approveRefundCommand = command({
  name: 'refund approve',
  about: 'Approves a refund that is under review: the bank is asked to give the money back from now on.',
  example:
    'vezne refund approve 10000000000456 --by "Ayşe Işık" --reason "The goods came back on 15 November."',
  places: ['refund'],
  input: Judgement,
  run: async (services: Services, input, print) => {
    const { id, state } = await judgeRefund(services, input, 'approved')
    print(`Refund ${id} is ${state}. What comes of it: vezne refund show ${id}`)
  },
})
