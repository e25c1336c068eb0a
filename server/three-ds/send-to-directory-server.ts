import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

/** What came of asking the directory server: the text of an answer, or why there is none in the codes of the protocol. */
export type DirectorySendResult = { text: string } | { errorCode: '402' | '405'; why: string }

type Needs = Pick<Services, 'http' | 'config'>

/** Sends a message to a directory server. What it answers is checked by whoever asked. */
export async function sendToDirectoryServer(
  { http, config }: Needs,
  url: string,
  message: object,
): Promise<DirectorySendResult> {
  const timeoutMs = config.directoryTimeoutSeconds * 1000
  try {
    const { status, body } = await http.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      body: JSON.stringify(message),
      timeoutMs,
    })
    if (status !== 200) return { errorCode: '405', why: `status ${status}` }
    return { text: body.toString('utf8') }
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error
    return { errorCode: error.mayHaveArrived ? '402' : '405', why: error.message }
  }
}
