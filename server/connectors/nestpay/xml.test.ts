import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { readResponseXml, requestXml } from './xml.ts'

const came = (body: string | Buffer, contentType = 'text/xml', status = 200) => ({
  status,
  headers: new Headers({ 'content-type': contentType }),
  body: Buffer.from(body),
})

const read = (body: string | Buffer, contentType?: string) => readResponseXml(came(body, contentType))

const iso = '<?xml version="1.0" encoding="ISO-8859-9"?>'

describe('a request', () => {
  it('is XML in ASCII, whatever its values are', () => {
    assert.equal(
      requestXml({ Name: 'a&b<c>"\'', Password: 'ş\n', Extra: { ORDERSTATUS: 'QUERY' }, Taksit: '' }),
      `${iso}\n<CC5Request><Name>a&#38;b&#60;c&#62;&#34;&#39;</Name><Password>&#351;&#10;</Password>` +
        '<Extra><ORDERSTATUS>QUERY</ORDERSTATUS></Extra><Taksit></Taksit></CC5Request>',
    )
  })

  it('preserves every text', () => {
    const text = fc.string({
      unit: fc.constantFrom('a', '&', '<', ']]>', 'ğ', '😀', '"', '\\', '|'),
      maxLength: 20,
    })
    fc.assert(
      fc.property(text, (value) => {
        const answer = requestXml({ A: value }).replaceAll('CC5Request', 'CC5Response')
        assert.deepEqual(read(answer), { own: { A: value }, extra: {} })
      }),
    )
  })
})

describe('an answer', () => {
  it('is read as its elements and those of its Extra', () => {
    const body = `${iso}<CC5Response>\n <OrderId> a </OrderId><AuthCode/><Extra><TRX1>S\tC</TRX1></Extra></CC5Response>`
    assert.deepEqual(read(body), { own: { OrderId: 'a', AuthCode: '' }, extra: { TRX1: 'S\tC' } })
  })

  it('is decoded in the charset of its declaration, or else of its header', () => {
    const turkish = Buffer.from([0xdd, 0xfe, 0x6c, 0x65, 0x6d])
    const document = (declaration: string, text: Buffer) =>
      Buffer.concat([
        Buffer.from(`${declaration}<CC5Response><ErrMsg>`),
        text,
        Buffer.from('</ErrMsg></CC5Response>'),
      ])
    const response = { own: { ErrMsg: 'İşlem' }, extra: {} }
    assert.deepEqual(read(document(iso, turkish)), response)
    assert.deepEqual(read(document(iso, turkish), 'text/xml; charset=utf-8'), response)
    assert.deepEqual(read(document('', turkish), 'text/xml;charset=ISO-8859-9'), response)
    assert.deepEqual(read(document('', turkish), 'text/xml'), response)
    assert.deepEqual(read(document('', Buffer.from('İşlem')), 'text/xml'), response)
    const utf8 = '<?xml version="1.0" encoding="UTF-8"?>'
    assert.deepEqual(read(document(utf8, Buffer.from('İşlem')), 'text/xml; charset=ISO-8859-9'), response)
    assert.deepEqual(read(document('<?xml version="1.0" encoding="UTF-7"?>', turkish)), {
      why: 'the answer has an unsupported character set',
    })
  })

  const hostile: Record<string, string> = {
    'a doctype': '<!DOCTYPE CC5Response><CC5Response><A>1</A></CC5Response>',
    'an entity': '<!DOCTYPE r [<!ENTITY a "Approved">]><CC5Response><Response>&a;</Response></CC5Response>',
    'an external entity':
      '<!DOCTYPE r [<!ENTITY a SYSTEM "file:///etc/passwd">]><CC5Response><A>&a;</A></CC5Response>',
    'an undeclared entity': '<CC5Response><A>&a;</A></CC5Response>',
    'half a document': '<CC5Response><Response>Approved</Response>',
    'half a tag': '<CC5Response><Response>Approved</Respo',
    'two documents': '<CC5Response><A>1</A></CC5Response><CC5Response><A>2</A></CC5Response>',
    'another document': '<CC5Request><A>1</A></CC5Request>',
    'a page': '<html><body><h1>Bakım</h1></body></html>',
    'text after the document': '<CC5Response><A>1</A></CC5Response>Approved',
    'a repeated element': '<CC5Response><A>1</A><A>2</A></CC5Response>',
    'a repeated element in Extra': '<CC5Response><Extra><A>1</A><A>2</A></Extra></CC5Response>',
    'two Extra elements': '<CC5Response><Extra><A>1</A></Extra><Extra><B>2</B></Extra></CC5Response>',
    'an attribute without quotes': '<CC5Response><A b=c>1</A></CC5Response>',
    'an empty body': '',
  }
  for (const [name, body] of Object.entries(hostile)) {
    it(`with ${name} is refused`, () => assert.ok('why' in read(body)))
  }

  it('with too many tags is refused quickly', () => {
    const deep = '<a>'.repeat(200_000)
    const wide = `<CC5Response>${'<a>1</a>'.repeat(100_000)}</CC5Response>`
    for (const body of [deep, wide, '<'.repeat(1_000_000)])
      assert.deepEqual(read(body), { why: 'the answer has too many elements' })
    const nested = `<CC5Response><Response>Approved</Response>${'<a>'.repeat(2000)}${'</a>'.repeat(2000)}</CC5Response>`
    assert.deepEqual(read(nested), { own: { Response: 'Approved' }, extra: {} })
  })

  it('with a status other than 200 is refused, whatever its body', () => {
    const answer = came('<CC5Response><Response>Approved</Response></CC5Response>', 'text/xml', 500)
    assert.deepEqual(readResponseXml(answer), { why: 'the answer has the HTTP status 500' })
  })

  it('of any bytes never makes the reader throw', () => {
    const piece = fc.constantFrom(
      '<CC5Response>',
      '</CC5Response>',
      '<a>',
      '</a>',
      '<![CDATA[',
      ']]>',
      '&',
      '<?',
      '<!--',
    )
    fc.assert(fc.property(fc.array(fc.oneof(piece, fc.string())), (parts) => Boolean(read(parts.join('')))))
    fc.assert(fc.property(fc.uint8Array(), (bytes) => Boolean(read(Buffer.from(bytes)))))
  })
})
