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
}

/** Next step, decided by the service. */
type Step = MethodStep | ChallengeStep | { step: 'authenticate' } | { step: 'wait' } | { step: 'over' }

const settings = document.body.dataset
const isFull = settings['full'] === 'true'
const isRoom = settings['own'] === 'true'
const state = element('state', HTMLElement)
const frameContainer = element('place', HTMLElement)
const fallbackLinks = element('ways', HTMLElement)

/**
 * First and longest interval between requests: most banks answer quickly, and slow ones must not cause
 * constant requests.
 */
const soonMs = 400
const askEveryMs = 2_500

/**
 * Permissions that a bank's page needs. It cannot navigate the payer's window; only our link leads out of the
 * frame.
 */
const bankMay =
  'allow-scripts allow-forms allow-same-origin allow-modals allow-popups allow-popups-to-escape-sandbox'

// Shown by the script, which runs after the style: a frame may be painted before that and would shift.
element('bridge', HTMLElement).hidden = false
void begin()

function begin(): Promise<void> {
  if (isFull) return goFull()
  return isRoom ? provideBankFrame() : run()
}

/** Shows the bank's page in the whole window, for browsers and banks that do not allow a frame. */
async function goFull(): Promise<void> {
  // A payer who goes back from the bank's page wants to leave it and must not be sent there again.
  window.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) window.location.replace(pageAddress)
  })
  const [arrival] = performance.getEntriesByType('navigation')
  const isBack = arrival instanceof PerformanceNavigationTiming && arrival.type === 'back_forward'
  const step = isBack ? undefined : await askStep()
  if (step?.step === 'challenge') postForm(document, { url: step.url, fields: step.fields, target: '_self' })
  else window.location.replace(pageAddress)
}

/**
 * Performs one step after the other until the end. The service decides each step, because this frame can be
 * reloaded at any.
 */
async function run(): Promise<void> {
  for (let pauseMs = soonMs; ; pauseMs = Math.min(pauseMs * 2, askEveryMs)) {
    const step = await nextStep()
    notifyPage(step.step)
    if (step.step === 'over') return
    if (step.step === 'challenge') await challenge(step)
    else await pause(pauseMs)
  }
}

/** Space that the bank's page fills in this frame; empty in a whole window. */
function room(): string {
  return isFull ? '' : `?width=${window.innerWidth}&height=${window.innerHeight - fallbackLinks.offsetHeight}`
}

/** Returns undefined if the service could not be reached or was asked too often. */
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

/** Runs the 3DS Method in a hidden frame, at most until its timeout. */
async function runMethod({ url, fields, timeoutMs }: MethodStep): Promise<void> {
  const frame = newFrame('method')
  frame.hidden = true
  document.body.append(frame)
  const returned = messageFrom(frame, 'method')
  postForm(document, { url, fields, target: frame.name })
  await Promise.race([returned, pause(timeoutMs)])
  frame.remove()
}

/** Shows the bank's page until the service reports the end, whatever the page itself reports. */
async function challenge(step: ChallengeStep): Promise<void> {
  const returned = new Promise<void>((resolve) => {
    const open = () => void openChallenge(step).then(resolve)
    element('reload', HTMLButtonElement).onclick = open
    open()
  })
  await withFallbackLinks(Promise.race([returned, untilOtherStep()]))
  // The bank's page has returned, but the result from its server may come later.
  while ((await askStep())?.step === 'challenge') {
    notifyPage('wait')
    await pause(askEveryMs)
  }
}

/**
 * Provides an empty frame for the bank's own page and sends its unguessable name to the parent page, which
 * posts the card into it from another frame. Reports the end when the bank has returned.
 */
async function provideBankFrame(): Promise<void> {
  const frame = bankFrame(newSubmissionId())
  const returned = messageFrom(frame, 'return')
  notifyPage('room', frame.name)
  await withFallbackLinks(returned)
  notifyPage('over')
}

/** Offers other ways to see the bank's page while the promise is pending, then removes the page. */
async function withFallbackLinks(done: Promise<void>): Promise<void> {
  fallbackLinks.classList.add('offered')
  await done
  fallbackLinks.classList.remove('offered')
  state.textContent = settings['waiting'] ?? ''
  state.hidden = false
  frameContainer.replaceChildren()
}

/** Opens the bank's page in a new frame. Resolves when the page has returned. */
function openChallenge({ url, fields }: ChallengeStep): Promise<void> {
  const frame = bankFrame('challenge')
  const returned = messageFrom(frame, 'challenge')
  postForm(document, { url, fields, target: frame.name })
  return returned
}

async function untilOtherStep(): Promise<void> {
  for (;;) {
    await pause(askEveryMs)
    const step = await askStep()
    if (step && step.step !== 'challenge') return
  }
}

/** Creates a visible frame for a page of the bank and replaces the previous one. */
function bankFrame(name: string): HTMLIFrameElement {
  const frame = newFrame(name)
  frame.title = settings['title'] ?? ''
  frame.allow = 'payment *; publickey-credentials-get *'
  frame.className = 'challenge'
  state.hidden = false
  frameContainer.replaceChildren(frame)
  frame.addEventListener('load', () => {
    // A readable frame is still empty, or the bank has returned.
    if (frame.contentDocument !== null) return
    state.hidden = true
    // Banks expect a white background, which would glare in dark mode before their page is loaded.
    frame.classList.add('loaded')
    focusBank(frame)
  })
  return frame
}

/**
 * Moves the focus into the bank's page. Only a loaded page keeps it: the browser moves the page of another
 * site to another process and forgets the focus of the empty frame. A payer who has reached a button or the
 * page around ours stays there.
 */
function focusBank(frame: HTMLIFrameElement): void {
  const page = window.parent.document
  const isElsewhere = page.activeElement?.localName === 'button' || !page.hasFocus()
  if (!isElsewhere && document.activeElement !== frame) frame.focus({ preventScroll: true })
}

function newFrame(name: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.name = name
  frame.setAttribute('sandbox', bankMay)
  return frame
}

/** Resolves when our own return page inside this frame sends its message. */
function messageFrom(frame: HTMLIFrameElement, purpose: string): Promise<void> {
  return new Promise((resolve) => {
    window.addEventListener('message', ({ origin, source, data }) => {
      if (origin === window.location.origin && source === frame.contentWindow && data?.vezne === purpose)
        resolve()
    })
  })
}

/** Sends a hint to the parent page, which then asks the service itself. */
function notifyPage(step: Step['step'] | 'room', name?: string): void {
  if (window.parent !== window)
    window.parent.postMessage({ vezne: 'bridge', step, name }, window.location.origin)
}

/** Browser data for the 3-D Secure authentication. */
function browserFacts(): object {
  const { width: screenWidth, height: screenHeight, colorDepth } = window.screen
  return {
    accept: settings['accept'],
    // The bank's page speaks the language of ours.
    language: document.documentElement.lang,
    javaEnabled: navigator.javaEnabled(),
    colorDepth,
    screenWidth,
    screenHeight,
    timeZoneOffset: new Date().getTimezoneOffset(),
  }
}
