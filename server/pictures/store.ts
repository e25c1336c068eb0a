import type { Sql, SqlFragment } from '../../kit/runtime/sql.ts'
import { raw, sql } from '../../kit/runtime/sql.ts'
import type { Picture, PictureSize } from './picture.ts'
import { pictures } from './picture.ts'

/** Stores a picture. A picture that is there is as good as new: nothing deletes it for a while. */
export async function upsertPicture(database: Sql, picture: Picture): Promise<void> {
  await database.run(sql`insert into pictures (${pictures.names}) values (${pictures.values(picture)})
    on conflict (merchant_id, digest) do update set stored_at = excluded.stored_at`)
}

export async function pictureBytes(
  database: Sql,
  { merchantId, digest }: Pick<Picture, 'merchantId' | 'digest'>,
  size: PictureSize,
): Promise<Buffer | undefined> {
  const row = await database.maybe<{ bytes: Buffer }>(sql`select ${raw(size)} as bytes from pictures
    where merchant_id = ${merchantId} and digest = ${digest}`)
  return row?.bytes
}

/** Deletes pictures of a merchant that were stored before a time and that `used`, a query for digests, does not name. */
export function deletePicturesBefore(
  database: Sql,
  merchantId: number,
  before: Date,
  used: SqlFragment,
): Promise<number> {
  return database.run(sql`delete from pictures
    where merchant_id = ${merchantId} and stored_at < ${before} and digest not in (${used})`)
}
