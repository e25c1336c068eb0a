import { matchesGlob } from 'node:path'

/** Test files that only `npm run test:all` runs, by reason. Each pattern matches at least one file. */
export const fullRunOnly: Readonly<Record<string, readonly string[]>> = {
  'processes are killed at every boundary': [
    'server/payments/attempts/crash.test.ts',
    'server/payments/verifications/crash.test.ts',
    'server/refunds/crash.test.ts',
    'server/refunds/payment-lifecycle.test.ts',
    'server/three-ds/crash.test.ts',
    'server/three-ds/restart.test.ts',
    'server/webhooks/deliver/crash.test.ts',
    'server/webhooks/deliver/kills.test.ts',
  ],
  'whole processes and PostgreSQL servers are started': [
    'server/commands.test.ts',
    'server/database/embedded/*.test.ts',
    'server/database/start-while-recovering.test.ts',
    'server/database/two-roles.test.ts',
    'server/database/worker-failure.test.ts',
    'server/installation.test.ts',
    'server/sandbox-process.test.ts',
    'server/start.test.ts',
  ],
  'several instances of the service race for the same work': [
    'server/instances/processes.test.ts',
    'server/payments/attempts/two-instances.test.ts',
    'server/payments/attempts/two-processes.test.ts',
    'server/payments/verifications/two-instances.test.ts',
  ],
  'ten thousand approvals wait to be verified, and banks lie about some for hours': [
    'server/payments/verifications/backlog.test.ts',
    'server/payments/verifications/lying-bank.test.ts',
  ],
  'every card is paid with, and connections are cut at every query': [
    'server/payments/attempts/database-faults.test.ts',
    'server/payments/attempts/every-card.test.ts',
    'server/payments/verifications/every-card.test.ts',
    'server/reconciliation/around-midnight.test.ts',
    'server/refunds/every-fault.test.ts',
    'server/three-ds/every-card.test.ts',
  ],
  'every route gets every bad input': [
    'testing/every-route/bad-input.test.ts',
    'testing/every-route/bad-requests.test.ts',
    'testing/every-route/fuzz.test.ts',
  ],
  'the sandbox bank is tested itself': ['sandbox/**/*.test.ts', 'server/connectors/nestpay/sandbox.test.ts'],
  'documents, packages and containers are tried as a reader would': [
    'scripts/balance-document.test.ts',
    'scripts/containers.test.ts',
    'scripts/docs.test.ts',
    'scripts/element-package.test.ts',
    'scripts/going-live.test.ts',
    'scripts/readme.test.ts',
    'scripts/webhooks-document.test.ts',
  ],
}

export function isFullRunOnly(file: string): boolean {
  return Object.values(fullRunOnly).some((patterns) => patterns.some((pattern) => matchesGlob(file, pattern)))
}
