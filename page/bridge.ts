import { element, pause } from './element.ts'
import { fetchJson, pageAddress } from './fetch-json.ts'
import { postForm } from './post-form.ts'
import { newSubmissionId } from './rules/submission.ts'

interface MethodStep {
  step: 'method'
  url: string
  fields: Record<string, string>
  timeoutMs: number
}

interface ChallengeStep {
  step: 'challenge'
  url: string
  fields: Record<string, string>
  size: { width: number; height: number } | null
}

/** What the service wants done next. */
type Step = MethodStep | ChallengeStep | { step: 'authenticate' } | { step: 'wait' } | { step: 'over' }

const settings = document.body.dataset
const isFull = settings['full'] === 'true'
const isRoom = settings['own'] === 'true'
const state = element('state', HTMLElement)
const frameContainer = element('place', HTMLElement)
const fallbackLinks = element('ways', HTMLElement)

/** Most banks answer at once, and the others are not to be asked all the time. */
const soonMs = 400
const askEveryMs = 2_500
/** How long a bank's page may take to appear before the payer is offered other ways to see it. */
const fallbacksAfterMs = 4_000

/** All that a bank's page needs. It cannot take the payer's window elsewhere: what leads out of the frame is our link. */
const bankMay =
  'allow-scripts allow-forms allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox'

// Shown by the script, which waits for the style: a frame may be painted before that, and would jump.
element('bridge', HTMLElement).hidden = false
void begin()

function begin(): Promise<void> {
  if (isFull) return goFull()
  return isRoom ? provideBankFrame() : run()
}

/** The bank's page in the whole window, for browsers and banks that do not want it in a frame. */
async function goFull(): Promise<void> {
  // Who goes back from the bank's page wants to leave it, and is not sent there again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.replace(pageAddress)
  })
  const [arrival] = performance.getEntriesByType('navigation')
  const isBack = arrival instanceof PerformanceNavigationTiming && arrival.type === 'back_forward'
  const step = isBack ? undefined : await askStep()
  if (step?.step === 'challenge') postForm(document, { url: step.url, fields: step.fields, target: '_self' })
  else window.location.replace(pageAddress)
}

/** One step after the other until it is over. The service knows which: this frame may be loaded at any of them. */
async function run(): Promise<void> {
  for (let pauseMs = soonMs; ; pauseMs = Math.min(pauseMs * 2, askEveryMs)) {
    const step = await nextStep()
    notifyPage(step.step)
    if (step.step === 'over') return
    if (step.step === 'challenge') await challenge(step)
    else await pause(pauseMs)
  }
}

/** How much room the bank's page has here; in a window of its own it has all there is, and nothing is said. */
function room(): string {
  return isFull ? '' : `?width=${window.innerWidth}&height=${window.innerHeight - fallbackLinks.offsetHeight}`
}

/** Undefined where the service does not say what to do: it could not be reached, or was asked too often. */
async function askStep(): Promise<Step | undefined> {
  const answer = await fetchJson<Step>(`step${room()}`)
  return answer?.step ? answer : undefined
}

async function nextStep(): Promise<Step> {
  const step = await askStep()
  if (step?.step === 'method') await runMethod(step)
  if (step?.step !== 'method' && step?.step !== 'authenticate') return step ?? { step: 'wait' }
  return (await fetchJson<Step>(`authenticate${room()}`, browserFacts())) ?? { step: 'wait' }
}

/** Lets the bank look at the browser in a frame that nobody sees, for so long and no longer. */
async function runMethod({ url, fields, timeoutMs }: MethodStep): Promise<void> {
  const frame = newFrame('method')
  frame.hidden = true
  document.body.append(frame)
  const returned = messageFrom(frame, 'method')
  postForm(document, { url, fields, target: frame.name })
  await Promise.race([returned, pause(timeoutMs)])
  frame.remove()
}

/** Shows the bank's page until the service says that it is over, whatever the page itself says. */
async function challenge(step: ChallengeStep): Promise<void> {
  state.hidden = true
  const returned = new Promise<void>((resolve) => {
    const open = () => void openChallenge(step).then(resolve)
    element('reload', HTMLButtonElement).onclick = open
    open()
  })
  await withFallbackLinks(Promise.race([returned, untilOtherStep()]))
  // The bank's page has come back, but its server may be later: it is waited for without the page.
  while ((await askStep())?.step === 'challenge') {
    notifyPage('wait')
    await pause(askEveryMs)
  }
}

/**
 * Holds an empty frame for the bank's own page, which the page around has the card posted to from elsewhere, and tells it
 * the name, which nobody can guess. Settles when the bank has led back, which the page is told too.
 */
async function provideBankFrame(): Promise<void> {
  const frame = bankFrame(newSubmissionId())
  frame.addEventListener('load', () => {
    // What has just been made is empty, and ours.
    state.hidden = frame.contentDocument === null
  })
  const returned = messageFrom(frame, 'return')
  notifyPage('room', frame.name)
  frame.focus({ preventScroll: true })
  await withFallbackLinks(returned)
  notifyPage('over')
}

/** Offers other ways to see the bank's page for as long as this takes; then the page goes away. */
async function withFallbackLinks(done: Promise<void>): Promise<void> {
  const offer = setTimeout(() => fallbackLinks.classList.add('offered'), fallbacksAfterMs)
  await done
  clearTimeout(offer)
  fallbackLinks.classList.remove('offered')
  state.textContent = settings['waiting'] ?? ''
  state.hidden = false
  frameContainer.replaceChildren()
}

/** Asks for the bank's page in a frame that is made anew each time. Settles when the page has led back. */
function openChallenge({ url, fields, size }: ChallengeStep): Promise<void> {
  const frame = bankFrame('challenge')
  if (size) Object.assign(frame, { width: String(size.width), height: String(size.height) })
  const returned = messageFrom(frame, 'challenge')
  postForm(document, { url, fields, target: frame.name })
  frame.focus({ preventScroll: true })
  return returned
}

async function untilOtherStep(): Promise<void> {
  for (;;) {
    await pause(askEveryMs)
    const step = await askStep()
    if (step && step.step !== 'challenge') return
  }
}

/** A frame in which the payer sees a page of the bank's, where there was another before. */
function bankFrame(name: string): HTMLIFrameElement {
  const frame = newFrame(name)
  frame.title = settings['title'] ?? ''
  frame.allow = 'payment *; publickey-credentials-get *'
  frame.className = 'challenge'
  frameContainer.replaceChildren(frame)
  // Banks count on white paper, which glares in the dark before their page is there.
  frame.addEventListener('load', () => frame.classList.add('loaded'))
  return frame
}

function newFrame(name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.name = name
  frame.setAttribute('sandbox', bankMay)
  return frame
}

/** Settles when our own page, to which the bank's has led back, says so from inside this frame. */
function messageFrom(frame: HTMLIFrameElement, purpose: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('message', ({ origin, source, data }) => {
      if (origin === window.location.origin && source === frame.contentWindow && data?.vezne === purpose)
        resolve()
    })
  })
}

/** A hint for the page around this frame, which asks the service itself. */
function notifyPage(step: Step['step'] | 'room', name?: string): void {
  if (window.parent !== window)
    window.parent.postMessage({ vezne: 'bridge', step, name }, window.location.origin)
}

/** What banks want to know of a browser. */
function browserFacts(): object {
  const { width: screenWidth, height: screenHeight, colorDepth } = window.screen
  return {
    accept: settings['accept'],
    language: navigator.language,
    javaEnabled: navigator.javaEnabled(),
    colorDepth,
    screenWidth,
    screenHeight,
    timeZoneOffset: new Date().getTimezoneOffset(),
  }
}
