/**
 * Whether the current write is a dry run, whose transaction is rolled back. DECISIONS.md, "A dry run is a write that is
 * rolled back"
 *
 * A transaction undoes what stores write. Work that a rollback does not reach asks this first: heartbeats, which are
 * written later, waiting for other requests of this process, evaluations whose results are cached, and checkpoints,
 * which are remembered outside of the store.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"

/** Whether the current write is a dry run. */
export class DryRun extends Context.Reference<DryRun>()("@attestry/core/DryRun", {
  defaultValue: () => false
}) {}

/** Runs work unless the current write is a dry run. */
export const unless = <A, E, R>(work: Effect.Effect<A, E, R>): Effect.Effect<void, E, R> =>
  Effect.flatMap(DryRun, (isDryRun) => (isDryRun ? Effect.void : Effect.asVoid(work)))
