import { lazyPackage } from '../runtime/lazy.ts'
import type { FieldCheck } from './fields.ts'

const format = lazyPackage<typeof import('typebox/format')>('typebox/format')

/** Longest address of RFC 5321. */
export const maxEmailLength = 254

/** Accepts the addresses that mail programs accept, with a host that has a dot. */
export const checkEmail: FieldCheck<string> = (value) =>
  format().Format.IsEmail(value) && /^[^"[]+\.[^.]{2,}$/.test(value)
    ? undefined
    : {
        tr: 'Geçerli bir e-posta adresi olmalıdır, örneğin ayse@ornek.com.',
        en: 'Must be a valid e-mail address, for example ayse@example.com.',
      }
