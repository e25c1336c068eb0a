import { required } from '../../kit/input/complaints.ts'
import { pipelineRefusals, validationFailed } from '../../kit/input/refusals.ts'
import type { Html } from '../../kit/text/html.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import { jsonCard, plainRequestCard, statusBadge } from './cards.ts'
import type { ApiOperation } from './document.ts'
import type { RenderContext } from './field-list.ts'
import { foldedFields, refusalTable } from './operation-section.ts'
import { transactionCodeSection } from './transaction-code-section.ts'

/** Sections to read before the first call. */
export function introductionSection(context: RenderContext, operations: readonly ApiOperation[]): Html {
  const { document, text } = context
  const base = document.servers[0]?.url ?? ''
  return html`
<section class="entry opening" id="introduction">
<div class="text">
<h1>${text('title')}</h1>
<p class="lead">${htmlWithBackticksAsCode(document.info.description)}</p>
<dl class="facts"><dt>${text('baseAddress')}</dt><dd><code>${base}</code></dd></dl>
<p>${htmlWithBackticksAsCode(text('paths'))} ${text('machine')} <a href="openapi.json?lang=${context.language}"><code>openapi.json</code></a></p>
</div>
<div class="aside">${tryCard(context)}</div>
</section>
${authentication(context, operations)}
${conventions(context)}
${errors(context, operations)}
${transactionCodeSection(context)}`
}

/** Anchors of the introduction's parts. */
export const introductionAnchors = [
  'introduction',
  'authentication',
  'conventions',
  'errors',
  'codes',
] as const

function authentication(context: RenderContext, operations: readonly ApiOperation[]): Html {
  const { text } = context
  const getToken = operations.find(({ credential }) => credential === 'key')
  return html`
<section class="entry" id="authentication">
<div class="text">
<h2><a class="anchor" href="#authentication">${text('authentication')}</a></h2>
<p>${htmlWithBackticksAsCode(text('authenticationText'))}</p>
<p>${htmlWithBackticksAsCode(text('keyKinds'))}</p>
</div>
<div class="aside">${getToken && plainRequestCard(context, getToken.summary, getToken)}</div>
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

function conventions({ text }: RenderContext): Html {
  const rules = conventionNames.map(
    (rule) =>
      html`<div class="topic" id="conventions.${rule}"><h3>${text(rule)}</h3><p>${htmlWithBackticksAsCode(text(`${rule}Text`))}</p></div>`,
  )
  return html`
<section class="entry" id="conventions">
<h2 class="across"><a class="anchor" href="#conventions">${text('conventions')}</a></h2>
${rules}
</section>`
}

/** Entry of a key: at the top, or, made from the template, below the example to run. */
function tryCard({ text }: RenderContext): Html {
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

function errors(context: RenderContext, operations: readonly ApiOperation[]): Html {
  const { document, language, text } = context
  const failure = document.components.schemas['Failure']
  const all = new Map<string, ApiOperation['refusals'][number]>()
  const framed = pipelineRefusals.map(({ status, code, when, ...message }) => ({
    status,
    code,
    message: message[language],
    when: when[language],
  }))
  for (const refusal of [...framed, ...operations.flatMap(({ refusals }) => refusals)]) {
    all.set(`${refusal.status} ${refusal.code}`, refusal)
  }
  const sorted = [...all.values()].sort((a, b) => a.code - b.code || a.status - b.status)
  const example = {
    status: false,
    message: validationFailed[language],
    errors: { email: [required[language]] },
    error_code: validationFailed.code,
    data: null,
  }
  return html`
<section class="entry" id="errors">
<div class="text">
<h2><a class="anchor" href="#errors">${text('errors')}</a></h2>
<p>${htmlWithBackticksAsCode(text('errorsText'))}</p>
${failure && foldedFields(context, 'failure', failure)}
${refusalTable(context, 'error', sorted, { withMessages: true })}
</div>
<div class="aside">${jsonCard(context, text('failure'), example, statusBadge(validationFailed.status))}</div>
</section>`
}
