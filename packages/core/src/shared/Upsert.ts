/**
 * The result of a create-or-update, and how to do one without a lost race.
 *
 * SPEC §3.2: identical concurrent creates all succeed, and exactly one of them creates.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** The result of a create-or-update. */
export type Upsert = "created" | "updated" | "unchanged"

/** The three steps of a create-or-update, all in one transaction. */
export interface PutSteps<A, E1, R1, E2, R2, E3, R3> {
  /** The current value, locked until the transaction ends, or none. */
  readonly find: Effect.Effect<Option.Option<A>, E1, R1>
  /** Creates; `false` when a concurrent transaction has created it. */
  readonly insert: Effect.Effect<boolean, E2, R2>
  /** Updates the current value, or finds it unchanged. */
  readonly update: (current: A) => Effect.Effect<"updated" | "unchanged", E3, R3>
}

/**
 * Creates or updates. A create that loses a race finds the winner's value and updates it.
 *
 * INVARIANT: `insert` waits for a concurrent creator to commit before it returns `false`, so that the next
 * `find` sees the winner; when the winner is rolled back or renamed, the loop repeats.
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

/** The current value, or the given one after its creation; a lost race returns the winner's. */
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
