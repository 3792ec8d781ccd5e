/**
 * Providing services where every request passes.
 *
 * WHY not the library's own: it guards against more than can happen here, and takes twenty steps of a fiber to it,
 * which is as much as many a use case. The one difference: when the work is interrupted, what its fiber still does
 * on the way out sees the services as well, unless the provision itself cannot be interrupted.
 */
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import type * as FiberId from "effect/FiberId"
import * as FiberRef from "effect/FiberRef"
import * as FiberRefs from "effect/FiberRefs"

/** A fiber as it is at run time: its public type leaves out what only the fiber itself may do. */
interface OwnRefs {
  /** WHY not as its method gives them: that copies them all for each call. */
  readonly _fiberRefs: FiberRefs.FiberRefs
  readonly setFiberRef: <A>(ref: FiberRef.FiberRef<A>, value: A) => void
  readonly setFiberRefs: (refs: FiberRefs.FiberRefs) => void
}

/** The refs of a fiber with another context. WHY not its method: that compares the contexts, part by part. */
const withContext = (
  { locals }: FiberRefs.FiberRefs,
  fiber: FiberId.Single,
  context: Context.Context<never>
): FiberRefs.FiberRefs => {
  const before = locals.get(FiberRef.currentContext) ?? []
  const inherited = before[0]?.[0] === fiber ? before.slice(1) : before
  return FiberRefs.unsafeMake(
    new Map(locals).set(FiberRef.currentContext, [[fiber, context], ...inherited])
  )
}

/** How work ends in a context that is made from the one around it. */
export const exit = <A, E, R, R0>(
  work: Effect.Effect<A, E, R>,
  change: (around: Context.Context<R0>) => Context.Context<R>
): Effect.Effect<Exit.Exit<A, E>, never, R0> =>
  Effect.withFiberRuntime((fiber) => {
    // WHY: every fiber that runs has these, and the fiber itself is who takes each step below.
    const own = fiber as unknown as OwnRefs
    const around = fiber.currentContext
    const before = own._fiberRefs
    // WHY: what a fiber's context holds is told by the types of its effects, and not by its own.
    const changed = change(around as Context.Context<R0>) as Context.Context<never>
    const during = withContext(before, fiber.id(), changed)
    own.setFiberRefs(during)
    const restore = () => {
      // WHY: to go back as a whole costs nothing, and is right where nothing else was set meanwhile.
      if (own._fiberRefs === during) own.setFiberRefs(before)
      else own.setFiberRef(FiberRef.currentContext, around)
    }
    // WHY: everything that the work requires is in the changed context.
    return Effect.matchCauseEffect(work as Effect.Effect<A, E>, {
      onSuccess: (found) => {
        restore()
        return Effect.succeed(Exit.succeed(found))
      },
      onFailure: (cause) => {
        restore()
        return Effect.succeed(Exit.failCause(cause))
      }
    })
  })
