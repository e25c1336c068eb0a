import { isParentSameOrigin } from './parent-origin.ts'

const { purpose, next } = document.body.dataset

/**
 * The bank's page has returned here. If the parent window is ours, it gets a message and asks the service.
 * Otherwise the payer continues from here, if there is a next address.
 */
if (isParentSameOrigin()) window.parent.postMessage({ vezne: purpose }, window.location.origin)
else if (next !== undefined) window.location.replace(next)
