/** Supported EMV 3DS versions, oldest first. No scheme accepts 2.1.0 any more. */
export const supportedVersions = ['2.2.0', '2.3.1'] as const

export type ProtocolVersion = (typeof supportedVersions)[number]

/** Version range, both ends included. */
export interface VersionSpan {
  from: string
  to: string
}

export function isSupportedVersion(text: unknown): text is ProtocolVersion {
  return supportedVersions.some((version) => version === text)
}

/** Highest of our versions that the directory server and the ACS support; undefined if there is none. */
export function pickVersion(ds: VersionSpan, acs: VersionSpan): ProtocolVersion | undefined {
  return supportedVersions.findLast((version) => isWithin(version, ds) && isWithin(version, acs))
}

/** True if the end is not before the beginning. */
export function isVersionSpan({ from, to }: VersionSpan): boolean {
  return compareVersions(from, to) <= 0
}

function isWithin(version: string, { from, to }: VersionSpan): boolean {
  return compareVersions(from, version) <= 0 && compareVersions(version, to) <= 0
}

/** Compares numerically: 2.10.0 is after 2.9.0. */
function compareVersions(one: string, other: string): number {
  const others = other.split('.').map(Number)
  const differences = one.split('.').map((part, index) => Number(part) - (others[index] ?? 0))
  return differences.find((difference) => difference !== 0) ?? 0
}
