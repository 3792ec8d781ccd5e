/** A report may say its kind once more, by either word; it means the same with and without. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Either, FastCheck } from "effect"
import { PhysicalKind, wordsOf } from "../../src/environment/EnvironmentKind.js"
import * as FastReportReader from "../../src/report/FastReportReader.js"
import type { ReportContent } from "../../src/report/ReportContent.js"
import { ReportReader } from "../../src/report/ReportReader.js"
import { EnvironmentName, OrgId } from "../../src/shared/Identifier.js"
import { kindAndReport } from "../../testing/EnvironmentReport.js"

const org = OrgId.make("o")
const name = EnvironmentName.make("e")

const said = (content: ReportContent) =>
  Effect.all({
    texts: Effect.forEach([false, true], (includeScaling) =>
      content.runningSetText({ includeScaling })
    ),
    rows: content.rows
  })

/** What each reader says of texts that it reads one after another, or which fields it refuses. */
const readings = (kind: PhysicalKind, texts: ReadonlyArray<string>) => {
  const read = Effect.flatMap(ReportReader, (reader) =>
    Effect.forEach(texts, (text) =>
      reader.read({ org, name, kind, text }).pipe(
        Effect.flatMap(said),
        Effect.mapError(({ errors }) => Object.keys(errors)),
        Effect.either
      )
    )
  )
  return Effect.all([read, Effect.provide(read, FastReportReader.layer)])
}

/** The kind once more, and where it stands. */
const typed = kindAndReport.chain(({ kind, report }) =>
  FastCheck.record({
    kind: FastCheck.constant(kind),
    report: FastCheck.constant(report),
    type: FastCheck.constantFrom(null, ...wordsOf(kind)),
    isFirst: FastCheck.boolean()
  })
)

describe("the type of a report", () => {
  it.effect.prop("changes nothing, for both readers", { given: typed }, ({ given }) =>
    Effect.gen(function* () {
      const { kind, report, type, isFirst } = given
      const { artifacts } = report
      const plain = JSON.stringify({ artifacts })
      const text = JSON.stringify(isFirst ? { type, artifacts } : { artifacts, type })
      for (const [first, ...others] of yield* readings(kind, [plain, text, plain, text])) {
        assert.isTrue(first !== undefined && Either.isRight(first))
        for (const other of others) assert.deepStrictEqual(other, first)
      }
    })
  )

  it.each(PhysicalKind.literals)("is refused where it is another one than %s", async (kind) => {
    const wrong = [...PhysicalKind.literals, "logical", "", 1, kind.toLowerCase()].filter(
      (word) => !wordsOf(kind).some((known) => known === word)
    )
    const texts = wrong.map((type) => JSON.stringify({ type, artifacts: [] }))
    for (const reading of await Effect.runPromise(readings(kind, texts))) {
      assert.deepStrictEqual<unknown>(
        reading,
        wrong.map(() => Either.left(["type"]))
      )
    }
  })
})
