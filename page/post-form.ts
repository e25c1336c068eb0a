/** Posts fields with a form of this document into the frame or window with this name. */
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
  // `form.submit` could be a field with that name.
  HTMLFormElement.prototype.submit.call(form)
  form.remove()
}
