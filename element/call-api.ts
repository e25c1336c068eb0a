import type { Browser } from './browser.ts'
import { afterUnlessAborted } from './browser.ts'
import type { Language, Sentence } from './texts.ts'
import { texts } from './texts.ts'
import { StartFailure } from './vezne-error.ts'

/** The service, as an element knows it. */
export interface Api {
  url: string
  language: Language
  browser: Browser
}

export interface ApiRequest {
  path: string
  /** A key or a token. */
  credential: string
  headers?: Record<string, string>
  body?: string
}

/** The API's envelope. Anybody may stand between, so nothing in it is believed before it was looked at. */
export interface ApiResponse {
  status: number
  message: string
  error_code: number | undefined
  errors: Record<string, string[]> | undefined
  data: Record<string, unknown>
  retryAfterMs: number
  /** When the service says that it is, in milliseconds; not a number where it does not say. */
  sentAt: number
}

/** How long is waited before another try. */
const pausesMs = [500, 1_500, 4_000]
/** Who is to wait for longer is told so instead. */
const longestPauseMs = 20_000
const timeoutMs = 20_000

/**
 * Asks the API, and again where no answer came or a later one may be better. Guarantee: it answers what the API has
 * decided, or throws a `StartFailure`; once the signal says so it asks nothing more.
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

/** A payment that could not be started, in the API's own words where it has any. */
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

/** Whether the same question may get another answer later. */
function mayChange({ status, error_code }: ApiResponse): boolean {
  return status === 408 || status === 429 || status >= 500 || error_code === 950
}

/** Undefined when nobody answers in time, or somebody else does. */
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
