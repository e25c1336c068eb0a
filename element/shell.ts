import { elementStylesheet } from './stylesheet.ts'
import type { Language, Sentence } from './texts.ts'
import { texts } from './texts.ts'

/** The element's own place in the container. */
export interface Shell {
  host: HTMLElement
  language: Language
  /** Shows these and nothing else. */
  show(...parts: Element[]): void
  /** How high its frame is, and where in it the payer is to look. */
  setLayout(height: number, top?: number, bottom?: number): void
}

/** A name of its own, so that the merchant's rules for `div` and the like are not about it. */
const tag = 'vezne-payment'

export function hasShell(container: HTMLElement): boolean {
  return [...container.children].some(({ localName }) => localName === tag)
}

export function openShell(container: HTMLElement, language: Language): Shell {
  const host = document.createElement(tag)
  host.lang = language
  const root = host.attachShadow({ mode: 'open' })
  const own = new CSSStyleSheet()
  root.adoptedStyleSheets = [elementStylesheet(), own]
  container.append(host)
  return {
    host,
    language,
    show: (...parts) => root.replaceChildren(...parts),
    setLayout: (height, top = 0, bottom = 0) =>
      own.replaceSync(`iframe{height:${height}px}.place{top:${top}px;height:${bottom - top}px}`),
  }
}

/** About as high as the form, so that little moves when that comes. `stylesheet.ts` has it too. */
export const initialHeight = 900

export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  className: string,
  ...parts: (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name)
  made.className = className
  made.append(...parts)
  return made
}

/** What is seen before the form is there. */
export function skeleton({ language }: Shell): HTMLElement {
  const fields = ['half', 'half', '', 'half', 'half', '', 'half', 'half', '']
  const bars = ['title', ...fields, 'button'].map((name) => createElement('i', name))
  const drawn = createElement('div', 'skeleton', ...bars)
  drawn.setAttribute('aria-hidden', 'true')
  const spoken = createElement('p', 'unseen', texts.loading[language])
  spoken.setAttribute('role', 'status')
  return createElement('div', 'loading', drawn, spoken)
}

/** A sentence about what went wrong, and what the payer can do. */
export function errorBox(
  { language }: Shell,
  sentence: Sentence,
  actions: readonly { name: Sentence; act(): void }[],
): HTMLElement {
  const buttons = actions.map(({ name, act }, index) => {
    const button = createElement('button', index === 0 ? '' : 'quiet', name[language])
    button.type = 'button'
    button.addEventListener('click', act)
    return button
  })
  const message = createElement('p', '', sentence[language])
  message.setAttribute('role', 'alert')
  return createElement(
    'div',
    'fault',
    message,
    ...(buttons.length > 0 ? [createElement('div', 'buttons', ...buttons)] : []),
  )
}
