import { countRoundTrips } from '../testing/till/whole-payment.ts'
import type { BenchEnvironment } from './environment.ts'
import type { HttpRequest } from './request.ts'
import { answerText } from './request.ts'
import { startPaymentRequests } from './transactions.ts'

/** Headers that a browser sends with a page request. */
const headers = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8',
}

/** Starts payments and requests their pages. None of them is paid. */
export async function viewPageRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const started: HttpRequest[] = []
  for (const request of await startPaymentRequests(environment)) {
    const { payment_page_url: url } = JSON.parse(await answerText(environment.service.port, request)).data
    started.push({ method: 'GET', path: new URL(url).pathname, headers })
  }
  return started
}

/** Database round trips of one payment, by step and in total. */
export async function paymentRoundTrips({
  databaseUrl,
  settings,
}: BenchEnvironment): Promise<Record<string, number>> {
  const secret = settings['VEZNE_SECRET'] ?? ''
  const trips = await countRoundTrips(databaseUrl, { VEZNE_SECRET: secret })
  const sum = Object.values(trips).reduce((all, each) => all + each, 0)
  return { round_trips: sum, ...trips }
}
