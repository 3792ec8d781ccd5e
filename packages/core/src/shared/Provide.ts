/**
 * Providing services where every request passes.
 *
 * WHY not the library's own: it guards against more than can happen here, and takes twenty steps of a fiber to it,
 * which is as much as many a use case. The one difference: when the work is interrupted, what its fiber still does
 * on the way out sees the services as well, unless the provision itself cannot be interrupted.
 */
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

const setContext = (context: Context.Context<never>): Effect.Effect<void> =>
  FiberRef.set(FiberRef.currentContext, context)

/** Runs work in a context that is made from the one around it. */
export const context = <A, E, R, R0>(
  work: Effect.Effect<A, E, R>,
  change: (around: Context.Context<R0>) => Context.Context<R>
): Effect.Effect<A, E, R0> =>
  Effect.withFiberRuntime((fiber) => {
    const around = fiber.currentContext
    const restore = setContext(around)
    // WHY: what a fiber's context holds is told by the types of its effects, and not by its own.
    const changed = change(around as Context.Context<R0>) as Context.Context<never>
    // WHY: everything that the work requires is in the changed context.
    const provided = work as Effect.Effect<A, E>
    return Effect.zipRight(
      setContext(changed),
      Effect.matchCauseEffect(provided, {
        onSuccess: (found) => Effect.as(restore, found),
        onFailure: (cause) => Effect.zipRight(restore, Effect.failCause(cause))
      })
    )
  })

/** Runs work with one more service. */
export const service = <A, E, R, I, S>(
  work: Effect.Effect<A, E, R>,
  tag: Context.Tag<I, S>,
  value: S
): Effect.Effect<A, E, Exclude<R, I>> =>
  context(
    work,
    // WHY: all that is required but for this service, and this service, is all that is required.
    (around: Context.Context<Exclude<R, I>>) =>
      Context.add(around, tag, value) as Context.Context<never> as Context.Context<R>
  )
