import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { EncodedPicture, Picture, PictureSize } from './picture.ts'
import { pictures } from './picture.ts'

export async function pictureBytes(
  database: Sql,
  { merchantId, digest }: Pick<Picture, 'merchantId' | 'digest'>,
  size: PictureSize,
): Promise<Buffer | undefined> {
  const row = await database.maybe<{ bytes: Buffer }>(sql`select ${raw(size)} as bytes from pictures
    where merchant_id = ${merchantId} and digest = ${digest}`)
  return row?.bytes
}

/**
 * Stores a picture in place of another one; either can be missing. A stored picture is as good as new: nothing deletes it
 * for a while. Guarantee: the same holds for the other one, because open payment pages still show it.
 */
export async function replacePicture(
  database: Sql,
  { merchantId, digest }: { merchantId: number; digest: string | null },
  picture: EncodedPicture | undefined,
  now: Date,
): Promise<void> {
  if (digest !== null && digest !== picture?.digest)
    await database.run(sql`update pictures set stored_at = ${now}
      where merchant_id = ${merchantId} and digest = ${digest}`)
  if (!picture) return
  const row = { merchantId, ...picture, storedAt: now }
  await database.run(sql`insert into pictures (${pictures.names}) values (${pictures.values(row)})
    on conflict (merchant_id, digest) do update set stored_at = excluded.stored_at`)
}

/** Deletes pictures of a merchant that were stored or replaced before a time and that `used`, a query for digests, does not name. */
export function deletePicturesBefore(
  database: Sql,
  merchantId: number,
  before: Date,
  used: SqlFragment,
): Promise<number> {
  return database.run(sql`delete from pictures
    where merchant_id = ${merchantId} and stored_at < ${before} and digest not in (${used})`)
}
