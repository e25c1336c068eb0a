import { isParentSameOrigin } from './parent-origin.ts'

const { purpose, next } = document.body.dataset

/**
 * The bank's page has led back here. Whoever is above is told so, if it is us; it asks the service what it means. Where it
 * is somebody else, the payer goes on from here, if there is anywhere to go.
 */
if (isParentSameOrigin()) window.parent.postMessage({ vezne: purpose }, window.location.origin)
else if (next !== undefined) window.location.replace(next)
