/**
 * The files about witnesses: the policy by which our logs are cosigned, and the key and the logs of others with which
 * this server cosigns itself.
 */
import { readFile } from "node:fs/promises"
import { LogPublishing } from "@attestry/core/LogPublishing"
import * as Witness from "@attestry/core/Witness"
import type { Dispatch } from "@attestry/http/HttpMessage"
import * as WitnessSite from "@attestry/http/WitnessSite"
import * as LogKey from "@attestry/transparency-log/LogKey"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import * as WitnessPolicy from "@attestry/transparency-log/WitnessPolicy"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Predicate from "effect/Predicate"
import type { ServerConfig } from "../ServerConfig.js"
import { LogFileFailed } from "./LogKeyFile.js"

type Setting =
  | "ATTESTRY_WITNESS_POLICY_FILE"
  | "ATTESTRY_WITNESS_LOGS_FILE"
  | "ATTESTRY_WITNESS_KEY_FILE"

const failed = (setting: Setting, problem: string) => new LogFileFailed({ setting, problem })

const codeOf = (cause: unknown): string =>
  Predicate.hasProperty(cause, "code") ? String(cause.code) : String(cause)

/** The content of the file of a setting; none without the setting. */
const read = <A>(
  config: ServerConfig,
  setting: Setting,
  parse: (text: string) => Either.Either<A, string>
): Effect.Effect<Option.Option<A>, LogFileFailed> =>
  Effect.gen(function* () {
    const file = config[setting]
    if (file === undefined) return Option.none()
    const text = yield* Effect.tryPromise({
      try: () => readFile(file, "utf8"),
      catch: (cause) => failed(setting, `cannot read \`${file}\`: ${codeOf(cause)}`)
    })
    return Option.some(
      yield* Either.mapLeft(parse(text), (problem) => failed(setting, `\`${file}\`: ${problem}`))
    )
  })

/** Which checkpoints are published, by the policy of the file. */
export const layerPublishing = (config: ServerConfig): Layer.Layer<never, LogFileFailed> =>
  Layer.effect(
    LogPublishing,
    Effect.map(read(config, "ATTESTRY_WITNESS_POLICY_FILE", WitnessPolicy.parse), (policy) => ({
      policy,
      mode: config.ATTESTRY_LOG_PUBLISH
    }))
  )

/** The keys of logs, one on each line; empty lines and lines with `#` are ignored. */
const parseLogs = (text: string): Either.Either<ReadonlyArray<SignedNote.VerifierKey>, string> => {
  const logs: Array<SignedNote.VerifierKey> = []
  for (const [place, line] of text.split(/\r?\n/).entries()) {
    if (line.trim() === "" || line.startsWith("#")) continue
    const key = SignedNote.parseKey(line)
    if (Option.isNone(key) || key.value.type !== SignedNote.ED25519) {
      return Either.left(`line ${place + 1} is not the key of a log`)
    }
    logs.push(key.value)
  }
  return Either.right(logs)
}

/** Who this server is as a witness; none without both files. */
const identityOf = (config: ServerConfig, publicUrl: string) =>
  Effect.gen(function* () {
    const logs = yield* read(config, "ATTESTRY_WITNESS_LOGS_FILE", parseLogs)
    const keys = yield* read(config, "ATTESTRY_WITNESS_KEY_FILE", LogKey.parse)
    if (Option.isSome(logs) !== Option.isSome(keys)) {
      const missing = Option.isSome(logs)
        ? "ATTESTRY_WITNESS_KEY_FILE"
        : "ATTESTRY_WITNESS_LOGS_FILE"
      return yield* failed(missing, "a witness has both a key and logs")
    }
    const key = Option.flatMap(keys, ([first]) => Option.fromNullable(first))
    return Option.zipWith(logs, key, (all, own) => ({
      name: Witness.nameOf(publicUrl),
      key: own,
      logs: all
    }))
  })

/** The same function, which also answers as a witness where the server is one. */
export const front = (config: ServerConfig, publicUrl: string, dispatch: Dispatch) =>
  Effect.gen(function* () {
    const identity = yield* identityOf(config, publicUrl)
    if (Option.isNone(identity)) return dispatch
    const witness = yield* Effect.provide(
      Witness.Witness,
      Witness.Witness.Default.pipe(
        Layer.provide(Layer.succeed(Witness.WitnessIdentity, identity)),
        Layer.provide(Notes.Default),
        Layer.provide(SignaturesWebCrypto.layer)
      )
    )
    return WitnessSite.front(witness, dispatch)
  })
