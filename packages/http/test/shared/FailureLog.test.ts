/** What is logged of failures: each kind once and then its number, with a cause unless it is expected. */
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Logger, TestClock } from "effect"
import * as FailureLog from "../../src/shared/internal/FailureLog.js"

interface Line {
  readonly level: string
  readonly message: string
  readonly hasCause: boolean
  readonly repeated: unknown
}

const logging = () => {
  const lines: Array<Line> = []
  const logger = Logger.make(({ annotations, cause, logLevel, message }) => {
    lines.push({
      level: logLevel.label,
      message: String(message),
      hasCause: !Cause.isEmpty(cause),
      repeated: [...annotations].find(([name]) => name === "repeated")?.[1]
    })
  })
  return { lines, layer: Logger.replace(Logger.defaultLogger, logger) }
}

const LEVELS = [
  [false, "ERROR"],
  [true, "WARN"]
] as const

describe("the log of failures", () => {
  for (const [isExpected, level] of LEVELS)
    it.effect(`has a failure at the level ${level}, and then how often it was repeated`, () => {
      const { layer, lines } = logging()
      const log = FailureLog.make()
      const failure = { message: "answered 503", cause: new Error("no"), annotations: {} }
      return Effect.gen(function* () {
        for (let count = 0; count < 3; count++) yield* log({ ...failure, isExpected })
        yield* TestClock.adjust("5 seconds")
        yield* TestClock.adjust("5 seconds")
        yield* log({ ...failure, isExpected })
        const first = { level, message: "answered 503: no", hasCause: !isExpected }
        assert.deepStrictEqual(lines, [
          { ...first, repeated: undefined },
          { level, message: "answered 503 again: answered 503 no", hasCause: false, repeated: 2 },
          { ...first, repeated: undefined }
        ])
      }).pipe(Effect.provide(layer))
    })
})
