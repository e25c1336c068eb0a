import assert from 'node:assert/strict'

/** Command of a document as a reader copies it, with the response that the document shows. */
export interface Sample {
  command: string
  answer: { kind: string; text: string } | undefined
}

/**
 * `sh` blocks of a document in order, each with the JSON or HTTP block that follows it in the same section.
 */
export function samplesIn(document: string): Sample[] {
  const pattern = /^```sh\n(.*?)^```$(?:(?:\n(?!#|```)[^\n]*)*\n```(json|http)\n(.*?)^```$)?/gms
  return [...document.matchAll(pattern)].map(([, command = '', kind, text = '']) => ({
    command,
    answer: kind === undefined ? undefined : { kind, text },
  }))
}

/** Block of this kind directly below a marker comment of a document. */
export function blockBelow(document: string, mark: string, kind: string): { kind: string; text: string } {
  const [, text] = new RegExp(`<!-- ${mark} -->\\n\`\`\`${kind}\\n(.*?)\`\`\``, 's').exec(document) ?? []
  assert.ok(text, mark)
  return { kind, text }
}

/** Fails unless the response equals the documented one. Ids, times, hosts and secrets may differ. */
export function assertAsShown(real: string, { kind, text }: NonNullable<Sample['answer']>): void {
  if (kind === 'json') {
    assert.deepEqual(timeless(JSON.parse(real)), timeless(JSON.parse(text)))
    return
  }
  const [status = '', ...headers] = text.trim().split('\n')
  assert.ok(real.includes(status), `${status} is shown, but the answer was ${real}`)
  for (const header of headers) {
    const [name = ''] = header.split(':')
    const answered = real.split('\n').find((line) => line.startsWith(`${name}:`))
    assert.equal(timeless(answered?.trim()), timeless(header), name)
  }
}

function timeless(value: unknown): unknown {
  if (typeof value === 'number') return timeless(String(value))
  if (typeof value === 'string') {
    return value
      .replaceAll(/\d{4}-\d{2}-\d{2}T[\d:]{8}\+03:00/g, '(time)')
      .replaceAll(/\d{2}\.\d{2}\.\d{4} \d{2}:\d{2}/g, '(date)')
      .replaceAll(/\b\d{14}\b/g, '(id)')
      .replaceAll(/localhost:\d+/g, '(host)')
      .replaceAll(/(?<=after=|\/p\/)[\w…-]+|^eyJ[\w.…-]+$|^whsec_[\w+/=]+$/g, '(secret)')
  }
  if (Array.isArray(value)) return value.map(timeless)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, timeless(part)]))
}
