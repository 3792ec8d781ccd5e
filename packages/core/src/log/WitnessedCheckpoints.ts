/**
 * Port: the newest checkpoints of our logs that witnesses serve. They reveal a database that was restored to an
 * earlier state even if no state file remembers checkpoints. The default asks no witness. DECISIONS.md, "Nothing
 * inconsistent is signed"
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

/** Reads checkpoints from witnesses. */
export interface Witnessed {
  /** Whether a witness is configured. */
  readonly isAsked: boolean
  /** The largest checkpoint of a log that a witness serves and that a key of the log has signed. */
  readonly find: (origin: string) => Effect.Effect<Option.Option<RememberedCheckpoint>>
}

/** Port: checkpoints that witnesses serve. */
export class WitnessedCheckpoints extends Context.Reference<WitnessedCheckpoints>()(
  "@attestry/core/WitnessedCheckpoints",
  {
    defaultValue: (): Witnessed => ({ isAsked: false, find: () => Effect.succeed(Option.none()) })
  }
) {}

/** Fetches a URL. */
export type Read = (
  url: string
) => Effect.Effect<{ readonly status: number; readonly body: string }, WitnessUnreachable>

/** How long to wait before witnesses are asked again if one has not answered. */
const RETRY_MILLIS = 60_000

/** The known checkpoint of a log, and when to ask again; null once all witnesses have answered. */
interface Known {
  readonly largest: Option.Option<RememberedCheckpoint>
  readonly askAt: number | null
}

const larger = (
  left: Option.Option<RememberedCheckpoint>,
  right: Option.Option<RememberedCheckpoint>
) => (Option.exists(left, ({ size }) => Option.exists(right, (r) => r.size > size)) ? right : left)

/** Asks witnesses once per log. If one does not answer, asks again in the background. */
export const make = (
  witnesses: ReadonlyArray<PolicyWitness>,
  read: Read
): Effect.Effect<Witnessed, never, Notes> =>
  Effect.gen(function* () {
    const [signer, notes] = [yield* LogSigner, yield* Notes]
    const known = new Map<string, Known>()
    const urls = witnesses.flatMap(({ url }) => Option.toArray(url))

    /**
     * The checkpoint of a note, if a key of the log has signed it. WHY the key: a witness alone must not be able to
     * stop a log.
     */
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

    /** Undefined if the witness does not answer. */
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
          // WHY in the background: readers of a log do not wait for an unreachable witness.
          yield* Effect.forkDaemon(ask(origin))
        }
        return there.largest
      })

    return { isAsked: urls.length > 0, find }
  })
