/**
 * The file of the keys that sign logs, outside of the database. DECISIONS.md, "Signing keys stay outside of the
 * database"
 *
 * The embedded store has one in its data folder and makes it at its first start. The memory store has a key that lasts
 * as long as its history, and no file. For PostgreSQL the operator makes the file: servers of one database share it, so
 * none of them may invent a key.
 */
import { readFile, rename, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as LogSigner from "@attestry/core/LogSigner"
import { Secrets } from "@attestry/core/Secrets"
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as LogKey from "@attestry/transparency-log/LogKey"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import type { ServerConfig } from "../ServerConfig.js"

/** A file of the log cannot be used. */
export class LogFileFailed extends Schema.TaggedError<LogFileFailed>()("LogFileFailed", {
  setting: Schema.String,
  problem: Schema.String
}) {
  override get message(): string {
    return `${this.setting}: ${this.problem}`
  }
}

const SETTING = "ATTESTRY_LOG_KEY_FILE"

/** The file in the data folder of the embedded store. */
const OWN_FILE = "log-key"

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : String(cause)

const failed = (verb: string, file: string) => (cause: unknown) =>
  new LogFileFailed({ setting: SETTING, problem: `cannot ${verb} \`${file}\`: ${codeOf(cause)}` })

const readText = (file: string) =>
  Effect.tryPromise({ try: () => readFile(file, "utf8"), catch: failed("read", file) })

const readKeys = (file: string) =>
  Effect.gen(function* () {
    const text = yield* readText(file)
    const keys = LogKey.parse(text)
    if (Either.isRight(keys)) return keys.right
    return yield* new LogFileFailed({ setting: SETTING, problem: `\`${file}\`: ${keys.left}` })
  })

/** Makes the file unless it is there; readable by the owner of the process alone. */
const makeOnce = (file: string) =>
  Effect.gen(function* () {
    const secrets = yield* Secrets
    const seed = yield* secrets.randomBytes(LogKey.SEED_BYTES)
    yield* Effect.tryPromise({
      try: () =>
        writeFile(file, LogKey.printLine({ generation: 1, seed, until: null }), {
          mode: 0o600,
          flag: "wx"
        }),
      catch: (cause) => cause
    }).pipe(
      Effect.catchIf(
        (cause) => codeOf(cause) === "EEXIST",
        () => Effect.void
      ),
      Effect.mapError(failed("write", file))
    )
  })

/** A day as keys have it. */
const dayOf = (millis: number): string => new Date(millis).toISOString().slice(0, 10)

/** For how many days a key that is retired goes on signing, so that readers learn of the new one. */
const OVERLAP_DAYS = 30

const DAY_MILLIS = 86_400_000

/** WHY by renaming: a server that starts meanwhile reads all keys or the old ones. */
const replaceKeys = (file: string, keys: ReadonlyArray<LogKey.LogKey>) =>
  Effect.tryPromise({
    try: async () => {
      await writeFile(`${file}.new`, keys.map(LogKey.printLine).join(""), { mode: 0o600 })
      await rename(`${file}.new`, file)
    },
    catch: failed("write", file)
  })

const fileOf = (config: ServerConfig) => {
  if (config.ATTESTRY_LOG_KEY_FILE !== undefined)
    return Effect.succeed(config.ATTESTRY_LOG_KEY_FILE)
  return config.ATTESTRY_STORE === "embedded"
    ? Effect.succeed(join(config.ATTESTRY_DATA_DIR, OWN_FILE))
    : Effect.fail(new LogFileFailed({ setting: SETTING, problem: "no file is set" }))
}

/** Adds a key of the next generation; makes the file where it is missing. */
export const addKey = (config: ServerConfig) =>
  Effect.gen(function* () {
    const file = yield* fileOf(config)
    const before = yield* Effect.orElseSucceed(Effect.map(readText(file), Option.some), Option.none)
    const known = Option.isNone(before) ? [] : yield* readKeys(file)
    const seed = yield* (yield* Secrets).randomBytes(LogKey.SEED_BYTES)
    const keys = LogKey.add(known, seed)
    yield* replaceKeys(file, keys)
    return { generation: keys.at(-1)?.generation ?? 1, file, note: RESTART }
  })

const RESTART = "servers sign with it from their next start on"

/** Ends a key: after 30 days, or at once where its seed is known to others. */
export const retireKey = (
  config: ServerConfig,
  { generation, isCompromised }: { readonly generation: number; readonly isCompromised: boolean }
) =>
  Effect.gen(function* () {
    const file = yield* fileOf(config)
    const now = yield* Clock.currentTimeMillis
    // The day before: the key signs nothing from the next start on.
    const until = dayOf(now + DAY_MILLIS * (isCompromised ? -1 : OVERLAP_DAYS))
    const keys = LogKey.retire(yield* readKeys(file), { generation, until })
    if (Either.isLeft(keys)) {
      const problem =
        keys.left === "last"
          ? `generation ${generation} is the last key; add one before`
          : `there is no generation ${generation}`
      return yield* new LogFileFailed({ setting: SETTING, problem })
    }
    yield* replaceKeys(file, keys.right)
    return { generation, until, file, note: RESTART }
  })

/** The keys that sign, and those that have ended. */
const keysOf = (config: ServerConfig) =>
  Effect.gen(function* () {
    const file = config.ATTESTRY_LOG_KEY_FILE
    if (file === undefined && config.ATTESTRY_STORE === "memory") {
      const seed = yield* (yield* Secrets).randomBytes(LogKey.SEED_BYTES)
      return { active: [{ generation: 1, seed, until: null }], ended: [] }
    }
    if (file === undefined && config.ATTESTRY_STORE !== "embedded") return { active: [], ended: [] }
    const keys = yield* readKeys(file ?? join(config.ATTESTRY_DATA_DIR, OWN_FILE))
    const today = dayOf(yield* Clock.currentTimeMillis)
    const isActive = (key: LogKey.LogKey) => LogKey.isActive(key, today)
    return { active: keys.filter(isActive), ended: keys.filter((key) => !isActive(key)) }
  })

const signer = (config: ServerConfig) =>
  Effect.gen(function* () {
    // WHY: the data folder is there when the store is.
    yield* StoreHealth
    if (config.ATTESTRY_LOG_KEY_FILE === undefined && config.ATTESTRY_STORE === "embedded") {
      yield* makeOnce(join(config.ATTESTRY_DATA_DIR, OWN_FILE))
    }
    const { active, ended } = yield* keysOf(config)
    return active.length + ended.length === 0
      ? yield* LogSigner.LogSigner
      : yield* LogSigner.fromKeys(active, ended)
  })

/** Whether checkpoints are signed: some key is there, and has not ended. The store has started before. */
export const isSigning = (config: ServerConfig): Effect.Effect<boolean, LogFileFailed, Secrets> =>
  Effect.map(keysOf(config), ({ active }) => active.length > 0)

/** Signs logs with the keys of the file; without one, logs grow unsigned. */
export const layer = (
  config: ServerConfig
): Layer.Layer<never, LogFileFailed, StoreHealth | Secrets> =>
  Layer.effect(LogSigner.LogSigner, signer(config)).pipe(Layer.provide(SignaturesWebCrypto.layer))
