import { element, pause } from './element.ts'
import { pageAddress } from './fetch-json.ts'
import { scrollParentToSpan } from './parent.ts'
import { postForm } from './post-form.ts'

/** Form for the bank's page, and the frame that posts it. */
export interface BankRedirect {
  carrier: string
  form: { action: string; fields: Record<string, string> }
}

const part = element('bank-part', HTMLDialogElement)
const frameContainer = element('bank-place', HTMLElement)
const title = element('bank-title', HTMLElement)
const amount = element('bank-amount', HTMLElement)

/** Lowest edge of the sheet in a frame of another site, as in the style sheet. */
const sheetEnd = 773
/** Time limit for the frame of the bank's own page. */
const roomMs = 15_000

/** True while the sheet shows the bank's own page and the bank has not returned. */
let isOwnPage = false

/** Title of the bank's step. */
export const bankTitle = title.textContent ?? ''

/** True while the bank's step is open in its frame. */
export function isBankStepOpen(): boolean {
  return frameContainer.childElementCount > 0
}

/** True while the bank's own page is open in the sheet. The payer's progress there is unknown to us. */
export function isBankPageOpen(): boolean {
  return isOwnPage && isBankStepOpen()
}

/**
 * Opens the sheet with the bank's frame and blocks the rest of the page. The frame is created again each
 * time, so that going back leaves the page and not a step inside the frame.
 */
export function openBankStep(total: string): void {
  open(total, '')
}

function open(total: string, more: string): HTMLIFrameElement {
  const frame = document.createElement('iframe')
  frame.className = 'bank'
  frame.title = bankTitle
  frame.allow = 'payment *; publickey-credentials-get *'
  frame.src = `${pageAddress}/bank?lang=${document.documentElement.lang}${more}`
  frame.addEventListener('load', () => frame.classList.add('loaded'))
  frameContainer.replaceChildren(frame)
  isOwnPage = more !== ''
  amount.textContent = total
  if (!part.open) part.showModal()
  // The title is read first. The frame takes the focus when the bank asks for something.
  title.focus({ preventScroll: true })
  scrollParentToSpan(0, sheetEnd)
  return frame
}

/** Closes the sheet and restores the focus. */
export function closeBankStep(): void {
  frameContainer.replaceChildren()
  part.close()
}

/**
 * Calls when the payer closes the sheet by the button for another card or by Escape. The bank keeps waiting.
 */
export function onBankStepClosed(call: (wantsOtherCard: boolean) => void): void {
  const other = 'other'
  element('other-card', HTMLButtonElement).addEventListener('click', () => part.close(other))
  part.addEventListener('close', () => {
    if (!isBankStepOpen()) return
    frameContainer.replaceChildren()
    call(part.returnValue === other)
    part.returnValue = ''
  })
}

/** Calls when the frame reports its end. The message is only a reason to ask the service. */
export function onBankStepDone(call: () => void): void {
  onBridgeMessage((source, { step }) => {
    const frame = frameContainer.querySelector('iframe')
    if (step !== 'over' || source !== frame?.contentWindow) return
    isOwnPage = false
    call()
  })
}

/** Posts the card to the bank's own page in this window. */
export async function redirectToBank(redirect: BankRedirect): Promise<void> {
  await carry(redirect, '_parent', document.body)
}

/**
 * Posts the card to the bank's own page in a frame of the sheet, for a payment page inside a frame: the
 * framing site may not allow the bank. Returns false if it was not posted, for example because the payer
 * closed the sheet first.
 */
export function redirectToBankInFrame(redirect: BankRedirect, total: string): Promise<boolean> {
  const left = new Promise<boolean>((resolve) => {
    part.addEventListener('close', () => resolve(false), { once: true })
  })
  return Promise.race([left, carryInto(open(total, '&own=1'), redirect)])
}

async function carryInto(bridge: HTMLIFrameElement, redirect: BankRedirect): Promise<boolean> {
  const name = await roomIn(bridge)
  return name !== undefined && (await carry(redirect, name, frameContainer, () => isRoom(bridge, name)))
}

/**
 * True if the bridge still contains the empty frame with this name. The framing site can navigate every frame
 * inside, and the page loaded there could give the name to another frame. A form without its target frame
 * would open a window.
 */
function isRoom(bridge: HTMLIFrameElement, name: string): boolean {
  const [room] = bridge.contentDocument?.querySelectorAll('iframe') ?? []
  return room?.contentWindow?.name === name && room.contentDocument?.URL === 'about:blank'
}

/** Waits for the name of the frame that the bridge provides for the bank's own page. */
function roomIn(bridge: HTMLIFrameElement): Promise<string | undefined> {
  const roomName = new Promise<string>((resolve) => {
    onBridgeMessage((source, { step, name }) => {
      if (step === 'room' && source === bridge.contentWindow) resolve(String(name))
    })
  })
  return Promise.race([roomName, pause(roomMs).then(() => undefined)])
}

/**
 * Posts the card once, from an empty frame that can post to this bank only, into the frame or window with
 * this name. The empty frame never shows the card, and no card data stays here. Returns false if nothing was
 * posted: the frame loaded another page, which the framing site can cause, or `may` returned false.
 */
function carry(
  { carrier, form }: BankRedirect,
  target: string,
  owner: HTMLElement,
  may: () => boolean = () => true,
): Promise<boolean> {
  const frame = document.createElement('iframe')
  frame.hidden = true
  const { href } = new URL(carrier, window.location.href)
  return new Promise((resolve) => {
    const post = () => {
      const inside = frame.contentDocument
      const isPosted = inside?.URL === href && may()
      if (isPosted) postForm(inside, { url: form.action, fields: form.fields, target })
      resolve(isPosted)
    }
    frame.addEventListener('load', post, { once: true })
    frame.src = carrier
    owner.append(frame)
  })
}

/** Calls for every message of a bridge. */
function onBridgeMessage(onMessage: (source: unknown, message: Record<string, unknown>) => void): void {
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin === window.location.origin && data?.vezne === 'bridge') onMessage(source, data)
  })
}
