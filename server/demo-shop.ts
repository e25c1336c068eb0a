import { join } from 'node:path'
import type { DemoCard } from '../demo/server/index.ts'
import { DemoShop, shopApp } from '../demo/server/index.ts'
import type { ListeningServer } from '../kit/http/listen.ts'
import { listen } from '../kit/http/listen.ts'
import { abortableHttpClient } from '../kit/outbound/http-client.ts'
import type { LocalizedText } from '../kit/text/locale.ts'
import { cards } from '../sandbox/cards/cards.ts'
import { authenticationCards } from '../sandbox/three-ds/authentication-cards.ts'
import type { DemoMerchant } from './merchants/index.ts'
import type { Services } from './services.ts'

/** The most useful test cards, labelled by outcome. The sandbox defines the behaviour of each. */
const shownCards: readonly { number: string; label: LocalizedText; does?: LocalizedText }[] = [
  { number: '5200000000002235', label: { tr: 'Hemen onaylanır', en: 'Approved immediately' } },
  { number: '4000000000002503', label: { tr: 'Kod sorulur', en: 'Asks for a code' } },
  { number: '5400360000000003', label: { tr: 'Taksit', en: 'Installments' } },
  { number: '4111111111111129', label: { tr: 'Reddedilir', en: 'Declined' } },
  {
    number: '5451030000000000',
    label: { tr: 'Bankanın sayfası', en: 'Bank’s own page' },
    does: {
      tr: 'Banka, kodu kendi sayfasında sorar (NestPay).',
      en: 'The bank asks for the code on its own page (NestPay).',
    },
  },
]

export function demoShopCards(): DemoCard[] {
  const known = new Map([...authenticationCards, ...cards].map(({ number, does }) => [number, does]))
  return shownCards.map(({ number, label, does = known.get(number) }) => {
    if (!does) throw new Error(`the sandbox knows no card ${number}`)
    return { number, label, does }
  })
}

/**
 * Starts the demo shop for the demo merchant, on loopback only, whatever `HOST` is. A task registers the
 * shop's webhook, without delaying the start.
 */
export async function startDemoShop(
  { config, http, clock, random, log, tasks }: Services,
  { publicKey, secretKey }: DemoMerchant,
): Promise<ListeningServer> {
  const { apiUrl, pageUrl, demoPort: port } = config
  const shop = new DemoShop({
    port,
    apiUrl,
    pageUrl,
    publicKey,
    secretKey,
    file: join(config.home, 'demo-shop.json'),
    cards: demoShopCards(),
    http: abortableHttpClient(http, tasks.signal),
    clock,
    random,
    log,
  })
  const listener = await listen(shopApp(shop), { port, setting: 'DEMO_PORT', host: undefined, clock })
  void tasks.add(shop.run(tasks.signal))
  return listener
}
