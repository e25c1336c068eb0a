import { elementStylesheet } from './stylesheet.ts'
import type { Language, Sentence } from './texts.ts'
import { texts } from './texts.ts'

/** Host of the element in the container. */
export interface Shell {
  host: HTMLElement
  language: Language
  /** Replaces the content with these parts. */
  show(...parts: Element[]): void
  /** Sets the height of the frame, and the span in it that the payer must see. */
  setLayout(height: number, top?: number, bottom?: number): void
}

/** Own tag name, so that the merchant's style rules for `div` and others do not apply. */
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

/** About the height of the form, so that little moves when it appears. `stylesheet.ts` repeats it. */
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

/** Placeholder until the form is there. */
export function skeleton({ language }: Shell): HTMLElement {
  const fields = ['half', 'half', '', 'half', 'half', '', 'half', 'half', '']
  const bars = ['title', ...fields, 'button'].map((name) => createElement('i', name))
  const drawn = createElement('div', 'skeleton', ...bars)
  drawn.setAttribute('aria-hidden', 'true')
  const spoken = createElement('p', 'unseen', texts.loading[language])
  spoken.setAttribute('role', 'status')
  return createElement('div', 'loading', drawn, spoken)
}

/** Error text with the actions that the payer can take. */
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
