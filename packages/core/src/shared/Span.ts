/** Spans on hot paths: created only while tracing is enabled, without a stack trace. */
import * as Effect from "effect/Effect"
import * as FiberRef from "effect/FiberRef"

/** Runs work inside a span of that name; without tracing, runs only the work. */
export const withSpan = <A, E, R>(
  name: string,
  work: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.withFiberRuntime((fiber) =>
    fiber.getFiberRef(FiberRef.currentTracerEnabled)
      ? Effect.withSpan(work, name, { captureStackTrace: false })
      : work
  )
