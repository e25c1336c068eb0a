import { countRoundTrips } from '../testing/till/whole-payment.ts'
import type { BenchEnvironment } from './environment.ts'
import type { HttpRequest } from './request.ts'
import { answerText } from './request.ts'
import { startPaymentRequests } from './transactions.ts'

/** As a browser asks for a page. */
const headers = {
  accept: 'text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8',
  'accept-encoding': 'gzip, deflate, br, zstd',
  'accept-language': 'tr-TR,tr;q=0.9,en;q=0.8',
}

/** Pages of as many payments as are started for it, none of which anybody has paid. */
export async function viewPageRequests(environment: BenchEnvironment): Promise<HttpRequest[]> {
  const started: HttpRequest[] = []
  for (const request of await startPaymentRequests(environment)) {
    const { payment_page_url: url } = JSON.parse(await answerText(environment.service.port, request)).data
    started.push({ method: 'GET', path: new URL(url).pathname, headers })
  }
  return started
}

/** What one payment asks of the database, by what is done for it, and in all. */
export async function paymentRoundTrips({
  databaseUrl,
  settings,
}: BenchEnvironment): Promise<Record<string, number>> {
  const secret = settings['VEZNE_SECRET'] ?? ''
  const trips = await countRoundTrips(databaseUrl, { VEZNE_SECRET: secret })
  const sum = Object.values(trips).reduce((all, each) => all + each, 0)
  return { round_trips: sum, ...trips }
}
