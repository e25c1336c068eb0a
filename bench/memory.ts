import { setTimeout as pause } from 'node:timers/promises'
import { Child, ownRoot, usageOf } from './child.ts'
import type { BenchEnvironment } from './environment.ts'
import type { ReceiverPorts } from './receiver.ts'
import { openWholeInstallation, startWhole } from './whole-installation.ts'
import { payWhole } from './whole-payers.ts'

const timeoutMs = 30_000
/** Time after the start until the caches are filled and the garbage of the start is collected. */
const settleS = 20
const atOnce = 16
/** Load in parts: the memory at the end is compared with that after half of them. */
const loadParts = 6

/**
 * Memory of the service and of the sandbox, as the machine reports it: idle, and after whole payments with
 * webhooks. `bench_service_mb` is that of the service that the other measures used; after a whole bench it
 * has had every kind of load.
 */
export async function memoryUse(environment: BenchEnvironment): Promise<Record<string, number>> {
  const { service: benchService, signal, memoryLoadS = 60 } = environment
  await using scope = new AsyncDisposableStack()
  const receiver = scope.use(new Child('bench/receiver.ts', []))
  const { taking } = await receiver.message<ReceiverPorts>(timeoutMs)
  const payers = scope.use(new Child('bench/payers.ts', []))
  signal.addEventListener('abort', () => payers.kill())
  const installation = scope.use(
    await openWholeInstallation(ownRoot, `http://127.0.0.1:${taking}/hook`, signal),
  )
  const service = scope.use(await startWhole(installation, signal))
  await service.whileRunning(pause(settleS * 1000, undefined, { signal }))
  const memoryOf = (pid: number) => Math.round(usageOf(pid).rssMb)
  const idle = { idle_mb: memoryOf(service.pid), idle_sandbox_mb: memoryOf(installation.bankPid) }
  const tools = { payers, receiver, signal }
  const loaded: number[] = []
  for (let part = 0; part < loadParts; part++) {
    const configuration = { mode: 'own_frictionless', webhook: true, atOnce } as const
    await service.whileRunning(
      payWhole(tools, installation, configuration, { seconds: memoryLoadS / loadParts }),
    )
    loaded.push(memoryOf(service.pid))
    process.stderr.write(`memory: ${loaded.at(-1)} MB, of the sandbox ${memoryOf(installation.bankPid)} MB\n`)
  }
  const growth = (loaded.at(-1) ?? 0) - (loaded[loadParts / 2 - 1] ?? 0)
  return {
    ...idle,
    loaded_mb: Math.max(...loaded),
    loaded_sandbox_mb: memoryOf(installation.bankPid),
    growth_mb: growth,
    bench_service_mb: memoryOf(benchService.pid),
  }
}
