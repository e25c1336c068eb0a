import type { AcsTools } from './authenticate.ts'
import { authenticate } from './authenticate.ts'
import type { AcsMessage } from './message.ts'
import {
  errorMessage,
  InvalidMessage,
  isUuid,
  newestVersion,
  newTransactionId,
  oldestVersion,
  readMessage,
  requireVersion,
} from './message.ts'
import { cardRangesAt, serialNumberAt } from './ranges.ts'
import { readAuthenticationRequest, readPreparationRequest } from './requests.ts'
import { recordComplaint } from './store.ts'

/** Longer than a 3DS Server waits for the directory server. */
const timeoutMs = 15_000

/** The answer and its delay. An error message gets no answer. */
export interface DirectoryReply {
  message: AcsMessage | undefined
  afterMs: number
}

/** The directory server. It answers an invalid message with an error message. */
export async function answerDirectoryMessage(
  tools: AcsTools,
  body: unknown,
  address: string,
): Promise<DirectoryReply> {
  let message: AcsMessage | undefined
  try {
    message = readMessage(body)
    return { message: await answerTo(tools, message, address), afterMs: 0 }
  } catch (error) {
    if (!(error instanceof InvalidMessage)) throw error
    return { message: errorMessage(error, message, 'D'), afterMs: error.code === '402' ? timeoutMs : 0 }
  }
}

async function answerTo(
  tools: AcsTools,
  message: AcsMessage,
  address: string,
): Promise<AcsMessage | undefined> {
  const { messageType } = message
  if (messageType === 'Erro') return recordErrorMessage(tools, message)
  if (messageType !== 'PReq' && messageType !== 'AReq') throw new InvalidMessage('101', 'messageType')
  const version = requireVersion(message)
  if (messageType === 'AReq') {
    return authenticate(tools, readAuthenticationRequest(message, version), address)
  }
  const { serialNum } = readPreparationRequest(message)
  const current = serialNumberAt(address)
  if (serialNum !== undefined && serialNum !== current) throw new InvalidMessage('307', 'serialNum')
  return {
    messageType: 'PRes',
    messageVersion: version,
    threeDSServerTransID: message['threeDSServerTransID'],
    dsTransID: newTransactionId(tools.random),
    dsStartProtocolVersion: oldestVersion,
    dsEndProtocolVersion: newestVersion,
    serialNum: current,
    ...(serialNum === current ? {} : { cardRangeData: cardRangesAt(address) }),
  }
}

/** Records an error message: a 3DS Server could not process our answer. */
async function recordErrorMessage({ sql }: AcsTools, message: AcsMessage): Promise<undefined> {
  const { errorCode } = message
  const idNamed = (name: string) => (isUuid(message[name]) ? message[name] : null)
  const ids = {
    serverTransId: idNamed('threeDSServerTransID'),
    acsTransId: idNamed('acsTransID'),
    dsTransId: idNamed('dsTransID'),
  }
  if (typeof errorCode === 'string' && /^\d{3}$/.test(errorCode)) await recordComplaint(sql, ids, errorCode)
}
