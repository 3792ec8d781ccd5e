/**
 * Begins and ends the silences of environments. The caller holds the environment's lock. SPEC §3.23
 *
 * A silence is recorded once, at the instant at which it became certain, whichever process looks first: every look
 * decides anew under the lock. Snapshots follow from the environment: `SnapshotHistory` reads its silence.
 */
import * as Effect from "effect/Effect"
import type { WriteContext } from "../../access/internal/WriteContext.js"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import * as Silence from "../../environment/Silence.js"
import { Journals } from "../../journal/Journals.js"
import type { StoreError } from "../../shared/StoreError.js"
import { fromMicros, plusSeconds, type Timestamp } from "../../shared/Timestamp.js"
import { SnapshotListener } from "./SnapshotListener.js"

type Env = Environment.Environment

/** A look at an environment. */
export interface Look {
  /** The instant that it is for. */
  readonly asOf: Timestamp
  /** The instant before which no silence was certain. */
  readonly notBefore?: Timestamp
}

const ended = ({ silent_since: _, ...environment }: Env): Env => environment

/** Begins and ends silences. */
export class Silences extends Effect.Service<Silences>()("@attestry/core/Silences", {
  effect: Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const journals = yield* Journals
    const listener = yield* SnapshotListener

    const record = (
      writer: WriteContext,
      { id }: Env,
      { kind, content }: { readonly kind: string; readonly content: object }
    ) => journals.record({ ...writer, kind, subject: { type: "environment", id }, content })

    /** Closes the open silence of an environment. */
    const close = (environment: Env, at: Timestamp) =>
      Effect.gen(function* () {
        const { silent_since: since } = environment
        if (since === undefined) return undefined
        const to_at = Silence.endOf(since, at)
        yield* store.closeSilence(Environment.ref(environment), to_at)
        return { since, content: { silent_since: since, to_at } }
      })

    const begin = (writer: WriteContext, environment: Env, since: Timestamp) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        yield* store.openSilence(ref, since)
        // WHY once more: another process may have accepted a report whose time it has not stored yet.
        yield* store.setSilenceDue(ref, plusSeconds(writer.at, Silence.GRACE_SECONDS))
        const silent = { ...environment, silent_since: since }
        const { sequence } = yield* record(writer, silent, {
          kind: "environment_silent",
          content: { silent_since: since }
        })
        yield* listener.silent({ writer, environment: silent, since, sequence })
        return silent
      })

    /**
     * Ends the silence of an environment that reported at an instant, and returns the environment without it. An
     * environment that is not silent stays as it is.
     */
    const end = (
      writer: WriteContext,
      environment: Env,
      reported: Timestamp
    ): Effect.Effect<Env, StoreError> =>
      Effect.gen(function* () {
        const closed = yield* close(environment, reported)
        if (closed === undefined) return environment
        const kind = "environment_reporting"
        const { sequence } = yield* record(writer, environment, { kind, content: closed.content })
        const reporting = ended(environment)
        yield* listener.reporting({
          writer,
          environment: reporting,
          silentSince: closed.since,
          sequence
        })
        return reporting
      })

    /** Stores the next look at an environment that has just reported. */
    const reported = (environment: Env, at: Timestamp): Effect.Effect<void, StoreError> =>
      environment.report_every === undefined
        ? Effect.void
        : store.setSilenceDue(
            Environment.ref(environment),
            Silence.nextLook({ ...environment, last_reported_at: at })
          )

    /**
     * Looks at an environment as of an instant, and stores when to look next. Returns the environment as it is then,
     * and the instant at which its verdict may have changed; null where no silence began or ended. A cadence that is
     * new makes no silence that was certain before it.
     */
    const look = (
      writer: WriteContext,
      environment: Env,
      { asOf, notBefore }: Look
    ): Effect.Effect<
      { readonly environment: Env; readonly changedAt: Timestamp | null },
      StoreError
    > =>
      Effect.gen(function* () {
        const decision = Silence.decide(environment, asOf)
        if (decision._tag === "Begin") {
          const changedAt = fromMicros(Math.max(decision.due, notBefore ?? decision.due))
          return { environment: yield* begin(writer, environment, decision.since), changedAt }
        }
        if (decision._tag === "End") {
          const reporting = yield* end(writer, environment, decision.at)
          const until = Silence.nextLook(reporting)
          yield* store.setSilenceDue(Environment.ref(environment), until)
          return { environment: reporting, changedAt: decision.at }
        }
        yield* store.setSilenceDue(Environment.ref(environment), decision.until)
        return { environment, changedAt: null }
      })

    /** Ends the silence of an environment if it would not have begun with its new cadence. */
    const revised = (writer: WriteContext, environment: Env): Effect.Effect<Env, StoreError> =>
      Effect.gen(function* () {
        const begins = Silence.decide(ended(environment), writer.at)._tag === "Begin"
        const closed = begins ? undefined : yield* close(environment, writer.at)
        if (closed === undefined) return environment
        const kind = "environment_silence_ended"
        yield* record(writer, environment, { kind, content: closed.content })
        return ended(environment)
      })

    return { end, reported, look, revised } as const
  })
}) {}
