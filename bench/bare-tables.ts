import type pg from 'pg'
import { rowsToSelect } from './limits.ts'

/** The tables of the limits: one to read, one to write. They have only a primary key. */
export async function makeBareTables(pool: pg.Pool): Promise<void> {
  const columns =
    'id bigint primary key, merchant_id bigint, name text, amount bigint, created_at timestamptz'
  await pool.query('drop schema if exists bench cascade')
  await pool.query('create schema bench')
  await pool.query(`create table bench.read (${columns})`)
  await pool.query(`create table bench.written (${columns})`)
  await pool.query(
    'insert into bench.read select id, 1, $1, 12345, now() from generate_series(0, $2::int - 1) as id',
    ['a name', rowsToSelect],
  )
  await pool.query('analyze bench.read')
}

/** One prepared SELECT of a row by its key. */
export async function selectOne(pool: pg.Pool, id: number | string): Promise<void> {
  const text = 'select id, merchant_id, name, amount, created_at from bench.read where id = $1'
  const { rows } = await pool.query({ name: 'select', text, values: [id] })
  if (rows.length !== 1) throw new Error(`there is no row ${id}`)
}

/** One prepared INSERT of a row with this name. */
export async function insertOne(pool: pg.Pool, id: number, name: string): Promise<void> {
  const text =
    'insert into bench.written (id, merchant_id, name, amount, created_at) values ($1, $2, $3, $4, $5)'
  await pool.query({ name: 'insert', text, values: [id, 1, name, 12_345, new Date()] })
}
