import { hash } from 'node:crypto'
import type { Html } from '../../../kit/text/html.ts'
import { html, rawHtml } from '../../../kit/text/html.ts'

/** Stylesheet inside a page, so that the browser shows the page after one round trip. */
export interface InlineStyle {
  markup: Html
  /** Source in the page's policy: the browser applies no other style inside the page. */
  source: string
}

/** The text is ours or computed from a colour, and contains no tag. */
export function inlineStyle(css: string, attribute?: Html): InlineStyle {
  return { markup: html`<style${attribute}>${rawHtml(css)}</style>`, source: styleSource(css) }
}

/** The source that allows this style in a policy. */
export function styleSource(css: string): string {
  return `'sha256-${hash('sha256', css, 'base64')}'`
}
