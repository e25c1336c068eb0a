import type { HttpRequest } from './request.ts'

/** What a plain Fastify server does on the same machine: answer, answer after one SELECT, answer after one INSERT. */
export type BaselineName = 'bare' | 'bare_select' | 'bare_insert'

/** The rows that `bare_select` reads; all of them in turn, so that no single page is favoured. */
export const rowsToSelect = 1000

/** Asks a limit as the measured requests ask: with the same headers and bodies, which any server has to read. */
export function limitRequests(limit: BaselineName, measured: readonly HttpRequest[] = []): HttpRequest[] {
  const { headers = {} } = measured[0] ?? {}
  if (limit === 'bare') return [{ method: 'GET', path: '/bare', headers }]
  if (limit === 'bare_insert') {
    const sent = measured.length > 0 ? measured : [{ method: 'POST' as const, path: '' }]
    return sent.map((request) => ({ ...request, path: '/bare_insert' }))
  }
  return Array.from({ length: rowsToSelect }, (_, id) => ({
    method: 'GET',
    path: `/bare_select/${id}`,
    headers,
  }))
}

/** What the limits answer while they are measured themselves: about as much as the service answers most often. */
export const plainAnswer = {
  status: true,
  message: 'This is an answer of no meaning.',
  errors: [],
  error_code: null,
  data: {
    id: 10000000000001,
    name: 'x'.repeat(300),
    is_active: true,
    created_at: '2026-11-15T09:30:00+03:00',
  },
}
