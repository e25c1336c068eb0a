import { invalidParameter } from '../../kit/input/refusals.ts'
import type { LocalizedText } from '../../kit/text/locale.ts'
import type { Connector } from '../connectors/index.ts'
import type { Pos } from './pos.ts'

type Settings = Pos['settings']

/**
 * Applies `NAME=value` words to the current settings. Guarantee: the result has every setting that the
 * connector requires.
 */
export function readSettings(connector: Connector, given: readonly string[], before: Settings): Settings {
  const settings = { ...before }
  for (const word of given) {
    const [, name = '', value = ''] = /^(\w+)=(.*)$/.exec(word) ?? []
    const setting = connector.settings.find((candidate) => candidate.name === name)
    if (!setting) throw invalidParameter('setting', notKnown(connector, name))
    delete settings[name]
    if (value === '') continue
    const read = setting.read(value)
    if (!('value' in read)) throw invalidParameter('setting', about(name, read))
    settings[name] = read.value
  }
  const missing = connector.settings.filter(({ name, defaultValue }) => !(settings[name] ?? defaultValue))
  if (missing.length > 0) throw invalidParameter('setting', missed(missing.map(({ name }) => name)))
  return settings
}

/** Given settings, completed with the defaults. */
export function settingsWithDefaults({ settings }: Connector, given: Settings): Settings {
  return Object.fromEntries(
    settings.map(({ name, defaultValue = '' }) => [name, given[name] ?? defaultValue]),
  )
}

function about(name: string, { tr, en }: LocalizedText): LocalizedText {
  return { tr: `${name}: ${tr}`, en: `${name}: ${en}` }
}

function notKnown({ settings }: Connector, name: string): LocalizedText {
  const names = settings.map((setting) => setting.name).join(', ')
  const [tr, en] =
    name === ''
      ? ['AD=değer biçiminde olmalıdır.', 'Must be NAME=value.']
      : [`Bu bağlayıcının ${name} diye bir ayarı yoktur.`, `${name} is not a setting of this connector.`]
  return { tr: `${tr} Geçerli adlar: ${names}.`, en: `${en} Valid names: ${names}.` }
}

function missed(names: readonly string[]): LocalizedText {
  const words = names.map((name) => `${name}=…`).join(', ')
  return { tr: `Bu bağlayıcı için zorunludur: ${words}.`, en: `Required for this connector: ${words}.` }
}
