/** The address of the payment's page, without a slash at its end. */
export const page = document.body.dataset['page'] ?? ''

/**
 * Asks the service at an address below the page's. Answers undefined when it cannot be reached, or has nothing to say.
 *
 * @template Answer
 * @param {string} path
 * @param {unknown} [body]
 * @returns {Promise<Answer | undefined>}
 */
export async function ask(path, body) {
  const posted =
    body === undefined
      ? {}
      : { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  try {
    const answer = await fetch(`${page}/${path}`, { cache: 'no-store', credentials: 'omit', ...posted })
    if (answer.status >= 500) return undefined
    return await answer.json()
  } catch {
    return undefined
  }
}
