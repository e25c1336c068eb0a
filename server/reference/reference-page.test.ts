import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '../../kit/api/openapi.ts'
import { bareResponseDefinition, route } from '../../kit/api/route.ts'
import { objectSchema, optional, textField } from '../../kit/input/fields.ts'
import { Type } from '../../kit/input/schema.ts'
import { html, htmlWithBackticksAsCode } from '../../kit/text/html.ts'
import type { Language, LocalizedText } from '../../kit/text/locale.ts'
import { languages } from '../../kit/text/locale.ts'
import { testApi } from '../../testing/harness/api.ts'
import { noteRoutes, shelfRoutes } from '../../testing/harness/notes.ts'
import { apiRoutes, refusalsOf } from '../api.ts'
import { documentedWebhookMessages } from '../webhooks/index.ts'
import type { ApiOperation, OpenApiDocument } from './document.ts'
import { operationsOf, resourceNameOf } from './document.ts'
import { referencePage } from './reference-page.ts'
import { pageTexts, resourceTitle, scriptTexts, tagTitle } from './texts.ts'

const api = await testApi()

function documentOf(routes: Parameters<typeof openApiDocument>[0], language: Language): OpenApiDocument {
  const info = {
    version: '1',
    url: 'https://pay.example',
    language,
    refusalsOf,
    messages: documentedWebhookMessages,
  }
  return openApiDocument(routes, info) as OpenApiDocument
}

describe('the page', () => {
  it('shows every operation, parameter, field and refusal of the document', () => {
    for (const language of languages) {
      const document = documentOf([...apiRoutes, ...noteRoutes()], language)
      const page = referencePage(document, language)
      for (const operation of operationsOf(document)) assertShown(page, operation)
      for (const { properties } of Object.values(document.components.schemas)) {
        for (const name of Object.keys(properties ?? {}))
          assert.ok(page.includes(`data-name="${name}"`), name)
      }
    }
  })

  it('shows the webhook messages: the headers, and for each type its trigger, its fields and its body', () => {
    for (const language of languages) {
      const page = referencePage(documentOf(apiRoutes, language), language)
      const webhooks = page.slice(page.indexOf('<section class="subject" id="webhooks">'))
      for (const header of ['webhook-id', 'webhook-timestamp', 'webhook-signature'])
        assert.ok(webhooks.includes(`id="messages.${header}"`), header)
      for (const { name, summary } of documentedWebhookMessages) {
        assert.ok(webhooks.includes(`id="messages.${name}"`), name)
        assert.ok(
          webhooks.includes(html`${htmlWithBackticksAsCode((summary as LocalizedText)[language])}`.text),
          name,
        )
        assert.ok(webhooks.includes(`<span class="string">&#34;${name}&#34;</span>`), `the body of ${name}`)
      }
      const refund = webhooks.slice(webhooks.indexOf('id="messages-transactionresultwithrefund"'))
      for (const field of ['type', 'timestamp', 'data', 'data.transaction_id', 'data.refund.status'])
        assert.ok(refund.includes(`id="messages-transactionresultwithrefund.${field}"`), field)
    }
  })

  it('describes events next to webhooks, and a resource in the subject that returns it most', () => {
    const page = referencePage(documentOf(apiRoutes, 'en'), 'en')
    const subjects = [...page.matchAll(/<section class="subject" id="([^"]+)"/g)].map(([, id]) => id)
    assert.deepEqual(subjects.slice(-2), ['events', 'webhooks'])
    assert.ok(page.indexOf('id="object-webhookdelivery"') > page.indexOf('id="webhooks"'))
  })

  it('lists the operations of a subject in the life cycle of a resource', () => {
    const order = operationsOf(documentOf(apiRoutes, 'en')).map(({ id }) => id)
    assert.deepEqual(
      order.filter((id) => id.includes('customer')),
      ['create-customer', 'read-customer', 'search-customers', 'change-customer', 'delete-customer'],
    )
    assert.equal(order[0], 'create-access-token')
  })

  it('lists the refusals of an operation by code', () => {
    for (const { refusals, id } of operationsOf(documentOf(apiRoutes, 'en'))) {
      const codes = refusals.map(({ code }) => code)
      assert.deepEqual(codes, codes.toSorted(), id)
    }
  })

  it('has the same, unique anchors in both languages', () => {
    const [turkish, english] = languages.map((language) =>
      anchorsIn(referencePage(documentOf([...apiRoutes, ...noteRoutes()], language), language)),
    )
    assert.deepEqual(turkish, english)
    assert.equal(new Set(turkish).size, turkish?.length)
    for (const anchor of ['list-labels.shelf_number', 'list-labels.query.shelf_number'])
      assert.ok(english?.includes(anchor), anchor)
  })

  it('marks a required query parameter, and its example can be run', () => {
    const section = sectionOf(referencePage(documentOf(shelfRoutes, 'en'), 'en'), 'look-up-shelf')
    assert.match(section, /data-name="shelf_number">.*<span class="required">required<\/span>/)
    assert.match(
      section,
      /<input [^>]*value="12345678" placeholder="12345678" data-place="query"[^>]* required>/,
    )
    assert.match(section, /--data-urlencode<\/span> <span class="string">&#39;shelf_number=12345678/)
  })

  it('tells two fields with the same name apart, and sends the example value once', () => {
    const section = sectionOf(referencePage(documentOf(shelfRoutes, 'en'), 'en'), 'list-labels')
    const inputs = [
      ...section.matchAll(/<span class="place">([^<]+)<\/span><\/label><input [^>]*?value="(\d*)"/g),
    ]
    assert.deepEqual(
      inputs.map(([, place, value]) => [place, value]),
      [
        ['in the query', ''],
        ['in the body', '12345678'],
      ],
    )
    assert.ok(!section.includes('data-keyed'), 'what makes nothing is not made twice')
  })

  it('has no broken link inside it', () => {
    const page = referencePage(documentOf(apiRoutes, 'en'), 'en')
    const anchors = new Set(anchorsIn(page))
    for (const [, anchor = ''] of page.matchAll(
      /(?:href="#|aria-controls="|for="|aria-labelledby=")([^"]+)"/g,
    )) {
      assert.ok(anchors.has(anchor), anchor)
    }
  })

  it('has one first-level heading, and no heading skips a level', () => {
    const page = referencePage(documentOf(apiRoutes, 'tr'), 'tr')
    const levels = [...page.matchAll(/<h(\d)/g)].map(([, level]) => Number(level))
    assert.equal(levels.filter((level) => level === 1).length, 1)
    for (const [index, level] of levels.entries())
      assert.ok(level <= (levels[index - 1] ?? 0) + 1, `${index}`)
  })
})

describe('its languages', () => {
  it('are complete: no text of one is in the other', () => {
    const [turkish, english] = languages.map((language) => documentOf(apiRoutes, language))
    assert.ok(turkish && english)
    const inEnglish = [...sentencesIn(english)]
    const pairs = [...sentencesIn(turkish)].map((tr, index) => ({ tr, en: inEnglish[index] ?? '' }))
    const own = [...Object.values(pageTexts), ...Object.values(scriptTexts)]
    const pages = { tr: textOf(referencePage(turkish, 'tr')), en: textOf(referencePage(english, 'en')) }
    for (const { tr, en } of [...pairs, ...own]) {
      if (tr === en) continue
      // A single word may also be a parameter name, or part of another word.
      if (en.includes(' ')) assert.ok(!pages.tr.includes(en), en)
      if (tr.includes(' ')) assert.ok(!pages.en.includes(tr), tr)
    }
  })

  it('have a title for every subject of the API', () => {
    for (const { tag } of operationsOf(documentOf(apiRoutes, 'en'))) {
      assert.notEqual(tagTitle(tag, 'tr'), tagTitle(tag, 'en'), `give ${tag} a title in texts.ts`)
    }
  })

  it('have a title for every resource of the API', () => {
    const names = operationsOf(documentOf(apiRoutes, 'en')).map(resourceNameOf)
    for (const name of new Set(names.filter((each) => each !== undefined))) {
      const [turkish, english] = [resourceTitle(name, 'tr'), resourceTitle(name, 'en')]
      assert.notEqual(turkish, english, `give ${name} a title in texts.ts`)
    }
  })
})

describe('inserted text', () => {
  it('is escaped, from every source', async () => {
    const nasty = '<img src=x onerror=alert(1)> "\'& `</code><script>alert(2)</script>`'
    const trap = route({
      method: 'POST',
      url: '/v1/traps',
      summary: `Trap ${nasty}`,
      description: nasty,
      credential: 'secret',
      body: objectSchema({ bait: optional(textField(nasty, { max: 9, example: nasty })) }),
      answer: bareResponseDefinition(
        Type.Object({ bait: Type.String({ description: nasty, examples: [nasty] }) }),
      ),
      refusals: [{ code: 999, status: 418, tr: nasty, en: nasty, when: { tr: nasty, en: nasty } }],
      handle: () => ({ bait: '' }),
    })
    const { call } = await testApi({ routes: [trap], database: api.database })
    for (const language of languages) {
      const { text: page } = await call({ url: `/docs?lang=${language}` })
      assert.ok(page.includes('&#60;img src=x onerror=alert(1)&#62; &#34;&#39;&#38;'))
      assert.ok(page.includes('<code>&#60;/code&#62;&#60;script&#62;alert(2)&#60;/script&#62;</code>'))
      assert.ok(!/<img src=x|<script>|alert\(\d\)<\/script>/.test(page))
    }
  })

  it('runs, styles and loads nothing inline or from elsewhere', async () => {
    for (const language of languages) {
      const { text: page } = await api.call({ url: `/docs?lang=${language}` })
      assert.deepEqual(page.match(/<script\b[^>]*>/g), ['<script type="module" src="docs/script.js">'])
      assert.ok(!/<style|<iframe|<object|<base|\sstyle=|\son\w+=|javascript:/i.test(page))
      for (const [, address = ''] of page.matchAll(/\s(?:src|href|action|srcset)="([^"]*)"/g)) {
        assert.match(address, /^(#|\?lang=|docs\/|openapi\.json)/)
      }
    }
    for (const name of ['tokens.css', 'style.css']) {
      const { text: style } = await api.call({ url: `/docs/${name}` })
      assert.ok(!/url\(|@import|\/\/|expression/i.test(style), name)
    }
    const names = ['script', 'announce', 'answer', 'key', 'run', 'search', 'request', 'samples']
    for (const name of names) {
      const { text: script } = await api.call({ url: `/docs/${name}.js` })
      assert.ok(
        !/https?:|['"`]\/\/|innerHTML|outerHTML|insertAdjacent|document\.write|eval\(/.test(script),
        name,
      )
      for (const [, module = ''] of script.matchAll(/from '([^']+)'/g)) assert.match(module, /^\.\/\w+\.js$/)
    }
  })
})

function assertShown(
  page: string,
  { id, method, path, summary, parameters, body, answer, refusals }: ApiOperation,
) {
  const section = sectionOf(page, id)
  for (const part of [summary, method, `data-path="${path}"`]) assert.ok(section.includes(part), part)
  const fields = [...Object.keys(body?.properties ?? {}), ...Object.keys(answer.headers)]
  for (const name of [...parameters.map((parameter) => parameter.name), ...fields]) {
    assert.ok(section.includes(`data-name="${name}"`), `${id} ${name}`)
  }
  for (const { status, code } of refusals) {
    assert.ok(section.includes(`id="${id}.${status}-${code}"`), `${id} ${code}`)
    assert.ok(page.includes(`id="error.${status}-${code}"`), `${code} is in the table of errors`)
  }
}

function sectionOf(page: string, id: string): string {
  const start = page.indexOf(`<section class="entry operation" id="${id}"`)
  assert.ok(start > 0, `${id} is on the page`)
  return page.slice(start, page.indexOf('</section>', start))
}

const anchorsIn = (page: string) => [...page.matchAll(/\sid="([^"]+)"/g)].map(([, id = '']) => id)

/** The page's own text, without examples, which may be in any language. */
function textOf(page: string): string {
  return page
    .replaceAll(/<pre.*?<\/pre>|\svalue="[^"]*"/gs, '')
    .replaceAll(/<\/?code>/g, '`')
    .replaceAll(/&#(\d+);/g, (_whole, code) => String.fromCharCode(Number(code)))
}

function* sentencesIn(part: unknown): Iterable<string> {
  if (typeof part !== 'object' || part === null) return
  for (const [name, child] of Object.entries(part)) {
    if (/^(summary|description)$/.test(name) && typeof child === 'string') yield child
    else yield* sentencesIn(child)
  }
}
