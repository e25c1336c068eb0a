import { once } from 'node:events'
import { get } from 'node:http'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** What stands for a number that is another one every time, wherever a request is to differ from all before it. */
export const uniqueNumberMark = '##########'

/** The request as it goes over the wire, made once and sent many times. */
export function rawRequest({ method, path, headers = {}, body = '' }: HttpRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (method === 'POST') lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends it once and answers the text that came. */
export async function answerText(
  port: number,
  { method, path, headers = {}, body }: HttpRequest,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return text
}

/** Asks for it once; answers how many bytes came, encoded as they travel. */
export async function answerLength(port: number, { path, headers = {} }: HttpRequest): Promise<number> {
  const request = get({ host: '127.0.0.1', port, path, headers })
  const [answer] = await once(request, 'response')
  let length = 0
  for await (const bytes of answer) length += bytes.length
  if (answer.statusCode !== 200) throw new Error(`GET ${path} was answered ${answer.statusCode}`)
  return length
}
