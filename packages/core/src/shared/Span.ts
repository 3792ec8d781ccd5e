/** Spans where every request passes: made only while something traces, and without a stack trace. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/** Runs work inside a span of that name; while nothing traces, the work is all that runs. */
export const withSpan = <A, E, R>(
  name: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? Effect.withSpan(work, name, { captureStackTrace: false })
      : work
  )
