import { element, pause } from './element.ts'
import { pageAddress } from './fetch-json.ts'
import { scrollParentToSpan } from './parent.ts'
import { postForm } from './post-form.ts'

/** A form for the bank's page, and the frame to post it from. */
export interface BankRedirect {
  carrier: string
  form: { action: string; fields: Record<string, string> }
}

const part = element('bank-part', HTMLDialogElement)
const frameContainer = element('bank-place', HTMLElement)
const title = element('bank-title', HTMLElement)
const amount = element('bank-amount', HTMLElement)

/** How far down the sheet reaches at most in a frame of somebody's page, as the style has it. */
const sheetEnd = 784
/** How long the room for the bank's own page may take to be there. */
const roomMs = 15_000

/** Whether the sheet is the room of the bank's own page, and the bank has not led back from it. */
let isOwnPage = false

/** What the bank's step is called. */
export const bankTitle = title.textContent ?? ''

/** Whether the bank's step is open in its frame. */
export function isBankStepOpen(): boolean {
  return frameContainer.childElementCount > 0
}

/** Whether the bank's own page is open in the sheet: how far its payer is there nobody else can tell. */
export function isBankPageOpen(): boolean {
  return isOwnPage && isBankStepOpen()
}

/**
 * Opens the sheet in whose frame the bank asks the payer; all else cannot be reached meanwhile. The frame is made anew
 * each time, so that going back leaves the page and not a step inside the frame.
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
  // The title is read first. When the bank asks something, the frame takes the focus by itself.
  title.focus({ preventScroll: true })
  scrollParentToSpan(0, sheetEnd)
  return frame
}

/** Closes the sheet; the focus goes back to where it was. */
export function closeBankStep(): void {
  frameContainer.replaceChildren()
  part.close()
}

/** Calls when the payer has closed the sheet, by its button for another card or by Escape. The bank goes on waiting. */
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

/** Calls when the frame says that it is over. What it says is only a reason to ask. */
export function onBankStepDone(call: () => void): void {
  onBridgeMessage((source, { step }) => {
    const frame = frameContainer.querySelector('iframe')
    if (step !== 'over' || source !== frame?.contentWindow) return
    isOwnPage = false
    call()
  })
}

/** Takes the card to the bank's own page, into this window. */
export async function redirectToBank(redirect: BankRedirect): Promise<void> {
  await carry(redirect, '_parent', document.body)
}

/**
 * Takes the card to the bank's own page where this page is in a frame of somebody else's, which may show no bank: into a
 * frame inside of ours, in the sheet. Answers whether it is on its way; not where the payer has closed the sheet before.
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
 * Whether the bridge holds the empty frame of this name. Who shows this page in a frame may lead every frame inside of it
 * elsewhere, and what comes there could give the name to another; and a form that does not find its frame opens a window.
 */
function isRoom(bridge: HTMLIFrameElement, name: string): boolean {
  const [room] = bridge.contentDocument?.querySelectorAll('iframe') ?? []
  return room?.contentWindow?.name === name && room.contentDocument?.URL === 'about:blank'
}

/** The name of the frame that the bridge holds for the bank's own page, once it is there. */
function roomIn(bridge: HTMLIFrameElement): Promise<string | undefined> {
  const roomName = new Promise<string>((resolve) => {
    onBridgeMessage((source, { step, name }) => {
      if (step === 'room' && source === bridge.contentWindow) resolve(String(name))
    })
  })
  return Promise.race([roomName, pause(roomMs).then(() => undefined)])
}

/**
 * Posts the card once, from an empty frame that can post to this bank alone, into the frame or window of this name. The
 * empty frame never shows the card, and nothing of it stays here. Answers whether it was posted: not where something else
 * than the carrier was loaded there, as who frames this page could have done, or where it may not be just then.
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

/** What the bridge says, whichever it is. */
function onBridgeMessage(onMessage: (source: unknown, message: Record<string, unknown>) => void): void {
  window.addEventListener('message', ({ origin, source, data }) => {
    if (origin === window.location.origin && data?.vezne === 'bridge') onMessage(source, data)
  })
}
