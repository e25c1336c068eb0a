import type { Config } from '../config.ts'
import type { Language } from '../kit/locale.ts'
import type { PageResponse } from '../kit/page-route.ts'
import { plainPolicy } from './guard/content-security-policy.ts'
import { failurePage } from './view/document.ts'

/** What whoever asks for a page that is none is answered. */
export function notFoundPage({ config }: { config: Config }, language: Language): PageResponse {
  return { kind: 'page', status: 404, html: failurePage(config, 404, language), policy: plainPolicy }
}
