import type { HttpRequest, HttpResponse } from '../../kit/outbound/http-client.ts'
import { NoHttpResponse } from '../../kit/outbound/http-client.ts'
import type { Services } from '../services.ts'

const timeoutMs = 30_000

/** The other sides, and advice for each if it does not answer. */
const peers = {
  service: { name: 'The service', advice: 'start it with vezne start, and check API_URL' },
  page: { name: 'The payment page', advice: 'start it with vezne start, and check PAGE_URL' },
  bankPage: { name: 'The bank’s page', advice: 'check SANDBOX_URL and PAGE_URL' },
  sandbox: {
    name: 'The sandbox bank',
    advice: 'start it with vezne start, or with vezne sandbox if you set DATABASE_URL, and check SANDBOX_URL',
  },
}

/** Sends a request. Guarantee: without a response, the error names the other side in one sentence. */
export async function sendRequest(
  { http }: Pick<Services, 'http'>,
  peer: keyof typeof peers,
  request: Omit<HttpRequest, 'timeoutMs'>,
): Promise<HttpResponse> {
  try {
    return await http.send({ ...request, timeoutMs })
  } catch (error) {
    if (!(error instanceof NoHttpResponse)) throw error
    const { name, advice } = peers[peer]
    const { origin } = new URL(request.url)
    throw new Error(`${name} does not answer at ${origin} (${error.message}): ${advice}.`)
  }
}

/**
 * Posts a body as JSON, or gets the address if there is none. `json` is undefined if the response is not
 * JSON, for example from another program on that port.
 */
export async function requestJson<Json>(
  services: Pick<Services, 'http'>,
  peer: keyof typeof peers,
  url: string,
  { headers, body }: { headers?: Record<string, string>; body: object | undefined },
): Promise<{ status: number; json: Json | undefined }> {
  const response = await sendRequest(services, peer, {
    method: body ? 'POST' : 'GET',
    url,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
  })
  const { status } = response
  try {
    return { status, json: JSON.parse(response.body.toString()) }
  } catch {
    return { status, json: undefined }
  }
}
