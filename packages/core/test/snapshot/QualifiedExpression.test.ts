import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import { EnvironmentName } from "../../src/shared/Identifier.js"
import * as QualifiedExpression from "../../src/snapshot/QualifiedExpression.js"
import * as SnapshotExpression from "../../src/snapshot/SnapshotExpression.js"
import * as Generated from "../../testing/arbitrary/SnapshotExpression.js"

const environment = FastCheck.stringMatching(/^[a-zA-Z0-9][a-zA-Z0-9.\-_]{0,20}$/).map((name) =>
  EnvironmentName.make(name)
)
const { snapshotExpression } = Generated

describe("QualifiedExpression", () => {
  it.prop(
    "EXPR-17: splits into the name and the expression",
    { environment, expression: snapshotExpression },
    (given) => {
      const text = QualifiedExpression.print(given)
      assert.deepStrictEqual(QualifiedExpression.parse(text), Either.right(given))
      assert.strictEqual(text.startsWith(given.environment), true)
    }
  )

  it.prop(
    "EXPR-17: a valid fragment keeps its meaning behind a valid name",
    { environment, text: Generated.nearMiss },
    ({ environment: name, text }) => {
      if (!/^[#~@]/.test(text)) return
      const alone = SnapshotExpression.parse(text)
      const qualified = QualifiedExpression.parse(name + text)
      assert.strictEqual(Either.isRight(qualified), Either.isRight(alone))
      if (Either.isRight(qualified) && Either.isRight(alone))
        assert.deepStrictEqual(qualified.right, { environment: name, expression: alone.right })
    }
  )

  it.prop("never throws, whatever the text", { text: FastCheck.string() }, ({ text }) => {
    const parsed = QualifiedExpression.parse(text)
    if (Either.isRight(parsed))
      assert.deepStrictEqual(
        QualifiedExpression.parse(QualifiedExpression.print(parsed.right)),
        parsed
      )
  })

  it.each([
    ["prod", "prod#-1"],
    ["prod#12", "prod#12"],
    ["prod#-1", "prod#-1"],
    ["prod~2", "prod~2"],
    ["prod@{now}", "prod@{now}"],
    ["a.b-c_d@{2.days.ago}", "a.b-c_d@{2.days.ago}"],
    ["prod-2026@{2026-05-02T12:00:01}", "prod-2026@{2026-05-02T12:00:01}"]
  ])("`%s` is `%s`", (text, printed) =>
    assert.strictEqual(
      QualifiedExpression.print(Either.getOrThrow(QualifiedExpression.parse(text))),
      printed
    )
  )

  it.each([
    "",
    "#1",
    "~1",
    "@{now}",
    "prod#",
    "prod~",
    "prod@",
    "prod#~1",
    "prod~#1",
    "prod#1#2",
    "prod#1~2",
    "prod@{now}#1",
    ".prod#1",
    "pr od#1",
    "prod/x#1",
    "prod12x~-1",
    `${"a".repeat(256)}#1`
  ])("refuses `%s`", (text) => {
    const error = Either.getOrThrow(Either.flip(QualifiedExpression.parse(text)))
    assert.strictEqual(error.text, text)
    assert.strictEqual(error.message, `\`${text}\` does not name a snapshot of an environment`)
  })

  it("accepts names up to their full length", () =>
    assert.strictEqual(Either.isRight(QualifiedExpression.parse(`${"a".repeat(255)}#1`)), true))
})
