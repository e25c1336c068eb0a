import { execFile } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { userInfo } from 'node:os'

/** Account that PostgreSQL runs as: our own. It refuses root, so for root it is an unprivileged one. */
export interface OsAccount {
  name: string
  uid: number
  gid: number
}

/** Options of a program of the account. Our environment is not passed on: it holds secrets, maybe `PG…`. */
export function spawnOptionsOf({ uid, gid }: OsAccount) {
  return { uid, gid, cwd: '/', env: { LC_ALL: 'C', TZ: 'UTC' } }
}

const ownUid = process.geteuid?.() ?? -1
const namesForRoot = ['vezne', 'postgres', 'nobody']

/** The owner of existing data, which only the owner may open. Without data, root uses an unprivileged one. */
export function chooseOsAccount(data: string): OsAccount {
  const owner = statSync(data, { throwIfNoEntry: false })
  if (ownUid === 0) {
    if (owner && owner.uid !== 0) return { name: `user id ${owner.uid}`, uid: owner.uid, gid: owner.gid }
    return osAccountForRoot(readFileSync('/etc/passwd', 'utf8'))
  }
  const name = owner ? `user id ${ownUid}` : nameOfOurselves()
  if (!owner || owner.uid === ownUid) return { name, uid: ownUid, gid: process.getegid?.() ?? -1 }
  throw new Error(
    `The data in ${data} belongs to user id ${owner.uid}, but Vezne runs as user id ${ownUid}. Start Vezne as the user who started it first (root, if it was root), or set VEZNE_HOME to another folder.`,
  )
}

/** The first of `vezne`, `postgres` and `nobody` in the text of /etc/passwd. */
export function osAccountForRoot(passwd: string): OsAccount {
  const rows = passwd.split('\n').map((line) => line.split(':'))
  for (const candidate of namesForRoot) {
    const [name, , uid, gid] = rows.find((row) => row[0] === candidate && Number(row[2]) > 0) ?? []
    if (name) return { name, uid: Number(uid), gid: Number(gid) }
  }
  throw new Error(
    'PostgreSQL cannot run as root, and /etc/passwd has none of the accounts vezne, postgres and nobody. Create one (useradd --system vezne), start Vezne as an ordinary user, or set DATABASE_URL.',
  )
}

export const isOwnAccount = (account: OsAccount) => account.uid === ownUid

/** initdb looks up its user and fails in a container with a bare number, so we report that first. */
function nameOfOurselves(): string {
  try {
    return userInfo().username
  } catch {
    throw new Error(
      `User id ${ownUid} has no entry in /etc/passwd, and PostgreSQL needs one to create its data folder. Add the entry, start Vezne as another user, or set DATABASE_URL.`,
    )
  }
}

/** Runs a short program as the account and returns its output. It never throws: a failure is a result. */
export function runAs(
  account: OsAccount,
  program: string,
  args: string[],
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    execFile(program, args, spawnOptionsOf(account), (error, stdout, stderr) => {
      const text = `${stdout}${stderr}`.trim()
      resolve({ ok: !error, output: text || (error?.message ?? '') })
    })
  })
}

/** Tries to enter instead of reading modes: access lists and mounts matter too. */
export async function canEnterFolder(account: OsAccount, folder: string): Promise<boolean> {
  return (await runAs(account, '/bin/sh', ['-c', 'cd -- "$1"', 'sh', folder])).ok
}
