/**
 * The file of the keys that sign logs, outside of the database. DECISION B-339
 *
 * The embedded store has one in its data folder and makes it at its first start. For other stores the operator makes
 * it: servers of one database share it, so none of them may invent a key.
 */
import { readFile, writeFile } from "node:fs/promises"
import { join } from "node:path"
import * as LogKey from "@attestry/core/LogKey"
import * as LogSigner from "@attestry/core/LogSigner"
import { Secrets } from "@attestry/core/Secrets"
import { StoreHealth } from "@attestry/core/StoreHealth"
import * as SignaturesWebCrypto from "@attestry/core/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
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

const readKeys = (file: string) =>
  Effect.gen(function* () {
    const text = yield* Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: failed("read", file)
    })
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
        writeFile(file, LogKey.printLine({ generation: 1, seed }), { mode: 0o600, flag: "wx" }),
      catch: (cause) => cause
    }).pipe(
      Effect.catchIf(
        (cause) => codeOf(cause) === "EEXIST",
        () => Effect.void
      ),
      Effect.mapError(failed("write", file))
    )
  })

const signer = (config: ServerConfig) =>
  Effect.gen(function* () {
    // WHY: the data folder is there when the store is.
    yield* StoreHealth
    const own = join(config.ATTESTRY_DATA_DIR, OWN_FILE)
    const isOwn = config.ATTESTRY_LOG_KEY_FILE === undefined
    if (isOwn && config.ATTESTRY_STORE !== "embedded") return yield* LogSigner.LogSigner
    if (isOwn) yield* makeOnce(own)
    return yield* LogSigner.fromKeys(yield* readKeys(config.ATTESTRY_LOG_KEY_FILE ?? own))
  })

/** Signs logs with the keys of the file; without one, logs grow unsigned. */
export const layer = (
  config: ServerConfig
): Layer.Layer<never, LogFileFailed, StoreHealth | Secrets> =>
  Layer.effect(LogSigner.LogSigner, signer(config)).pipe(Layer.provide(SignaturesWebCrypto.layer))
