import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

/** Text of the directory server's answer, or the protocol's error code for its absence. */
export type DirectorySendResult = { text: string } | { errorCode: '402' | '405'; why: string }

type Needs = Pick<Services, 'http' | 'config'>

/** Sends a message to a directory server. The caller must check the answer. */
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
