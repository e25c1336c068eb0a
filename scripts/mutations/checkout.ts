import type { Area } from './mutation.ts'

export const checkout: Area = {
  'page-of-another-site': {
    guard: 'A page of another site cannot send a card or cause a request to a bank.',
    file: 'server/checkout/state/visitor.ts',
    find: "(site === undefined || site === 'same-origin')",
    replace: '(site || true)',
    noticedBy: 'server/checkout/take-card.test.ts',
    test: 'a card from another web page is refused',
  },
  'real-cards-in-the-open': {
    guard: 'Real cards are not accepted over plain http.',
    file: 'server/checkout/guard/page-security.ts',
    find: 'if (!live || isCardEntrySecure(config)) return true',
    replace: 'if (!live || config) return true',
    noticedBy: 'server/checkout/take-card.test.ts',
    test: 'a live merchant’s card is refused over plain http on a network',
  },
  'frame-ancestors': {
    guard: "Only the merchant's origins can frame the payment page.",
    file: 'server/checkout/guard/content-security-policy.ts',
    find: "who.length > 0 ? who.join(' ') : \"'none'\"",
    replace: "who.length > 0 ? who.join(' ') : '*'",
    noticedBy: 'server/checkout/guard/content-security-policy.test.ts',
  },
  'framed-by-https': {
    guard: "A live merchant's payment page can be framed by https origins only.",
    file: 'server/checkout/guard/content-security-policy.ts',
    find: " && (!live || origin.startsWith('https:'))",
    replace: '',
    noticedBy: 'server/checkout/guard/content-security-policy.test.ts',
  },
  'origins-in-headers': {
    guard: 'The policy of a page contains only origins, whatever the database contains.',
    file: 'server/checkout/guard/content-security-policy.ts',
    find: 'plainOrigin.test(origin) && ',
    replace: '',
    noticedBy: 'server/checkout/guard/content-security-policy.test.ts',
  },
  'card-to-one-bank': {
    guard: 'The card posting frame posts to the bank of its attempt only.',
    file: 'server/checkout/guard/content-security-policy.ts',
    find: 'form-action ${formHost};',
    replace: 'form-action *; ${formHost && ""}',
    noticedBy: 'server/checkout/show-card-posting-frame.test.ts',
  },
  'carrier-of-this-payment': {
    guard: 'The page of a payment serves no card posting frame for an attempt of another payment.',
    file: 'server/checkout/show-card-posting-frame.ts',
    find: 'if (attempt?.paymentId !== payment.id) return none()',
    replace: 'if (!attempt) return none()',
    noticedBy: 'server/checkout/show-card-posting-frame.test.ts',
  },
  'page-key-at-once': {
    guard:
      'A caller with the payment id but a wrong page key sees nothing, even while the payer loads the page.',
    file: 'server/payments/records/page.sql.ts',
    find: 'return page?.pageKey === key ? page : undefined',
    replace: 'return key ? page : undefined',
    noticedBy: 'server/checkout/show-page.test.ts',
  },
  'page-key': {
    guard: 'A caller with the payment id but a wrong page key cannot send a card.',
    file: 'server/payments/records/page.sql.ts',
    find: "p.id = ${'id'}::bigint and p.page_key = ${'pageKey'}::bytea`",
    replace: "p.id = ${'id'}::bigint`",
    noticedBy: 'server/checkout/take-card.test.ts',
    test: 'a card for a known payment with a wrong page token is refused',
  },
  'return-token-for-its-purpose': {
    guard: 'A return token made for one purpose is invalid for another.',
    file: 'server/payments/addresses/return-token.ts',
    find: 'seals.open({ bytes, keyId }, purpose)',
    replace:
      "['method', 'challenge', 'results', 'return'].map((each) => { try { return seals.open({ bytes, keyId }, each) } catch { return purpose && undefined } }).find(Boolean)",
    noticedBy: 'server/payments/addresses/return-token.test.ts',
  },
  'texts-are-escaped': {
    guard: "A merchant's product names are text on the page, not markup.",
    file: 'kit/text/html.ts',
    find: 'if (!signs.test(text)) return text',
    replace: 'if (signs) return text',
    noticedBy: 'kit/text/html.test.ts',
  },
  'messages-of-the-page': {
    guard: 'The payment element reads messages of the payment page only and ignores other messages.',
    file: 'element/messages.ts',
    find: "if (!isRecord(data) || data['vezne'] !== 'page') return undefined",
    replace: 'if (!isRecord(data)) return undefined',
    noticedBy: 'element/messages.test.ts',
  },
}
