/**
 * Work that is begun with a callback, and not by a fiber.
 *
 * For what runs once for every delivery, from the worker down to the socket: sockets speak in callbacks, and
 * a fiber for each attempt would cost half as much as the attempt. Whatever is rarer is an `Effect`; one is
 * made of the other here. DECISION B-118
 */
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Exit from "effect/Exit"
import * as FiberId from "effect/FiberId"
import * as Runtime from "effect/Runtime"
import * as RuntimeFlags from "effect/RuntimeFlags"

/** Gives up what was begun: nothing is told after that. Does nothing once the work has ended. */
export type Cancel = () => void

/**
 * Begins work, which tells its one outcome, now or later. INVARIANT: a task never throws; a defect is an
 * outcome like every other. Who is told does not throw either.
 */
export type Task<A, E = never> = (done: (exit: Exit.Exit<A, E>) => void) => Cancel

const nothingToCancel: Cancel = () => {}

/** Work that has ended already. */
export const ended =
  <A, E>(exit: Exit.Exit<A, E>): Task<A, E> =>
  (done) => {
    done(exit)
    return nothingToCancel
  }

/** Work that has succeeded. */
export const succeed = <A>(value: A): Task<A> => ended(Exit.succeed(value))

/** Work that has failed. */
export const fail = <E>(error: E): Task<never, E> => ended(Exit.fail(error))

/** Decides what to do when it is begun; what deciding throws is the outcome. */
export const suspend =
  <A, E>(decide: () => Task<A, E>): Task<A, E> =>
  (done) => {
    let task: Task<A, E>
    try {
      task = decide()
    } catch (defect) {
      task = ended(Exit.die(defect))
    }
    return task(done)
  }

/** What follows an end: each to its own. */
export interface Follow<A, E, B> {
  readonly onFailure: (error: E) => B
  readonly onSuccess: (value: A) => B
}

/** Goes on with other work; defects and interruptions end both. */
export const matchTask =
  <A, E, B, F>(self: Task<A, E>, follow: Follow<A, E, Task<B, F>>): Task<B, F> =>
  (done) => {
    const next = (exit: Exit.Exit<A, E>): Task<B, F> => {
      if (Exit.isSuccess(exit)) return follow.onSuccess(exit.value)
      const cause = Cause.failureOrCause(exit.cause)
      return Either.isLeft(cause)
        ? follow.onFailure(cause.left)
        : ended(Exit.failCause(cause.right))
    }
    let cancelNext: Cancel | undefined
    const cancelFirst = self((exit) => {
      cancelNext = suspend(() => next(exit))(done)
    })
    return () => (cancelNext ?? cancelFirst)()
  }

/** Makes one value of either outcome; defects and interruptions stay what they are. */
export const match = <A, E, B>(self: Task<A, E>, follow: Follow<A, E, B>): Task<B> =>
  matchTask(self, {
    onFailure: (error) => succeed(follow.onFailure(error)),
    onSuccess: (value) => succeed(follow.onSuccess(value))
  })

/** The work as an effect: begun when that runs, given up when that is interrupted. */
export const toEffect = <A, E>(task: Task<A, E>): Effect.Effect<A, E> =>
  Effect.async((resume) => Effect.sync(task(resume)))

/** Turns effects into tasks, with the services and the settings of the fiber that asks for this. */
export const runner: Effect.Effect<<A, E>(effect: Effect.Effect<A, E>) => Task<A, E>> = Effect.map(
  Effect.runtime<never>(),
  (current) => {
    // WHY: metrics of every fiber cost as much as a small effect; attempts have metrics of their own.
    const fork = Runtime.runFork(Runtime.disableRuntimeFlag(current, RuntimeFlags.RuntimeMetrics))
    return <A, E>(effect: Effect.Effect<A, E>): Task<A, E> =>
      (done) => {
        let isGivenUp = false
        const fiber = fork(effect)
        fiber.addObserver((exit) => {
          if (!isGivenUp) done(exit)
        })
        return () => {
          isGivenUp = true
          fiber.unsafeInterruptAsFork(FiberId.none)
        }
      }
  }
)
