import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

/** Sends a message to a directory server. Returns its answer, unchecked, or the reason for its absence. */
export async function sendToDirectoryServer(
  { http, config }: Pick<Services, 'http' | 'config'>,
  url: string,
  message: object,
): Promise<{ text: string } | { why: string }> {
  try {
    const { status, body } = await http.send({
      method: 'POST',
      url,
      headers: { 'content-type': 'application/json; charset=utf-8', accept: 'application/json' },
      body: JSON.stringify(message),
      timeoutMs: config.directoryTimeoutSeconds * 1000,
    })
    return status === 200 ? { text: body.toString('utf8') } : { why: `status ${status}` }
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error
    return { why: error.message }
  }
}
