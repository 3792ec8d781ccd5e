/**
 * Something that is held until the scope closes, for what every statement takes and gives back.
 *
 * WHY not `Effect.acquireRelease`: before its release it compares all services of the fiber with those of the
 * acquisition and puts these in their place, which costs more than the statement where a fiber has hundreds. The
 * releases here use no service.
 */
import * as Effect from "effect/Effect"
import * as Scope from "effect/Scope"

/** Acquires without interruption, and releases when the scope closes. */
export const make = <A, E, R>(
  acquire: Effect.Effect<A, E, R>,
  release: (acquired: A) => void
): Effect.Effect<A, E, R | Scope.Scope> =>
  Effect.uninterruptible(
    Effect.flatMap(Effect.scope, (scope) =>
      Effect.tap(acquire, (acquired) =>
        Scope.addFinalizer(
          scope,
          Effect.sync(() => release(acquired))
        )
      )
    )
  )
