import fc from 'fast-check'

/** Any character. The unit `binary` of fast-check would first build a map of a million characters. */
export const anyCharacter = fc
  .integer({ min: 0, max: 0x10_ff_ff })
  .filter((code) => code < 0xd8_00 || code > 0xdf_ff)
  .map((code) => String.fromCodePoint(code))
