import type { Services } from '../../services.ts'
import type { Attempt } from './attempt.ts'
import { situationOf } from './store.ts'

/** An attempt as it stands. */
export async function attemptOf(
  { sql }: Pick<Services, 'sql'>,
  { merchantId, attemptId }: { merchantId: number; attemptId: number },
): Promise<Attempt | undefined> {
  return (await situationOf(sql, { merchantId, id: attemptId }))?.attempt
}
