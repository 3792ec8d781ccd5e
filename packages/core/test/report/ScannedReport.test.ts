import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Either, FastCheck, Option } from "effect"
import type { PhysicalKind } from "../../src/environment/EnvironmentKind.js"
import * as RunningRow from "../../src/environment/RunningRow.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import * as ScannedReport from "../../src/report/internal/ScannedReport.js"
import * as Texts from "../../testing/arbitrary/Text.js"
import * as Generated from "../../testing/EnvironmentReport.js"

const { kindAndReport } = Generated
const indent = FastCheck.constantFrom<Array<string | number>>("", 1, "\t", "\r\n")

const scan = (kind: PhysicalKind, text: string) =>
  Option.fromNullable(ScannedReport.read({ kind, text }, undefined))

/** What parser and schema make of a text. */
const readSlowly = (kind: PhysicalKind, text: string) =>
  Either.flatMap(
    Either.try(() => JSON.parse(text)),
    (value) => EnvironmentReport.decode(kind, value)
  )

/** What a text that passes says is what reading it says; whether it passed. */
const agrees = (kind: PhysicalKind, text: string): boolean => {
  const quick = scan(kind, text)
  if (Option.isNone(quick)) return false
  const rows = EnvironmentReport.rows(kind, Either.getOrThrow(readSlowly(kind, text)))
  for (const includeScaling of [false, true])
    assert.strictEqual(
      quick.value.runningSetText({ includeScaling }),
      RunningRow.runningSetText(rows, { includeScaling })
    )
  deepStrictEqual(quick.value.rows(), rows)
  return true
}

const textsOf = (kind: PhysicalKind, text: string) => {
  const content = Option.getOrThrow(scan(kind, text))
  return [false, true].map((includeScaling) => content.runningSetText({ includeScaling }))
}

describe("ScannedReport: properties", () => {
  it.prop(
    "takes every plain text of every kind, and says what reading it says",
    { given: kindAndReport, indent },
    ({ given: { kind, report }, indent: space }) =>
      assert.strictEqual(agrees(kind, JSON.stringify(report, null, space)), true),
    { fastCheck: { numRuns: 2_000 } }
  )

  it.prop(
    "takes nothing that would be refused, and nothing that would be read otherwise",
    { given: kindAndReport, edits: FastCheck.array(Texts.edit, { minLength: 1, maxLength: 2 }) },
    ({ given: { kind, report }, edits }) => {
      agrees(
        kind,
        edits.reduce((text, edit) => edit(text), JSON.stringify(report))
      )
    },
    { fastCheck: { numRuns: 5_000 } }
  )

  it.prop(
    "takes the text of one kind for another only where reading does",
    { given: kindAndReport, kind: Generated.physicalKind },
    ({ given, kind }) => {
      const text = JSON.stringify(given.report)
      assert.strictEqual(agrees(kind, text), Either.isRight(readSlowly(kind, text)))
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "SNAP-2, SNAP-3: neither the order of units and digests nor their grouping makes a difference",
    { given: kindAndReport },
    ({ given: { kind, report } }) => {
      const said = textsOf(kind, JSON.stringify(report))
      const turned = [...report.artifacts].reverse().map((unit) => ({
        ...unit,
        digests: Object.fromEntries(Object.entries(unit.digests).reverse())
      }))
      const split = report.artifacts.flatMap((unit) =>
        Object.entries(unit.digests).map((entry) => ({
          ...unit,
          digests: Object.fromEntries([entry])
        }))
      )
      deepStrictEqual(textsOf(kind, JSON.stringify({ artifacts: turned })), said)
      deepStrictEqual(textsOf(kind, JSON.stringify({ artifacts: split })), said)
    }
  )
})

describe("ScannedReport: examples", () => {
  const [a] = Generated.fingerprints
  const unit = (digests: string) => `{"artifacts":[{"digests":${digests},"creationTimestamp":1}]}`

  it("counts instances only where scaling is recorded", () => {
    const { artifacts } = JSON.parse(unit(`{"shop":"${a}"}`))
    deepStrictEqual(
      textsOf("docker", JSON.stringify({ artifacts: [...artifacts, ...artifacts] })),
      [`${a} "shop"`, `${a} x2 "shop"`]
    )
  })

  it("has an empty text when nothing runs", () =>
    deepStrictEqual(textsOf("docker", '{"artifacts":[]}'), ["", ""]))

  it.each([
    ["an escape", unit(`{"sh\\u006fp":"${a}"}`)],
    ["a repeated name", unit(`{"shop":"${a}","shop":"${a}"}`)],
    ["a character beyond U+FFFF", unit(`{"🦉":"${a}"}`)],
    ["a repeated field", unit(`{},"creationTimestamp":1`)],
    ["an exponent", unit(`{},"creationTimestamp":1e3`).replace(',"creationTimestamp":1}', "}")]
  ])("leaves %s to the parser", (_, text) => {
    assert.strictEqual(Either.isRight(readSlowly("docker", text)), true)
    assert.strictEqual(agrees("docker", text), false)
  })

  it.each([
    ["a name without a character", unit(`{"":"${a}"}`)],
    ["a name of 1,025 characters", unit(`{"${"x".repeat(1025)}":"${a}"}`)],
    ["a digest that is too short", unit(`{"shop":"${a.slice(1)}"}`)],
    ["a digest that is too long", unit(`{"shop":"${a}0"}`)],
    ["a digest in upper case", unit(`{"shop":"${a.toUpperCase()}"}`)],
    ["a raw line break in a name", unit(`{"sh\nop":"${a}"}`)],
    ["a field that nobody knows", unit(`{},"podName":"p"`)]
  ])("does not take %s", (_, text) => {
    assert.strictEqual(Either.isLeft(readSlowly("docker", text)), true)
    assert.strictEqual(agrees("docker", text), false)
  })

  it("takes an unknown digest", () =>
    assert.strictEqual(agrees("docker", unit(`{"shop":""}`)), true))

  it("takes a name of 1,024 characters", () =>
    assert.strictEqual(agrees("docker", unit(`{"${"x".repeat(1024)}":"${a}"}`)), true))

  it("is linear in the members of one unit", () => {
    const names = Array.from({ length: 100_000 }, (_, at) => `"n${at}":"${a}"`).join(",")
    assert.strictEqual(Option.isSome(scan("docker", unit(`{${names}}`))), true)
    assert.strictEqual(Option.isSome(scan("docker", unit(`{${names},"n0":"${a}"}`))), false)
  })
})
