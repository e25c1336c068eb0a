/** The versions of EMV 3DS that we speak, the oldest first. 2.1.0 is no longer taken by any scheme. */
export const supportedVersions = ['2.2.0', '2.3.1'] as const

export type ProtocolVersion = (typeof supportedVersions)[number]

/** From one version to another, both among them. */
export interface VersionSpan {
  from: string
  to: string
}

/** What a version looks like, ours or not. */
export const versionPattern = /^\d{1,2}\.\d{1,2}\.\d{1,2}$/

export function isSupportedVersion(text: unknown): text is ProtocolVersion {
  return supportedVersions.some((version) => version === text)
}

/** The highest of our versions that the directory server and the issuer's ACS both speak; none when there is none. */
export function pickVersion({
  ours,
  ds,
  acs,
}: {
  ours: readonly ProtocolVersion[]
  ds: VersionSpan
  acs: VersionSpan
}): ProtocolVersion | undefined {
  return ours
    .filter((version) => isWithin(version, ds) && isWithin(version, acs))
    .toSorted(compareVersions)
    .at(-1)
}

/** Whether it is a span at all: the end is not before the beginning. */
export function isValidVersionSpan({ from, to }: VersionSpan): boolean {
  return versionPattern.test(from) && versionPattern.test(to) && compareVersions(from, to) <= 0
}

function isWithin(version: string, span: VersionSpan): boolean {
  return (
    isValidVersionSpan(span) &&
    compareVersions(span.from, version) <= 0 &&
    compareVersions(version, span.to) <= 0
  )
}

/** By numbers: 2.10.0 is after 2.9.0. */
function compareVersions(one: string, other: string): number {
  const others = other.split('.').map(Number)
  const differences = one.split('.').map((part, index) => Number(part) - (others[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
