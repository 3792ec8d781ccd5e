/** The plain reader decodes units in parts; that makes no difference to what it answers. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import * as RunningRow from "../../src/environment/RunningRow.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import * as PlainReportReader from "../../src/report/internal/PlainReportReader.js"
import { EnvironmentName, OrgId } from "../../src/shared/Identifier.js"

const unitOf = (at: number) => ({
  digests: { [`image${at % 200}`]: (at % 300).toString(16).padStart(64, "0") },
  creationTimestamp: (at * 7_919) % 1_000
})

/** Lengths around those of whole parts. */
const length = FastCheck.oneof(
  FastCheck.integer({ min: 0, max: 1_100 }),
  FastCheck.constantFrom(255, 256, 257, 511, 512, 513)
)

/** Large reports take a while each. */
const runs = { fastCheck: { numRuns: 25 } }

const read = (value: unknown) =>
  PlainReportReader.read({
    org: OrgId.make("00000000-0000-4000-8000-000000000000"),
    name: EnvironmentName.make("prod"),
    kind: "docker",
    text: JSON.stringify(value)
  })

describe("PlainReportReader", () => {
  it.effect.prop(
    "answers the rows of the whole report",
    { length },
    ({ length }) =>
      Effect.gen(function* () {
        const report = { artifacts: Array.from({ length }, (_, at) => unitOf(at)) }
        const rows = EnvironmentReport.rows(
          "docker",
          Either.getOrThrow(EnvironmentReport.decode("docker", report))
        )
        const content = yield* read(report)
        assert.deepStrictEqual(yield* content.rows, rows)
        for (const includeScaling of [false, true])
          assert.strictEqual(
            yield* content.runningSetText({ includeScaling }),
            RunningRow.runningSetText(rows, { includeScaling })
          )
      }),
    runs
  )

  it.effect.prop(
    "names the unit that is wrong by its place",
    { length },
    ({ length }) =>
      Effect.gen(function* () {
        const units = Array.from({ length }, (_, at) => unitOf(at))
        const { errors } = yield* Effect.flip(read({ artifacts: [...units, { digests: 1 }] }))
        assert.isTrue(
          Object.keys(errors).every((field) => field.startsWith(`artifacts[${length}]`))
        )
      }),
    runs
  )
})
