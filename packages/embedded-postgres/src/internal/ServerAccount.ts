/**
 * Under which account does the server run?
 *
 * PostgreSQL refuses to run as root. Ordinary users run it as themselves (`None`); root runs it as
 * the account that owns the existing data, else as `postgres`, else as `nobody`.
 */
import { chown, lchown, lstat, readdir, readFile, stat } from "node:fs/promises"
import { join } from "node:path"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The user and group that the server's processes get. */
export interface ServerAccount {
  readonly uid: number
  readonly gid: number
}

const nobody: ServerAccount = { uid: 65534, gid: 65534 }

/** Finds a user's account in the text of `/etc/passwd`. */
export const parsePasswd = (text: string, user: string): Option.Option<ServerAccount> => {
  const fields = text
    .split("\n")
    .map((line) => line.split(":"))
    .find(([name]) => name === user)
  const [uid, gid] = [Number(fields?.[2]), Number(fields?.[3])]
  return Number.isInteger(uid) && Number.isInteger(gid) ? Option.some({ uid, gid }) : Option.none()
}

const ownerOf = (path: string): Effect.Effect<Option.Option<ServerAccount>> =>
  Effect.tryPromise(() => stat(path)).pipe(
    Effect.map(({ uid, gid }) => ({ uid, gid })),
    Effect.option
  )

const isUnprivileged = ({ uid }: ServerAccount): boolean => uid !== 0

/** The account for a server whose data is, or will be, in these folders; the first owner wins. */
export const choose = (
  folders: ReadonlyArray<string>
): Effect.Effect<Option.Option<ServerAccount>> =>
  Effect.gen(function* () {
    if (process.getuid?.() !== 0) return Option.none()
    const owners = yield* Effect.forEach(folders, ownerOf)
    const passwd = yield* Effect.tryPromise(() => readFile("/etc/passwd", "utf8")).pipe(
      Effect.orElseSucceed(() => "")
    )
    const candidates = [...owners, parsePasswd(passwd, "postgres"), parsePasswd(passwd, "nobody")]
    return Option.some(
      Option.firstSomeOf(candidates.map(Option.filter(isUnprivileged))).pipe(
        Option.getOrElse(() => nobody)
      )
    )
  })

const giveTree = async (path: string, { uid, gid }: ServerAccount): Promise<void> => {
  const entries = await readdir(path, { withFileTypes: true })
  for (const entry of entries) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await giveTree(child, { uid, gid })
    else await lchown(child, uid, gid)
  }
  // WHY: the folder itself comes last, so that an interrupted walk is seen as unfinished next time.
  await chown(path, uid, gid)
}

/** Makes the account the owner of a folder and all that is in it, unless it already is. */
export const give = async (path: string, account: Option.Option<ServerAccount>): Promise<void> => {
  if (Option.isNone(account)) return
  const { uid } = await lstat(path)
  if (uid !== account.value.uid) await giveTree(path, account.value)
}

/** Makes the account the owner of one file. */
export const giveFile = async (
  path: string,
  account: Option.Option<ServerAccount>
): Promise<void> => {
  if (Option.isSome(account)) await lchown(path, account.value.uid, account.value.gid)
}
