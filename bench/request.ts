import { once } from 'node:events'
import { get } from 'node:http'

export interface HttpRequest {
  method: 'GET' | 'POST' | 'DELETE'
  path: string
  headers?: Record<string, string>
  body?: string
}

/** Placeholder for a number that differs in every request. */
export const uniqueNumberMark = '##########'

/** Raw HTTP text of a request, made once and sent many times. */
export function rawRequest({ method, path, headers = {}, body = '' }: HttpRequest): string {
  const lines = [`${method} ${path} HTTP/1.1`, 'host: localhost']
  for (const [name, value] of Object.entries(headers)) lines.push(`${name}: ${value}`)
  if (method === 'POST') lines.push(`content-length: ${Buffer.byteLength(body)}`)
  return `${lines.join('\r\n')}\r\n\r\n${body}`
}

/** Sends the request once and returns the text of the response. */
export async function answerText(
  port: number,
  { method, path, headers = {}, body }: HttpRequest,
): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, body: body ?? null })
  const text = await answer.text()
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status}: ${text}`)
  return text
}

/** Sends the request once and returns the length of the response in bytes, as encoded for transfer. */
export async function answerLength(port: number, { path, headers = {} }: HttpRequest): Promise<number> {
  const request = get({ host: '127.0.0.1', port, path, headers })
  const [answer] = await once(request, 'response')
  let length = 0
  for await (const bytes of answer) length += bytes.length
  if (answer.statusCode !== 200) throw new Error(`GET ${path} was answered ${answer.statusCode}`)
  return length
}
