import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { Language, Sentence } from './texts.ts'
import { texts } from './texts.ts'
import { StartFailure } from './vezne-error.ts'

/** API of the service, as the element uses it. */
export interface Api {
  url: string
  language: Language
  browser: Browser
}

export interface ApiRequest {
  path: string
  /** Key or token. */
  credential: string
  headers?: Record<string, string>
  body?: string
}

/** Envelope of the API. Another server may have answered, so every field is checked before it is used. */
export interface ApiResponse {
  status: number
  message: string
  error_code: number | undefined
  errors: Record<string, string[]> | undefined
  data: Record<string, unknown>
  retryAfterMs: number
  /** Time of the service in milliseconds; NaN if the response has none. */
  sentAt: number
}

/** Pauses between attempts. */
const pausesMs = [500, 1_500, 4_000]
/** Longest pause. If the API demands more, the request fails instead. */
const longestPauseMs = 20_000
const timeoutMs = 20_000

/**
 * Calls the API, and retries without a response or after a temporary error. Guarantee: it returns the API's
 * decision or throws a `StartFailure`, and sends nothing after the signal aborts.
 */
export async function callApi(api: Api, question: ApiRequest, signal: AbortSignal): Promise<ApiResponse> {
  for (let tries = 0; ; tries++) {
    const answer = await callOnce(api, question, signal)
    if (answer && !mayChange(answer)) return answer
    const pauseMs = Math.max(pausesMs[tries] ?? 0, answer?.retryAfterMs ?? 0)
    if (tries === pausesMs.length || pauseMs > longestPauseMs || signal.aborted)
      throw startFailure(api, 'unreachable', answer)
    await new Promise<void>((resolve) => {
      afterUnlessAborted(api.browser, pauseMs, signal, resolve)
      signal.addEventListener('abort', () => resolve(), { once: true })
    })
  }
}

/** Error of a payment that could not be started, with the API's message if there is one. */
export function startFailure(
  { language }: Pick<Api, 'language'>,
  code: 'refused' | 'unreachable',
  answer: ApiResponse | undefined,
): StartFailure {
  const ours: Sentence = texts[code]
  return new StartFailure({
    code,
    message: answer?.message || ours[language],
    ...(answer?.error_code === undefined ? {} : { error_code: answer.error_code }),
    ...(answer?.errors === undefined ? {} : { errors: answer.errors }),
  })
}

/** True if a retry can get another answer. */
function mayChange({ status, error_code }: ApiResponse): boolean {
  return status === 408 || status === 429 || status >= 500 || error_code === 950
}

/** Returns undefined if no response comes in time, or if it is not one of the API. */
async function callOnce(
  api: Api,
  question: ApiRequest,
  signal: AbortSignal,
): Promise<ApiResponse | undefined> {
  const { browser, url, language } = api
  const { path, credential, headers, body = null } = question
  const end = new AbortController()
  const stop = () => end.abort()
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  const callOff = browser.after(timeoutMs, stop)
  try {
    const response = await browser.fetch(`${url}${path}`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${credential}`,
        'accept-language': language,
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body,
      credentials: 'omit',
      cache: 'no-store',
      signal: end.signal,
    })
    return answerIn(response, await response.json())
  } catch {
    return undefined
  } finally {
    callOff()
    signal.removeEventListener('abort', stop)
  }
}

function answerIn({ status, headers }: Response, json: unknown): ApiResponse | undefined {
  if (!isRecord(json) || typeof json['status'] !== 'boolean') return undefined
  const { message, error_code, errors, data } = json
  return {
    status,
    message: typeof message === 'string' ? message : '',
    error_code: typeof error_code === 'number' ? error_code : undefined,
    errors: isRecord(errors) ? (errors as Record<string, string[]>) : undefined,
    data: isRecord(data) ? data : {},
    retryAfterMs: (Number(headers.get('retry-after')) || 0) * 1_000,
    sentAt: Date.parse(headers.get('date') ?? ''),
  }
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
