/**
 * Port: the newest checkpoints of our logs that witnesses serve. With it a database that was set back is noticed where
 * no file remembers what was signed. The default asks no witness. DECISIONS.md, "Nothing inconsistent is signed"
 */

import * as Base64 from "@attestry/transparency-log/Base64"
import * as Checkpoint from "@attestry/transparency-log/Checkpoint"
import { Notes } from "@attestry/transparency-log/Notes"
import * as SignedNote from "@attestry/transparency-log/SignedNote"
import type { PolicyWitness } from "@attestry/transparency-log/WitnessPolicy"
import * as Clock from "effect/Clock"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type { WitnessUnreachable } from "./Cosigning.js"
import { LogSigner } from "./LogSigner.js"
import type { RememberedCheckpoint } from "./LogState.js"
import { originHash } from "./Witness.js"

/** What witnesses know. */
export interface Witnessed {
  /** Whether there is a witness that can be asked. */
  readonly isAsked: boolean
  /** The largest checkpoint of a log that a witness serves and that a key of the log has signed. */
  readonly find: (origin: string) => Effect.Effect<Option.Option<RememberedCheckpoint>>
}

/** Port: what witnesses know. */
export class WitnessedCheckpoints extends Context.Reference<WitnessedCheckpoints>()(
  "@attestry/core/WitnessedCheckpoints",
  {
    defaultValue: (): Witnessed => ({ isAsked: false, find: () => Effect.succeed(Option.none()) })
  }
) {}

/** Reads an address. */
export type Read = (
  url: string
) => Effect.Effect<{ readonly status: number; readonly body: string }, WitnessUnreachable>

/** How long after an answer that was missing the witnesses are asked again. */
const RETRY_MILLIS = 60_000

/** What is known of a log, and when a missing answer is asked for again; null when all have answered. */
interface Known {
  readonly largest: Option.Option<RememberedCheckpoint>
  readonly askAt: number | null
}

const larger = (
  left: Option.Option<RememberedCheckpoint>,
  right: Option.Option<RememberedCheckpoint>
) => (Option.exists(left, ({ size }) => Option.exists(right, (r) => r.size > size)) ? right : left)

/** Asks witnesses once for each log, and again where one did not answer, in the background. */
export const make = (
  witnesses: ReadonlyArray<PolicyWitness>,
  read: Read
): Effect.Effect<Witnessed, never, Notes> =>
  Effect.gen(function* () {
    const [signer, notes] = [yield* LogSigner, yield* Notes]
    const known = new Map<string, Known>()
    const urls = witnesses.flatMap(({ url }) => Option.toArray(url))

    /** What a note says, if a key of the log has signed it: a witness alone stops no log. */
    const readNote = (origin: string, note: string) =>
      Effect.gen(function* () {
        const keys = (yield* signer.keys(origin)).flatMap(({ vkey }) =>
          Option.toArray(SignedNote.parseKey(vkey))
        )
        return (yield* notes.open(note, keys)).pipe(
          Option.flatMap(({ text }) => Checkpoint.parse(text)),
          Option.filter((said) => said.origin === origin),
          Option.map(({ size, root }) => ({ size, root: Base64.encode(root) }))
        )
      })

    /** Undefined without an answer. */
    const askOne = (origin: string, url: string) =>
      Effect.gen(function* () {
        const address = `${url.replace(/\/+$/, "")}/${originHash(origin)}/checkpoint`
        const { status, body } = yield* read(address)
        if (status === 404) return Option.none<RememberedCheckpoint>()
        return status === 200 ? yield* readNote(origin, body) : undefined
      }).pipe(Effect.catchTag("WitnessUnreachable", () => Effect.succeed(undefined)))

    const ask = (origin: string) =>
      Effect.gen(function* () {
        const answers = yield* Effect.forEach(urls, (url) => askOne(origin, url), {
          concurrency: "unbounded"
        })
        const before = known.get(origin)?.largest ?? Option.none()
        const largest = answers.reduce<Option.Option<RememberedCheckpoint>>(
          (most, answer) =>
            Option.isNone(most) ? (answer ?? most) : larger(most, answer ?? Option.none()),
          before
        )
        const isWhole = answers.every((answer) => answer !== undefined)
        const now = yield* Clock.currentTimeMillis
        known.set(origin, { largest, askAt: isWhole ? null : now + RETRY_MILLIS })
        return largest
      })

    const find = (origin: string) =>
      Effect.gen(function* () {
        const there = known.get(origin)
        if (there === undefined) return yield* ask(origin)
        const now = yield* Clock.currentTimeMillis
        if (there.askAt !== null && there.askAt <= now) {
          known.set(origin, { ...there, askAt: now + RETRY_MILLIS })
          // WHY in the background: readers of a log do not wait for a witness that is down.
          yield* Effect.forkDaemon(ask(origin))
        }
        return there.largest
      })

    return { isAsked: urls.length > 0, find }
  })
