import type { Area } from './mutation.ts'

const file = 'server/pictures/encode-picture.ts'
const noticedBy = 'server/pictures/encode-picture.test.ts'

export const pictures: Area = {
  'processor-time': {
    guard: 'A picture that takes too much processor time ends its process.',
    file,
    find: ' && ulimit -S -t ${processorSeconds}',
    replace: '',
    noticedBy,
    test: 'limits of processor time',
  },
  memory: {
    guard: 'A picture that takes too much memory ends its process.',
    file,
    find: ' && ulimit -d ${memoryKib}',
    replace: '',
    noticedBy,
    test: 'limits of processor time',
  },
  'no-files': {
    guard: 'The process that encodes writes no file.',
    file,
    find: ' && ulimit -f 0',
    replace: '',
    noticedBy,
    test: 'limits of processor time',
  },
  output: {
    guard: 'The output of the process that encodes does not fill the memory of the service.',
    file,
    find: "if (length > maxOutputBytes) child.kill('SIGXCPU')\n    else chunks.push(chunk)",
    replace: 'chunks.push(chunk)',
    noticedBy,
    test: 'writes more than two pictures',
  },
  priority: {
    guard: 'Payments on the same machine come before pictures.',
    file,
    find: 'if (child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_BELOW_NORMAL)',
    replace: '',
    noticedBy,
    test: 'low priority',
  },
  settings: {
    guard: 'The process that decodes pictures has none of our settings and secrets.',
    file,
    find: "env: { MALLOC_ARENA_MAX: '2' }",
    replace: "env: { ...process.env, MALLOC_ARENA_MAX: '2' }",
    noticedBy,
    test: 'none of our settings',
  },
  'service-stops': {
    guard: 'A service that stops ends the processes that encode.',
    file,
    find: "tasks.signal.addEventListener('abort', stop)",
    replace: '',
    noticedBy,
    test: 'when the service stops',
  },
  'waiting-picture': {
    guard: 'A service that stops begins no picture that waits.',
    file,
    find: 'if (tasks.signal.aborted) throw new Refused(serviceUnavailable, { retryAfterS: 1 })',
    replace: '',
    noticedBy,
    test: 'when the service stops',
  },
  'pictures-of-one-merchant': {
    guard: 'The pictures of one merchant leave room for those of others.',
    file: 'server/pictures/encoding-queue.ts',
    find: 'own >= maxPicturesPerMerchant || ',
    replace: '',
    noticedBy: 'server/pictures/encoding-queue.test.ts',
  },
  'all-pictures': {
    guard: 'A bounded number of pictures waits in memory.',
    file: 'server/pictures/encoding-queue.ts',
    find: ' || this.#count >= maxPictures',
    replace: '',
    noticedBy: 'server/pictures/encoding-queue.test.ts',
  },
  'another-merchant': {
    guard: 'An address with the id of another merchant shows no picture.',
    file: 'server/pictures/store.ts',
    find: 'where merchant_id = ${merchantId} and digest = ${digest}`)\n  return row?.bytes',
    replace: 'where digest = ${digest}`)\n  return row?.bytes',
    noticedBy: 'server/checkout/view/tile.test.ts',
    test: 'of an unknown picture, of another merchant',
  },
}
