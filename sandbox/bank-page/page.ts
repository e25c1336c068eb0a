import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { join } from 'node:path'
import type { Html, HtmlContent } from '../../kit/text/html.ts'
import { html, rawHtml } from '../../kit/text/html.ts'
import type { Language } from '../../kit/text/locale.ts'
import type { PurchaseFact } from './facts.ts'
import { breakUpDigits } from './facts.ts'
import type { BankTextName } from './texts.ts'
import { bankTexts } from './texts.ts'

/**
 * A page of the bank and its content security policy. No page sets a cookie, loads anything or needs a
 * script.
 */
export interface BankPage {
  html: string
  policy: string
}

/** Inlined into the page, so that it needs no second request to the bank. */
const style = rawHtml(readFileSync(join(import.meta.dirname, '..', 'assets', 'bank.css'), 'utf8'))

// A field named `submit` would hide the form's own method.
const going = `const form = document.forms[0]
const go = () => HTMLFormElement.prototype.submit.call(form)`
const posting = rawHtml(`${going}\ngo()`)
/** Posts the form twice. The first response is discarded; then the browser itself posts the second. */
const postingTwice = rawHtml(
  `${going}
const body = new URLSearchParams(new FormData(form))
fetch(form.action, { method: 'POST', mode: 'no-cors', credentials: 'omit', body }).catch(() => {}).then(go)`,
)

function hashOf({ text }: Html): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`
}

const basis = `default-src 'none'; style-src ${hashOf(style)}; img-src data:; base-uri 'none'`
/** Policy of a page that only shows a message. */
export const messagePolicy = `${basis}; form-action 'none'`
const askingPolicy = `${basis}; form-action 'self'`
/**
 * The store can redirect the payer to any of its addresses, and some browsers apply `form-action` to
 * redirects too.
 */
const returningPolicy = (script: Html) =>
  `${basis}; form-action http: https:; script-src ${hashOf(script)}${
    script === postingTwice ? '; connect-src http: https:' : ''
  }`

const mark = html`<svg viewBox="0 0 24 24" width="22" height="22" aria-hidden="true"><path
  d="M12 2 22 8v2H2V8Zm-7 10h3v6H5Zm5.5 0h3v6h-3Zm5.5 0h3v6h-3ZM2 20h20v2H2Z" fill="currentColor"/></svg>`

interface Around {
  /** Content beside the bank's name. */
  corner?: Html
  head?: Html | undefined
}

function framed(language: Language, body: HtmlContent, { corner, head }: Around = {}): string {
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>Sandbox Bank</title>
<link rel="icon" href="data:,">
<style>${style}</style>
${head}
</head>
<body>
<header><div>${mark}<strong>Sandbox Bank</strong><span class="stamp">${bankTexts.stamp[language]}</span>${corner}</div></header>
<main>
${body}
</main>
<footer>${bankTexts.test[language]}</footer>
</body>
</html>
`.text
}

/** Data of the page that asks the payer for the code. */
export interface PasscodeQuestion {
  language: Language
  facts: readonly PurchaseFact[]
  /** Code the payer must type. */
  code: string
  /** Remaining attempts; undefined until a wrong code is typed. */
  triesLeft: number | undefined
  /** Address the form posts `code`, `action` and the hidden fields to. */
  action: string
  hidden: Readonly<Record<string, string>>
  /** Address of this page in the other language. */
  otherAddress: string
  isInFrame: boolean
  head?: Html
}

/** True if the browser reports that the page is in a frame of the store. */
export function isInFrame(headers: IncomingHttpHeaders): boolean {
  return headers['sec-fetch-dest'] === 'iframe'
}

/**
 * Page that asks for the code. The code is the only six digits in a row on it, and the first button submits.
 */
export function passcodePage(question: PasscodeQuestion): BankPage {
  const { language, facts, code, triesLeft, action, hidden, otherAddress, head } = question
  const textOf = (word: BankTextName) => bankTexts[word][language]
  const isWrong = triesLeft !== undefined
  const rows = facts.map(
    ([what, text]) =>
      html`<div class="${what}"><dt>${textOf(what)}</dt><dd>${breakUpDigits(text)}</dd></div>\n`,
  )
  const other = language === 'tr' ? 'en' : 'tr'
  const corner = html`<a href="${otherAddress}" lang="${other}" hreflang="${other}">${textOf('otherLanguage')}</a>`
  // In a cross-origin frame browsers ignore `autofocus` and log a complaint.
  const focus = question.isInFrame ? undefined : html` autofocus`
  const invalid = isWrong ? html` aria-invalid="true" aria-describedby="wrong"` : undefined
  const body = html`<h1>${textOf('title')}</h1>
<dl>
${rows}</dl>
<p class="phone"><span>${textOf('message')}</span> <b>${code}</b></p>
<form method="post" action="${action}" autocomplete="off">
${hiddenInputs(Object.entries(hidden))}<label for="code">${textOf('code')}</label>
<input type="text" id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="12" required${focus}${invalid}>
${isWrong ? html`<p id="wrong" role="alert">${textOf('wrong')}${triesLeft}</p>` : undefined}
<div class="buttons">
<button type="submit" name="action" value="confirm">${textOf('confirm')}</button>
<button type="submit" name="action" value="cancel" class="quiet" formnovalidate>${textOf('cancel')}</button>
</div>
</form>`
  return { html: framed(language, body, { corner, head }), policy: askingPolicy }
}

/** Form that the browser posts to the store. */
export interface ReturnForm {
  url: string
  fields: Iterable<readonly [name: string, value: string]>
  charset?: string
  isTwice?: boolean
}

/** Page that posts a form to the store: by a script, or by a button where scripts do not run. */
export function returnPage(language: Language, { url, fields, charset, isTwice }: ReturnForm): BankPage {
  const textOf = (word: BankTextName) => bankTexts[word][language]
  const script = isTwice ? postingTwice : posting
  const acceptCharset = charset ? html` accept-charset="${charset}"` : undefined
  const body = html`<div class="wait"></div>
<h1>${textOf('returning')}</h1>
<p>${textOf('returningHint')}</p>
<form method="post" action="${url}"${acceptCharset}>
${hiddenInputs(fields)}<div class="buttons"><button type="submit">${textOf('go')}</button></div>
</form>
<script>${script}</script>`
  return { html: framed(language, body), policy: returningPolicy(script) }
}

function hiddenInputs(fields: ReturnForm['fields']): Html[] {
  return Array.from(fields, ([name, value]) => html`<input type="hidden" name="${name}" value="${value}">\n`)
}

/** Messages of the bank; each has a title and a hint. */
type BankMessage = 'waiting' | 'done' | 'unknown' | 'here' | 'away'

/** Page that shows a message and has no link or form. */
export function messagePage(language: Language, what: BankMessage): BankPage {
  const waiting = what === 'waiting' ? html`<div class="wait"></div>\n` : undefined
  const body = html`${waiting}<h1>${bankTexts[what][language]}</h1>\n<p>${bankTexts[`${what}Hint`][language]}</p>`
  return { html: framed(language, body), policy: messagePolicy }
}

/** Page for an invisible frame: it posts one field to the given address, or does nothing. */
export function hiddenFormPage(field?: { url: string; name: string; value: string }): BankPage {
  const form = field
    ? html`<form method="post" action="${field.url}">
${hiddenInputs([[field.name, field.value]])}</form>
<script>${posting}</script>`
    : undefined
  const page = html`<!doctype html>
<meta charset="utf-8">
<title>Sandbox Bank</title>
<link rel="icon" href="data:,">
${form}
`
  return { html: page.text, policy: returningPolicy(posting) }
}
