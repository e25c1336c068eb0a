/** Posts fields to an address, as a form of this document does, into the frame or window of this name. */
export function postForm(
  owner: Document,
  { url, fields, target }: { url: string; fields: Readonly<Record<string, string>>; target: string },
): void {
  const form = owner.createElement('form')
  form.method = 'post'
  form.action = url
  form.target = target
  form.hidden = true
  for (const [name, value] of Object.entries(fields)) {
    const input = owner.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = value
    form.append(input)
  }
  owner.body.append(form)
  // Not by `form.submit`: a field may have that name.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
