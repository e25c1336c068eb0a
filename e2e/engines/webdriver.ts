import { giveUpAfterMs } from '../until.ts'
import type { EngineFrame } from './engine.ts'

/** Name of the property that holds an element's reference, as in the W3C recommendation. */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'
type ElementReference = Record<typeof elementKey, string>

/** Key in text to type, as in the W3C recommendation. */
const enter = '\uE007'

/** All frames of a document, also those in shadow roots. */
const framesScript = `const inside = (root) => [...root.querySelectorAll('*')].flatMap((node) =>
  node.localName === 'iframe' ? [node] : node.shadowRoot ? inside(node.shadowRoot) : [])
return inside(document)`

/** Session of W3C WebDriver with the browser behind this address. */
export interface WebDriverSession {
  capabilities: Record<string, unknown>
  command<Value>(method: 'GET' | 'POST', path: string, body?: object, limitMs?: number): Promise<Value>
  frames(): Promise<EngineFrame[]>
}

/** Opens a session, and gives up after `limitMs`. */
export async function openWebDriverSession(
  url: string,
  alwaysMatch: Record<string, unknown>,
  limitMs: number,
): Promise<WebDriverSession> {
  const { sessionId, capabilities } = await call<{
    sessionId: string
    capabilities: Record<string, unknown>
  }>('POST', `${url}/session`, { capabilities: { alwaysMatch } }, limitMs)
  const command: WebDriverSession['command'] = (method, path, body, commandLimitMs = giveUpAfterMs) =>
    call(method, `${url}/session/${sessionId}${path}`, body, commandLimitMs)
  return { capabilities, command, frames: () => framesIn(command, []) }
}

/** Calls the driver. Guarantee: every error names the command, and none comes later than `limitMs`. */
async function call<Value>(
  method: string,
  url: string,
  body: object | undefined,
  limitMs: number,
): Promise<Value> {
  const command = `${method} ${new URL(url).pathname}`
  const request = { method, ...(method === 'POST' ? { body: JSON.stringify(body ?? {}) } : {}) }
  const [isDone, answer] = await fetch(url, { ...request, signal: AbortSignal.timeout(limitMs) })
    .then(async (response) => [response.ok, await response.json()] as const)
    .catch((cause: Error) => {
      const fault = cause.name === 'TimeoutError' ? `no answer within ${limitMs / 1000} s` : 'no answer'
      throw new Error(`${command}: ${fault}`, { cause })
    })
  const { value } = answer as { value: Value & { error?: string; message?: string } }
  if (!isDone) throw new Error(`${command}: ${value.error}: ${value.message}`)
  return value
}

/** The document at the end of this path of frames, and all documents in it. */
async function framesIn(
  command: WebDriverSession['command'],
  path: readonly ElementReference[],
): Promise<EngineFrame[]> {
  const enterFrame = async () => {
    await command('POST', '/frame', { id: null })
    for (const id of path) await command('POST', '/frame', { id })
  }
  const run = <Value>(script: string) => command<Value>('POST', '/execute/sync', { script, args: [] })
  const act = async (selector: string, action: string, body?: object) => {
    await enterFrame()
    const found = await command<ElementReference>('POST', '/element', {
      using: 'css selector',
      value: selector,
    })
    await command('POST', `/element/${found[elementKey]}/${action}`, body)
  }
  await enterFrame()
  const own: EngineFrame = {
    url: await run<string>('return location.href'),
    evaluate: async (expression) => {
      await enterFrame()
      return run(`return ${expression}`)
    },
    click: (selector) => act(selector, 'click'),
    type: (selector, text) => act(selector, 'value', { text }),
    pressEnter: (selector) => act(selector, 'value', { text: enter }),
  }
  const all = [own]
  // A frame can be removed before it is entered; it is no document of the window then.
  for (const child of await run<ElementReference[]>(framesScript))
    all.push(...(await framesIn(command, [...path, child]).catch(() => [])))
  return all
}
