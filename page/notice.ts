/** The bank's page has led back here. Whoever is above is told so, if it is us; it asks the service what it means. */
if (window.parent !== window) {
  window.parent.postMessage({ vezne: document.body.dataset['errand'] }, window.location.origin)
}
