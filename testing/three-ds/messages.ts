/** Valid EMV 3DS messages as a 3DS Server receives them. Tests change the fields that they test. */

export const serverTransId = '8a880dc0-d2d2-4067-bcb1-b08d1690b26e'
export const acsTransId = 'd7c1ee99-9478-44a6-b1f2-391e29c6b340'
export const dsTransId = 'f25084f0-5b16-4c0a-ae5d-b24808a95e4b'
export const cavv = 'AAABBZEEBgAAAAAAAAQGAAAAAAA='

export const identifiers = {
  threeDSServerTransID: serverTransId,
  acsTransID: acsTransId,
  dsTransID: dsTransId,
}

export type TestMessage = Record<string, unknown>

export function ares(version: string, more: TestMessage = {}): TestMessage {
  return {
    messageType: 'ARes',
    messageVersion: version,
    ...identifiers,
    acsReferenceNumber: '3DS_LOA_ACS_TEST_020200_00001',
    dsReferenceNumber: '3DS_LOA_DIS_TEST_020200_00002',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: cavv,
    ...more,
  }
}

/** Fields that turn an ARes into a challenge. */
export const challengeFields = {
  transStatus: 'C',
  acsURL: 'https://acs.bank.example/creq',
  acsChallengeMandated: 'Y',
  authenticationType: '02',
}

export function rreq(version: string, more: TestMessage = {}): TestMessage {
  return {
    messageType: 'RReq',
    messageVersion: version,
    ...identifiers,
    messageCategory: '01',
    transStatus: 'Y',
    eci: '05',
    authenticationValue: cavv,
    authenticationType: '02',
    interactionCounter: '01',
    ...more,
  }
}

export function pres(version: string, more: TestMessage = {}): TestMessage {
  return {
    messageType: 'PRes',
    messageVersion: version,
    threeDSServerTransID: serverTransId,
    dsTransID: dsTransId,
    dsStartProtocolVersion: '2.1.0',
    dsEndProtocolVersion: '2.3.1',
    serialNum: '11',
    cardRangeData: [{}],
    ...more,
  }
}

export function cres(version: string, more: TestMessage = {}): TestMessage {
  const { threeDSServerTransID, acsTransID } = identifiers
  return { messageType: 'CRes', messageVersion: version, threeDSServerTransID, acsTransID, ...more }
}
