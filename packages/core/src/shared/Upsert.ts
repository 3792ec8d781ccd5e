/**
 * What a create-or-replace did, and how to do one without losing a race.
 *
 * SPEC §3.2: identical creates that collide must all succeed, and exactly one of them created.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** What a create-or-replace did. */
export type Upsert = "created" | "updated" | "unchanged"

/** The three steps of a create-or-replace; all of them run in the same transaction. */
export interface PutSteps<A, E1, R1, E2, R2, E3, R3> {
  /** The current value, locked until the transaction ends, or none. */
  readonly find: Effect.Effect<Option.Option<A>, E1, R1>
  /** Creates; `false` when somebody else has created it in the meantime. */
  readonly insert: Effect.Effect<boolean, E2, R2>
  /** Replaces what is there, or finds that nothing differs. */
  readonly update: (current: A) => Effect.Effect<"updated" | "unchanged", E3, R3>
}

/**
 * Creates or replaces. A create that loses its race finds the winner's value and goes on as an update.
 *
 * INVARIANT: `insert` waits for a concurrent creator to commit before it says `false`, so one more
 * `find` sees the winner; without one (it rolled back or was renamed away) the loop simply goes on.
 */
export const put = <A, E1, R1, E2, R2, E3, R3>(
  steps: PutSteps<A, E1, R1, E2, R2, E3, R3>
): Effect.Effect<Upsert, E1 | E2 | E3, R1 | R2 | R3> =>
  Effect.flatMap(
    steps.find,
    Option.match({
      onSome: (current): Effect.Effect<Upsert, E3, R3> => steps.update(current),
      onNone: () =>
        Effect.flatMap(steps.insert, (created) =>
          created ? Effect.succeed<Upsert>("created") : put(steps)
        )
    })
  )

/** The current value, or the one given after creating it; a lost race gives the winner's. */
export const getOrCreate = <A, E1, R1, E2, R2>(
  steps: Pick<PutSteps<A, E1, R1, E2, R2, never, never>, "find" | "insert">,
  value: A
): Effect.Effect<readonly [value: A, created: boolean], E1 | E2, R1 | R2> =>
  Effect.flatMap(
    steps.find,
    Option.match({
      onSome: (current): Effect.Effect<readonly [A, boolean], E1 | E2, R1 | R2> =>
        Effect.succeed([current, false]),
      onNone: () =>
        Effect.flatMap(steps.insert, (created) =>
          created ? Effect.succeed([value, true] as const) : getOrCreate(steps, value)
        )
    })
  )
