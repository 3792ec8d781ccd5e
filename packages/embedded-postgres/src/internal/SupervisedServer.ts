/**
 * Who restarts the server when it stops by itself?
 *
 * A fiber that lives as long as the scope. A killed server comes back at the same socket; while it
 * cannot, starting is tried again with growing pauses, and each failure is a warning in the server log.
 */
import * as Effect from "effect/Effect"
import * as MutableRef from "effect/MutableRef"
import * as Option from "effect/Option"
import * as Schedule from "effect/Schedule"
import type * as Scope from "effect/Scope"
import type { DataFolderInUse, DataFolderUnusable } from "../EmbeddedPostgresError.js"
import * as Postmaster from "./Postmaster.js"
import { inRealTime } from "./RealTime.js"

const pauses = Schedule.union(Schedule.exponential(100), Schedule.spaced(10_000))

const restartOnce = (plan: Postmaster.ServerPlan): Effect.Effect<void> =>
  Effect.gen(function* () {
    const server = MutableRef.get(plan.current)
    if (Option.isNone(server)) return yield* Effect.never
    const how = yield* server.value.ended
    const output = yield* server.value.output
    yield* Effect.logWarning(`the server stopped by itself (${how}): starting it again`).pipe(
      Effect.annotateLogs({ output })
    )
    yield* Postmaster.start(plan).pipe(
      Effect.tapError((error) => Effect.logWarning(error.message)),
      Effect.retry(pauses),
      // INVARIANT: the schedule never ends, so no failure is left.
      Effect.ignore
    )
    yield* Effect.logWarning("the server accepts connections again")
  }).pipe(Effect.annotateLogs({ dataDir: plan.folder.dataDir }))

/** Marks the listeners of the servers that this process runs. */
const OURS: unique symbol = Symbol("stops an embedded server")

/** The signals that end a process which has no listener for them. */
const ENDING = ["SIGTERM", "SIGINT", "SIGHUP"] as const

/**
 * Asks the server to stop when this process ends without closing its scopes: by an exit, or by a signal for which the
 * host has no listener. WHY not with one: such a host decides itself when it ends, and closes the scope before.
 */
const stopAtExit = ({ current }: Postmaster.ServerPlan): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const stop = () => Option.map(MutableRef.get(current), ({ signal }) => signal("SIGINT"))
      const stopBy = Object.assign(
        (name: NodeJS.Signals) => {
          if (process.listeners(name).some((listener) => !(OURS in listener))) return
          stop()
          process.off(name, stopBy)
          // WHY again: the process then ends by the signal, as it would have without this listener.
          if (process.listenerCount(name) === 0) process.kill(process.pid, name)
        },
        { [OURS]: true }
      )
      process.once("exit", stop)
      for (const name of ENDING) process.on(name, stopBy)
      return { stop, stopBy }
    }),
    ({ stop, stopBy }) =>
      Effect.sync(() => {
        process.off("exit", stop)
        for (const name of ENDING) process.off(name, stopBy)
      })
  )

/** Runs the server until the scope closes; it accepts connections when this returns. */
export const run = (
  plan: Postmaster.ServerPlan
): Effect.Effect<void, DataFolderInUse | DataFolderUnusable, Scope.Scope> =>
  Effect.gen(function* () {
    yield* Effect.addFinalizer(() => inRealTime(Postmaster.stop(plan)))
    yield* stopAtExit(plan)
    yield* Postmaster.start(plan)
    yield* Effect.forkScoped(Effect.forever(restartOnce(plan)))
  })
