import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readForm } from './form.ts'
import { decodeLatin5, encodeLatin5 } from './latin5.ts'
import { readRequest, writeResponse } from './xml.ts'

const sentence = 'İşçi ağı: ığüşöç IĞÜŞİÖÇ'

describe('ISO-8859-9', () => {
  it('survives a round trip, and replaces characters outside the alphabet with question marks', () => {
    assert.equal(decodeLatin5(encodeLatin5(sentence)), sentence)
    assert.deepEqual([...encodeLatin5('ŞşİıĞğ')], [0xde, 0xfe, 0xdd, 0xfd, 0xd0, 0xf0])
    assert.equal(encodeLatin5('€ Ð 漢 𝒳').toString('latin1'), '? ? ? ?')
  })
})

describe('a form', () => {
  it('is read as UTF-8, or as ISO-8859-9 if it is not valid UTF-8', () => {
    const escaped = (bytes: Buffer) =>
      Array.from(bytes, (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
    for (const bytes of [Buffer.from(sentence), encodeLatin5(sentence)]) {
      const form = readForm(Buffer.from(`a=1+2&name=${escaped(bytes)}&b=&c`))
      assert.deepEqual(
        [...(form ?? [])],
        [
          ['a', '1 2'],
          ['name', sentence],
          ['b', ''],
          ['c', ''],
        ],
      )
    }
  })

  it('with a repeated name or a NUL character is rejected', () => {
    for (const text of ['a=1&a=2', 'a=%00']) assert.equal(readForm(Buffer.from(text)), undefined)
    assert.equal(readForm(undefined), undefined)
  })
})

describe('a request to the API', () => {
  const xml = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?><CC5Request><Name>${sentence}</Name><Extra><A>1</A></Extra></CC5Request>`

  it('is read in its declared encoding, as a bare body or as a form field', () => {
    const whole = [
      encodeLatin5(xml('ISO-8859-9')),
      Buffer.from(xml('UTF-8')),
      Buffer.from(xml('').replace(/<\?.*\?>/, '')),
      Buffer.from(`DATA=${encodeURIComponent(xml('ISO-8859-9'))}`),
    ]
    for (const body of whole) {
      const request = readRequest(body)
      assert.equal(request?.fields.get('Name'), sentence)
      assert.equal(request?.extra.get('A'), '1')
    }
  })

  it('that is malformed, of another type or with a DOCTYPE is rejected', () => {
    const broken = [
      '',
      'x',
      '<CC5Request>',
      '<CC5Request><A></B></CC5Request>',
      '<Other/>',
      '<!DOCTYPE a [<!ENTITY b "c">]><CC5Request><A>&b;</A></CC5Request>',
      xml('UTF-16'),
      'DATA=',
    ]
    for (const text of broken) assert.equal(readRequest(Buffer.from(text)), undefined, text)
  })

  it('is answered in ISO-8859-9; an empty field is an empty element', () => {
    const bytes = writeResponse({
      fields: { ErrMsg: 'Şifre <yanlış> & eksik', AuthCode: '' },
      extra: { A: 'b\tc' },
    })
    assert.equal(
      decodeLatin5(bytes),
      `<?xml version="1.0" encoding="ISO-8859-9"?>
<CC5Response>
<ErrMsg>Şifre &lt;yanlış&gt; &amp; eksik</ErrMsg>
<AuthCode/>
<Extra>
<A>b&#9;c</A>
</Extra>
</CC5Response>
`,
    )
  })
})
