import type { PageRouteResponse } from '../../kit/http/page-route.ts'
import type { Language } from '../../kit/text/locale.ts'
import { defaultLanguage } from '../../kit/text/locale.ts'
import type { Config } from '../config.ts'
import { defaultContentSecurityPolicy } from './guard/content-security-policy.ts'
import { httpErrorPageHtml } from './view/document.ts'

/** Response for an unknown page. */
export function notFoundPageResponse(
  { config }: { config: Config },
  { language = defaultLanguage }: { language: Language | undefined },
): PageRouteResponse {
  const html = httpErrorPageHtml(config, 404, language)
  return { kind: 'page', status: 404, html, policy: defaultContentSecurityPolicy }
}
