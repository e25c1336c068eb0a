import { required } from '../kit/complaints.ts'
import type { Html } from '../kit/html.ts'
import { html, prose } from '../kit/html.ts'
import { invalid, pipelineRefusals } from '../kit/refusals.ts'
import type { ApiOperation } from './document.ts'
import type { Pen } from './field-list.ts'
import { foldedFields, refusalTable } from './operation-section.ts'
import { jsonCard, plainRequestCard, statusBadge } from './sample.ts'

/** What one reads before the first call. */
export function introduction(pen: Pen, operations: readonly ApiOperation[]): Html {
  const { document, text } = pen
  const base = document.servers[0]?.url ?? ''
  return html`
<section class="entry opening" id="introduction">
<div class="text">
<h1>${text('title')}</h1>
<p class="lead">${prose(document.info.description)}</p>
<dl class="facts"><dt>${text('baseAddress')}</dt><dd><code>${base}</code></dd></dl>
<p>${prose(text('paths'))} ${text('machine')} <a href="openapi.json?lang=${pen.language}"><code>openapi.json</code></a></p>
</div>
<div class="aside">${tryCard(pen)}</div>
</section>
${authentication(pen, operations)}
${conventions(pen)}
${errors(pen, operations)}`
}

/** The parts of the introduction, by their anchors. */
export const introductionParts = ['introduction', 'authentication', 'conventions', 'errors'] as const

function authentication(pen: Pen, operations: readonly ApiOperation[]): Html {
  const { text } = pen
  const getToken = operations.find(({ credential }) => credential === 'key')
  return html`
<section class="entry" id="authentication">
<div class="text">
<h2><a class="anchor" href="#authentication">${text('authentication')}</a></h2>
<p>${prose(text('authenticationText'))}</p>
<p>${prose(text('keyKinds'))}</p>
</div>
<div class="aside">${getToken && plainRequestCard(pen, getToken.summary, getToken)}</div>
</section>`
}

const conventionNames = [
  'bodies',
  'amounts',
  'retries',
  'changes',
  'metadata',
  'searching',
  'pages',
  'languagesAndHelp',
] as const

function conventions({ text }: Pen): Html {
  const rules = conventionNames.map(
    (rule) =>
      html`<div class="topic" id="conventions.${rule}"><h3>${text(rule)}</h3><p>${prose(text(`${rule}Text`))}</p></div>`,
  )
  return html`
<section class="entry" id="conventions">
<h2 class="across"><a class="anchor" href="#conventions">${text('conventions')}</a></h2>
${rules}
</section>`
}

/** Where a key is entered: on top, or, made from the template, below the example that is to run. */
function tryCard({ text }: Pen): Html {
  return html`
<form class="card try scripted" id="try" aria-labelledby="try-title">
<h2 class="card-title" id="try-title">${text('tryIt')}</h2>
<p class="invitation">${text('tryText')}</p>
<p class="welcome">${text('tryReadyText')}</p>
<label for="key">${text('testKey')}</label>
<div class="try-row"><input id="key" name="key" ${asKey}><button type="submit" class="primary">${text('useKey')}</button></div>
<div class="try-state"><p class="note" hidden></p><button type="button" class="quiet forget" hidden>${text('forgetKey')}</button></div>
</form>
<template id="ask"><form class="ask">
<p>${text('askText')}</p>
<label><span>${text('testKey')}</span><input name="key" ${asKey}></label>
<button type="submit" class="primary">${text('useKeyAndRun')}</button>
<p class="note" hidden></p>
</form></template>`
}

const asKey = html`placeholder="sk_test_…" autocomplete="off" autocapitalize="off" spellcheck="false"`

function errors(pen: Pen, operations: readonly ApiOperation[]): Html {
  const { document, language, text } = pen
  const failure = document.components.schemas['Failure']
  const all = new Map<string, ApiOperation['refusals'][number]>()
  const framed = pipelineRefusals.map(({ status, code, when }) => ({ status, code, when: when[language] }))
  for (const refusal of [...framed, ...operations.flatMap(({ refusals }) => refusals)]) {
    all.set(`${refusal.status} ${refusal.code}`, refusal)
  }
  const sorted = [...all.values()].sort((a, b) => a.code - b.code || a.status - b.status)
  const example = {
    status: false,
    message: invalid[language],
    errors: { email: [required[language]] },
    error_code: invalid.code,
    data: null,
  }
  return html`
<section class="entry" id="errors">
<div class="text">
<h2><a class="anchor" href="#errors">${text('errors')}</a></h2>
<p>${prose(text('errorsText'))}</p>
${failure && foldedFields(pen, 'failure', failure)}
${refusalTable(pen, 'error', sorted)}
</div>
<div class="aside">${jsonCard(pen, text('failure'), example, statusBadge(invalid.status))}</div>
</section>`
}
