import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option, Schema, SchemaAST } from "effect"
import * as UtcCalendar from "../../src/shared/internal/UtcCalendar.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as SnapshotExpression from "../../src/snapshot/SnapshotExpression.js"
import * as SnapshotTimeline from "../../src/snapshot/SnapshotTimeline.js"
import * as Generated from "../../testing/arbitrary/SnapshotExpression.js"
import * as Model from "../../testing/internal/model/SnapshotExpressionModel.js"
import { lengthForRun } from "../shared/Effort.js"

type Instants = ReadonlyArray<Timestamp.Timestamp>

const lookUp = (locator: SnapshotExpression.Locator, instants: Instants): Model.Resolved =>
  locator._tag === "AtIndex"
    ? locator.index
    : SnapshotTimeline.indexAt(instants, locator.instant) || "missing"

const resolve = (text: string, instants: Instants, now: Timestamp.Timestamp): Model.Resolved =>
  Either.match(SnapshotExpression.parse(text), {
    onLeft: () => "malformed",
    onRight: (expression) =>
      Either.match(SnapshotExpression.locate(expression, { now, latestIndex: instants.length }), {
        onLeft: () => "missing",
        onRight: (locator) => lookUp(locator, instants)
      })
  })

const utc = (text: string): Timestamp.Timestamp => Timestamp.fromMillis(Date.parse(`${text}Z`))

const nonEmpty = Generated.timeline.filter((instants) => instants.length > 0)
const later = (instants: Instants) => Timestamp.fromMicros((instants.at(-1) ?? 0) + 7)

describe("SnapshotExpression: properties", () => {
  it.prop(
    "agrees with the model on generated histories",
    { lookup: Generated.lookup },
    ({ lookup: { instants, now, text } }) =>
      assert.strictEqual(resolve(text, instants, now), Model.resolve(text, instants, now)),
    { fastCheck: { numRuns: lengthForRun({ quick: 2_000, full: 6_000, deep: 6_000 }) } }
  )

  it.prop(
    "refuses exactly what the model refuses, whatever the text",
    { text: Generated.nearMiss },
    ({ text }) =>
      assert.strictEqual(
        Either.isLeft(SnapshotExpression.parse(text)),
        Model.resolve(text, [], 0) === "malformed"
      ),
    { fastCheck: { numRuns: 3_000 } }
  )

  it.prop("reads back what it printed", { expression: Generated.snapshotExpression }, (given) =>
    assert.deepStrictEqual(
      SnapshotExpression.parse(SnapshotExpression.print(given.expression)),
      Either.right(given.expression)
    )
  )

  it.prop(
    "prints a text with the same meaning only",
    { text: FastCheck.oneof(Generated.nearMiss, FastCheck.string()) },
    ({ text }) => {
      const parsed = SnapshotExpression.parse(text)
      if (Either.isLeft(parsed)) assert.strictEqual(parsed.left.expression, text)
      else
        assert.deepStrictEqual(
          SnapshotExpression.parse(SnapshotExpression.print(parsed.right)),
          parsed
        )
    }
  )

  it.prop("decodes and encodes as text", { expression: Generated.snapshotExpression }, (given) => {
    const text = Schema.encodeSync(SnapshotExpression.FromText)(given.expression)
    assert.deepStrictEqual(Schema.decodeSync(SnapshotExpression.FromText)(text), given.expression)
  })
})

describe("SnapshotExpression: laws", () => {
  it.prop("EXPR-1: every form of an index finds it", { instants: nonEmpty }, ({ instants }) => {
    const now = later(instants)
    const total = instants.length
    instants.forEach((_, position) => {
      const index = position + 1
      for (const text of [`${index}`, `#${index}`, `${index - total - 1}`, `~${total - index}`])
        assert.strictEqual(resolve(text, instants, now), index)
    })
  })

  it.prop("EXPR-2: `-1`, `~0` and `@{now}` agree", { instants: Generated.timeline }, (given) => {
    const now = later(given.instants)
    const answers = ["-1", "~0", "@{now}"].map((text) => resolve(text, given.instants, now))
    const expected = given.instants.length === 0 ? "missing" : given.instants.length
    assert.deepStrictEqual(answers, [expected, expected, expected])
  })

  it.prop(
    "EXPR-3, EXPR-4, EXPR-5: counting back agrees, and nothing outside exists",
    { instants: Generated.timeline, n: FastCheck.integer({ min: 0, max: 20 }) },
    ({ instants, n }) => {
      const now = later(instants)
      assert.strictEqual(resolve(`~${n}`, instants, now), resolve(`-${n + 1}`, instants, now))
      assert.strictEqual(resolve("0", instants, now), "malformed")
      assert.strictEqual(resolve(`${instants.length + 1 + n}`, instants, now), "missing")
      assert.strictEqual(resolve(`-${instants.length + 1 + n}`, instants, now), "missing")
    }
  )

  it.prop(
    "EXPR-6, EXPR-7, EXPR-8: the snapshot at an instant increases with it",
    { instants: nonEmpty, other: Generated.instant },
    ({ instants, other }) => {
      const at = (instant: number) =>
        SnapshotTimeline.indexAt(instants, Timestamp.fromMicros(instant))
      instants.forEach((instant, position) => {
        assert.strictEqual(at(instant), position + 1)
        assert.strictEqual(at(instant - 1), position)
        assert.strictEqual(at(Math.max(instant, other)) >= at(Math.min(instant, other)), true)
      })
      assert.strictEqual(at(later(instants)), instants.length)
    }
  )

  it.prop(
    "EXPR-9, EXPR-10: later snapshots change only what counts from the end",
    { instants: nonEmpty, n: FastCheck.integer({ min: 1, max: 14 }) },
    ({ instants, n }) => {
      const now = later(instants)
      const more = [...instants, now]
      if (n <= instants.length)
        assert.strictEqual(resolve(`${n}`, more, now), resolve(`${n}`, instants, now))
      assert.strictEqual(resolve(`~${n}`, more, now), resolve(`~${n - 1}`, instants, now))
      const moment = SnapshotExpression.print(
        SnapshotExpression.at(Timestamp.fromMicros((instants[0] ?? 0) - 1_000_000))
      )
      assert.strictEqual(resolve(moment, more, now), resolve(moment, instants, now))
    }
  )

  it.prop("EXPR-11: units are multiples of each other", { now: Generated.instant }, ({ now }) => {
    const { before } = SnapshotExpression
    assert.strictEqual(before(now, 24, "hours"), before(now, 1, "days"))
    assert.strictEqual(before(now, 7, "days"), before(now, 1, "weeks"))
    const { year, month, day } = UtcCalendar.dayOf(now)
    assert.deepStrictEqual(UtcCalendar.dayOf(before(now, 12, "months")), {
      year: year - 1,
      month,
      day: month === 2 && day === 29 ? 28 : day
    })
  })

  it.prop(
    "EXPR-15: whether a text is malformed does not depend on the snapshots",
    { one: Generated.lookup, two: Generated.timeline },
    ({ one, two }) =>
      assert.strictEqual(
        resolve(one.text, one.instants, one.now) === "malformed",
        resolve(one.text, two, one.now) === "malformed"
      )
  )

  it.prop(
    "a moment with a fraction prints as the next whole second",
    { instant: Generated.instant },
    ({ instant }) => {
      const printed = SnapshotExpression.print(SnapshotExpression.at(instant))
      const read = Either.getOrThrow(SnapshotExpression.parse(printed))
      assert.strictEqual(read._tag === "At" && read.instant - instant < 1_000_000, true)
      assert.strictEqual(read._tag === "At" && read.instant >= instant, true)
    }
  )
})

describe("SnapshotExpression: the worked examples", () => {
  const instants = [
    "2026-05-01T00:00:00.250",
    "2026-05-02T12:00:00.500",
    "2026-05-31T09:00:00.125",
    "2026-06-30T18:00:00.750",
    "2026-07-01T00:00:00"
  ].map(utc)
  const now = utc("2026-07-31T09:00:00")

  it.each<[string, Model.Resolved]>([
    ...["5", "-1", "#-1", "~0", "@{now}"].map((text): [string, Model.Resolved] => [text, 5]),
    ...["1", "-5", "~4"].map((text): [string, Model.Resolved] => [text, 1]),
    ...["6", "-6", "~5", "007"].map((text): [string, Model.Resolved] => [text, "missing"]),
    ...[
      "0",
      "#0",
      "-0",
      "000",
      "~-1",
      "+2",
      "latest",
      "",
      "@{1.month.ago}",
      "@{0.days.ago}",
      "@{1.years.ago}",
      "@{2026-02-30T00:00:00}"
    ].map((text): [string, Model.Resolved] => [text, "malformed"]),
    ["@{2026-05-02T12:00:00}", 1],
    ["@{2026-05-02T12:00:01}", 2],
    ["@{2026-05-01T00:00:00}", "missing"],
    ["@{2099-01-01T00:00:00}", 5],
    ["@{1.months.ago}", 3],
    ["@{2.months.ago}", 2],
    ["@{30.days.ago}", 5],
    ["@{31.days.ago}", 3],
    ["@{3.months.ago}", "missing"]
  ])("`%s` is %s", (text, expected) => {
    assert.strictEqual(resolve(text, instants, now), expected)
    assert.strictEqual(Model.resolve(text, instants, now), expected)
    assert.strictEqual(resolve(text, [], now), expected === "malformed" ? "malformed" : "missing")
  })

  it.each([
    ["6", 6],
    ["-6", 0],
    ["~5", 0],
    ["007", 7]
  ])("`%s` resolves to %i of 5", (text, index) => {
    const expression = Either.getOrThrow(SnapshotExpression.parse(text))
    assert.deepStrictEqual(
      SnapshotExpression.locate(expression, { now, latestIndex: 5 }),
      Either.left(
        new SnapshotExpression.SnapshotIndexOutOfRange({
          expression: SnapshotExpression.print(expression),
          index,
          latestIndex: 5
        })
      )
    )
  })
})

describe("SnapshotExpression: examples and limits", () => {
  it("has a constructor for every form", () => {
    const { at, ago, behind, index, print } = SnapshotExpression
    assert.deepStrictEqual(
      [index(3), index(-1), behind(0), at(utc("2026-05-02T12:00:01")), ago(2, "days")].map(print),
      ["3", "-1", "~0", "@{2026-05-02T12:00:01}", "@{2.days.ago}"]
    )
    assert.strictEqual(print(SnapshotExpression.now), "@{now}")
    for (const made of [index(-0), behind(-0)])
      assert.isTrue("n" in made && Object.is(made.n, 0), "has no negative zero")
  })

  it.each(["@{9999-12-31T23:59:59}", "@{2256-01-01T00:00:00}"])(
    "finds the latest at `%s`",
    (text) =>
      assert.strictEqual(resolve(text, [utc("2254-12-31T00:00:00")], utc("2026-01-01T00:00:00")), 1)
  )

  it.each([
    "@{0001-01-01T00:00:00}",
    "@{1683-01-01T00:00:00}",
    "@{999999999.months.ago}",
    "@{999999999.weeks.ago}",
    "@{24312.months.ago}",
    "@{24313.months.ago}"
  ])("finds nothing before the first snapshot at `%s`", (text) =>
    assert.strictEqual(
      resolve(text, [utc("1700-01-01T00:00:00")], utc("2026-01-01T00:00:00")),
      "missing"
    )
  )

  it.each([
    "1234567890",
    "~1234567890",
    "@{1234567890.days.ago}",
    "#",
    "##1",
    "#~1",
    "--1",
    "1.0",
    " 1",
    "1\n",
    "@{now}\n",
    "@{Now}",
    "@now",
    "@{2026-05-02}",
    "@{2026-05-02T12:00:00Z}",
    "@{2026-05-02T12:00:00.5}",
    "@{2026-05-02 12:00:00}",
    "@{2026-05-02T24:00:00}",
    "@{2026-05-02T12:00:60}",
    "@{0000-01-01T00:00:00}",
    "@{2100-02-29T00:00:00}",
    "@{-1.days.ago}",
    "@{0.days.ago}",
    "@{1.days.Ago}",
    "@{1.years.ago}",
    "x@{1.days.ago}",
    "@{1.days.ago}x",
    "x@{2026-05-02T12:00:00}",
    "@{2026-05-02T12:00:00}x"
  ])("refuses `%j`", (text) =>
    assert.strictEqual(Either.isLeft(SnapshotExpression.parse(text)), true)
  )

  it("has numbers of at most nine digits", () => {
    const { ago, behind, index, NUMBER_MAX } = SnapshotExpression
    for (const make of [index, behind, (n: number) => ago(n, "days")]) {
      assert.doesNotThrow(() => make(NUMBER_MAX))
      assert.throws(() => make(NUMBER_MAX + 1))
      assert.throws(() => make(0.5))
    }
    assert.doesNotThrow(() => index(-NUMBER_MAX))
    assert.throws(() => index(-NUMBER_MAX - 1))
    assert.doesNotThrow(() => behind(0))
    assert.throws(() => behind(-1))
    assert.doesNotThrow(() => ago(1, "days"))
    assert.throws(() => ago(0, "days"))
  })

  it("reports as a schema the problem of a text, under its own name", () => {
    const { FromText } = SnapshotExpression
    const error = Either.getOrThrow(Either.flip(Schema.decodeUnknownEither(FromText)("latest")))
    assert.include(error.message, "`latest` is not a snapshot expression")
    deepStrictEqual(
      SchemaAST.getIdentifierAnnotation(FromText.ast),
      Option.some("SnapshotExpression")
    )
  })

  it("has the text in its errors", () => {
    const error = Either.getOrThrow(Either.flip(SnapshotExpression.parse("latest")))
    assert.strictEqual(error._tag, "InvalidSnapshotExpression")
    assert.strictEqual(error.message, "`latest` is not a snapshot expression")
    const missing = Either.getOrThrow(
      Either.flip(
        SnapshotExpression.locate(SnapshotExpression.behind(5), {
          now: Timestamp.fromMicros(0),
          latestIndex: 5
        })
      )
    )
    assert.strictEqual(missing._tag, "SnapshotIndexOutOfRange")
    assert.strictEqual(missing.message, "`~5` resolves to 0 of 5 snapshots")
  })
})
