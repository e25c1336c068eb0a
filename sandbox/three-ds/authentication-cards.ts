import type { LocalizedText } from '../../kit/text/locale.ts'
import type { FinalStatus, Scheme } from './scheme.ts'
import { eciFor, schemeOf } from './scheme.ts'

/** Answer of the directory server to an authentication request: a status or a failure. */
export type AcsAnswer =
  | 'Y'
  | 'A'
  | 'N'
  | 'U'
  | 'R'
  | 'I'
  | 'C'
  /** An error message: the ACS is unreachable. */
  | 'error'
  /** An error message after longer than a 3DS Server waits. */
  | 'timeout'
  /** The card number is in no range. */
  | 'not enrolled'

/** Outcome of a challenge after the right code. */
export type ChallengeOutcome = 'Y' | 'N' | 'U' | 'error'

/** Fault of the ACS, in addition to its answer. */
export type AcsQuirk =
  | 'results late'
  | 'results lost'
  | 'results doubled'
  /** Results of an unknown transaction are sent before the right ones. */
  | 'results of another'
  /** The browser returns with Y, but the results contain N. */
  | 'completion lies'
  | 'completion lost'
  | 'answer mangled'
  | 'answer of another'
  | 'page silent'
  | 'page not framed'

/** Behaviour of the bank in an authentication. */
export interface AcsBehaviour {
  answer: AcsAnswer
  /** Outcome of the challenge. */
  meaning?: ChallengeOutcome
  quirk?: AcsQuirk
  /** `transStatusReason` of a failed authentication. */
  reason?: string
}

/** Outcome of an authentication. */
export interface ExpectedAuthentication {
  /** `none`: not requested; `error`: impossible; `unheard`: the results never arrive. */
  status: FinalStatus | 'none' | 'error' | 'unheard'
  eci?: string
  challenge?: boolean
  /** 3DS Method of the bank: absent, notifying, or never notifying. */
  method?: 'none' | 'heard' | 'silent'
}

/** A card number with its own authentication behaviour. */
export interface AuthenticationCard {
  number: string
  scheme: Scheme
  /** Behaviour of the bank, in a sentence. */
  does: LocalizedText
  /** Outcome of the payment, in a sentence. */
  outcome: LocalizedText
  expected: ExpectedAuthentication
  behaviour: AcsBehaviour
}

const paid: LocalizedText = { tr: 'Ödeme tamamlanır.', en: 'The payment is paid.' }
const refused: LocalizedText = {
  tr: 'Kart hamili doğrulanmaz; ödeyen yeniden deneyebilir.',
  en: 'The payer is not authenticated, and can try again.',
}
const byPolicy: LocalizedText = {
  tr: 'POS ayarı bunu kabul etmedikçe kart hamili doğrulanmış sayılmaz.',
  en: 'The payer counts as not authenticated, unless the POS is set to accept this.',
}

interface Row {
  numbers: string[]
  does: LocalizedText
  outcome: LocalizedText
  behaviour: AcsBehaviour
  /** Expected status, if it does not follow from the behaviour. */
  status?: ExpectedAuthentication['status']
  method?: 'silent'
}

/** Test cards that several providers share, so that integrators can use the numbers they know. */
const shared: readonly Row[] = [
  {
    numbers: ['4000000000002701', '5200000000002235', '340000000002708'],
    does: { tr: 'Kod sormadan doğrular.', en: 'Authenticates without asking for a code.' },
    outcome: paid,
    behaviour: { answer: 'Y' },
  },
  {
    numbers: ['4000000000002925', '5200000000002276', '340000000002096'],
    does: { tr: 'Kod sormadan doğrulamaz.', en: 'Does not authenticate, and does not ask for a code.' },
    outcome: refused,
    behaviour: { answer: 'N', reason: '01' },
  },
  {
    numbers: ['4000000000002719', '5200000000002482', '340000000002872'],
    does: { tr: 'Doğrulamanın denendiğini bildirir.', en: 'Reports that authentication was attempted.' },
    outcome: paid,
    behaviour: { answer: 'A' },
  },
  {
    numbers: ['4000000000002313', '5200000000002268'],
    does: { tr: 'Şu an doğrulayamadığını bildirir.', en: 'Reports that it cannot authenticate now.' },
    outcome: byPolicy,
    behaviour: { answer: 'U', reason: '22' },
  },
  {
    numbers: ['4000000000002537', '5200000000002185', '340000000002062'],
    does: {
      tr: 'Reddeder, ödemenin denenmemesini ister.',
      en: 'Rejects the payer: the payment must not be tried.',
    },
    outcome: refused,
    behaviour: { answer: 'R', reason: '11' },
  },
  {
    numbers: ['4000000000002990', '5200000000002409'],
    does: { tr: '3-D Secure’e kayıtlı değildir.', en: 'Is not enrolled in 3-D Secure.' },
    outcome: byPolicy,
    behaviour: { answer: 'not enrolled' },
  },
  {
    numbers: ['4000000000002446', '5200000000002037'],
    does: { tr: 'Sorguya hata mesajıyla yanıt verir.', en: 'Answers the request with an error message.' },
    outcome: refused,
    behaviour: { answer: 'error' },
  },
  {
    numbers: ['4000000000002354', '5200000000002326', '340000000002047'],
    does: { tr: 'Sorguya 15 saniye sonra yanıt verir.', en: 'Answers the request after 15 seconds.' },
    outcome: refused,
    behaviour: { answer: 'timeout' },
  },
  {
    numbers: ['4000000000002503', '5200000000002151', '9792030394440796'],
    does: { tr: 'Kod sorar; doğru kodla doğrular.', en: 'Asks for a code. The right code authenticates.' },
    outcome: paid,
    behaviour: { answer: 'C', meaning: 'Y' },
  },
  {
    numbers: ['4000000000002370', '5200000000002490'],
    does: {
      tr: 'Kod sorar; doğru kodla da doğrulamaz.',
      en: 'Asks for a code. Even the right code does not authenticate.',
    },
    outcome: refused,
    behaviour: { answer: 'C', meaning: 'N' },
  },
  {
    numbers: ['4000000000002420', '5200000000002664', '340000000002484'],
    does: {
      tr: 'Kod sorar; sonra doğrulayamadığını bildirir.',
      en: 'Asks for a code. Then reports that it cannot authenticate.',
    },
    outcome: byPolicy,
    behaviour: { answer: 'C', meaning: 'U' },
  },
  {
    numbers: ['4000000000002644', '5200000000002656'],
    does: {
      tr: 'Kod sorar; sonra hata mesajıyla bitirir.',
      en: 'Asks for a code. Then ends with an error message.',
    },
    outcome: byPolicy,
    behaviour: { answer: 'C', meaning: 'error' },
  },
  {
    numbers: ['4000000000002024', '5200000000002805'],
    does: {
      tr: 'Veri paylaşımı istenmişse bilgi olarak yanıtlar, yoksa doğrulayamadığını bildirir.',
      en: 'Answers a request for data only with information. Otherwise reports that it cannot authenticate.',
    },
    outcome: byPolicy,
    behaviour: { answer: 'I', reason: '07' },
  },
]

function quirky(number: string, quirk: AcsQuirk, does: LocalizedText, rest: Partial<Row> = {}): Row {
  return {
    numbers: [number],
    does,
    outcome: paid,
    ...rest,
    behaviour: { answer: 'C', meaning: 'Y', ...rest.behaviour, quirk },
  }
}

const uncertain: LocalizedText = {
  tr: 'Sonuç beklenir; gelmediği için kart hamili doğrulanmış sayılmaz.',
  en: 'The service waits for the results. None arrive, so the payer counts as not authenticated.',
}

/** Our own cards, for rare faults that Vezne must handle. */
const own: readonly Row[] = [
  quirky('4000000000003105', 'results late', {
    tr: 'Kod sorar; sonucu tarayıcıdan 5 saniye sonra gönderir.',
    en: 'Asks for a code. Sends its results 5 seconds after the browser is back.',
  }),
  quirky(
    '4000000000003113',
    'results lost',
    { tr: 'Kod sorar; sonucu hiç göndermez.', en: 'Asks for a code. Never sends its results.' },
    { outcome: uncertain, status: 'unheard' },
  ),
  quirky('4000000000003121', 'results doubled', {
    tr: 'Kod sorar; sonucu iki kez gönderir.',
    en: 'Asks for a code. Sends its results twice.',
  }),
  quirky('4000000000003139', 'results of another', {
    tr: 'Kod sorar; önce tanınmayan bir işlemin sonucunu gönderir.',
    en: 'Asks for a code. Sends the results of an unknown transaction first.',
  }),
  quirky(
    '4000000000003147',
    'completion lies',
    {
      tr: 'Kod sorar; tarayıcıyla doğrulandığını, sonuç olarak doğrulanmadığını bildirir.',
      en: 'Asks for a code. The browser returns with a success, but the results report a failure.',
    },
    { outcome: refused, behaviour: { answer: 'C', meaning: 'N' } },
  ),
  quirky('4000000000003154', 'completion lost', {
    tr: 'Kod sorar; sonucu gönderir ama tarayıcıyı geri göndermez.',
    en: 'Asks for a code. Sends its results, but does not send the browser back.',
  }),
  quirky(
    '4000000000003162',
    'answer mangled',
    {
      tr: 'Kod sormadan doğrular, ama yanıtının bir alanı bozuktur.',
      en: 'Authenticates without a code, but a field of its answer is broken.',
    },
    { outcome: refused, status: 'error', behaviour: { answer: 'Y' } },
  ),
  quirky(
    '4000000000003170',
    'answer of another',
    { tr: 'Başka bir işlemin yanıtını verir.', en: 'Answers for another transaction.' },
    { outcome: refused, status: 'error', behaviour: { answer: 'Y' } },
  ),
  quirky(
    '4000000000003188',
    'page silent',
    { tr: 'Kod soracağı sayfa açılmaz.', en: 'Its page for the code never opens.' },
    { outcome: refused, status: 'N' },
  ),
  quirky('4000000000003196', 'page not framed', {
    tr: 'Kod sorar; sayfası çerçeve içinde açılmaz.',
    en: 'Asks for a code. Its page refuses to open in a frame.',
  }),
  {
    numbers: ['4000000000003501'],
    does: {
      tr: '3DS Method sayfası tamamlandığını bildirmez; kod sormadan doğrular.',
      en: 'Its 3DS Method page never reports that it is done. Authenticates without a code.',
    },
    outcome: paid,
    behaviour: { answer: 'Y' },
    method: 'silent',
  },
  {
    numbers: ['4000000000003519'],
    does: {
      tr: '3DS Method sayfası tamamlandığını bildirmez; kod sorar.',
      en: 'Its 3DS Method page never reports that it is done. Asks for a code.',
    },
    outcome: paid,
    behaviour: { answer: 'C', meaning: 'Y' },
    method: 'silent',
  },
]

/** Card numbers whose 3DS Method page never notifies. */
export const silentMethodRange = { start: '4000000000003500', end: '4000000000003599' }

function cardOf(number: string, { does, outcome, behaviour, status, method }: Row): AuthenticationCard {
  const scheme = schemeOf(number)
  const ended = status ?? statusOf(behaviour)
  const expected: ExpectedAuthentication = { status: ended }
  if (ended.length === 1) expected.eci = eciFor(scheme, ended as FinalStatus, ended === 'I')
  if (ended !== 'none') {
    expected.challenge = behaviour.answer === 'C'
    expected.method = method ?? (scheme === 'visa' ? 'heard' : 'none')
  }
  return { number, scheme, does, outcome, expected, behaviour }
}

function statusOf({ answer, meaning }: AcsBehaviour): ExpectedAuthentication['status'] {
  // After an error in the challenge the bank reports U, could not authenticate.
  if (answer === 'C') return meaning === 'error' ? 'U' : (meaning ?? 'Y')
  const others: Partial<Record<AcsAnswer, ExpectedAuthentication['status']>> = {
    'not enrolled': 'none',
    error: 'error',
    timeout: 'error',
  }
  return others[answer] ?? (answer as FinalStatus)
}

/** Every card with its own authentication behaviour. Most other cards are challenged with a code. */
export const authenticationCards: readonly AuthenticationCard[] = [...shared, ...own].flatMap((row) =>
  row.numbers.map((number) => cardOf(number, row)),
)
