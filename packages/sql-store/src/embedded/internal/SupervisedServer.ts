/**
 * Who restarts the server when it stops by itself?
 *
 * A fiber that lives as long as the scope. A killed server comes back at the same socket; while it
 * cannot, starting is tried again with growing pauses, and each failure is a warning in the log.
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
    const log = yield* server.value.log
    yield* Effect.logWarning(`the server stopped by itself (${how}): starting it again`).pipe(
      Effect.annotateLogs({ log })
    )
    yield* Postmaster.start(plan).pipe(
      Effect.tapError((error) => Effect.logWarning(error.message)),
      Effect.retry(pauses),
      // INVARIANT: the schedule never ends, so no failure is left.
      Effect.ignore
    )
    yield* Effect.logWarning("the server accepts connections again")
  }).pipe(Effect.annotateLogs({ dataDir: plan.folder.dataDir }))

/** Asks the server to stop when this process exits without closing its scopes. */
const stopAtExit = ({ current }: Postmaster.ServerPlan): Effect.Effect<void, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const listener = () => Option.map(MutableRef.get(current), ({ signal }) => signal("SIGINT"))
      process.once("exit", listener)
      return listener
    }),
    (listener) => Effect.sync(() => process.off("exit", listener))
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
