/**
 * Ways in which Citus keeps a table:
 * - `distributed`: by `merchant_id`, so that all rows of a merchant are on one worker;
 * - `reference`: small, and copied to every node;
 * - `local`: on the coordinator only.
 */
export type TableKind = 'distributed' | 'reference' | 'local'

/** The comment before a table's definition that states its kind. */
const stated = /^-- on Citus: (distributed|reference|local)\ncreate (?:unlogged )?table (\w+)/gm

/** The tables of migrations with their kinds, in the order in which they are created: parents first. */
export function tableKinds(migrations: readonly { text: string }[]): [table: string, kind: TableKind][] {
  return migrations.flatMap(({ text }) =>
    [...text.matchAll(stated)].map(([, kind, table = '']): [string, TableKind] => [table, kind as TableKind]),
  )
}
