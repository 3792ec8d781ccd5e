/** Names and ids: each pattern and each length on both sides. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Schema } from "effect"
import * as Identifier from "../../src/shared/Identifier.js"

const { EnvironmentName, FlowName, OrgName, PolicyName, SlotName, TrailName } = Identifier

const names = { FlowName, TrailName, PolicyName, EnvironmentName, SlotName } as const

const accepts = (schema: Schema.Schema.AnyNoContext, text: string): boolean =>
  Schema.is(schema)(text)

const anyText = FastCheck.oneof(
  FastCheck.string({ maxLength: 5 }),
  FastCheck.array(FastCheck.constantFrom(..."aZ09.-_~ /\n"), { maxLength: 4 }).map((all) =>
    all.join("")
  )
)

const alphabets: ReadonlyArray<readonly [keyof typeof names, RegExp]> = [
  ["FlowName", /^[A-Za-z0-9][A-Za-z0-9._~-]*$/],
  ["TrailName", /^[A-Za-z0-9][A-Za-z0-9._~-]*$/],
  ["PolicyName", /^[A-Za-z0-9][A-Za-z0-9._~-]*$/],
  ["EnvironmentName", /^[A-Za-z0-9][A-Za-z0-9._-]*$/],
  ["SlotName", /^[A-Za-z0-9_-]+$/]
]

describe("Identifier", () => {
  for (const [name, alphabet] of alphabets) {
    it.prop(`${name} has its alphabet`, { text: anyText }, ({ text }) =>
      assert.strictEqual(accepts(names[name], text), alphabet.test(text))
    )

    it(`${name} has at most 255 characters`, () =>
      assert.deepStrictEqual(
        ["", "a", "a".repeat(255), "a".repeat(256)].map((text) => accepts(names[name], text)),
        [false, true, true, false]
      ))
  }

  it("OrgName has 1 to 64 letters, digits and hyphens, and begins with no hyphen", () =>
    assert.deepStrictEqual(
      ["", "a", "a".repeat(64), "a".repeat(65), "-a", "a-", "a.b", "a_b", "a~b", "acme\n"].map(
        (text) => accepts(OrgName, text)
      ),
      [false, true, true, false, false, true, false, false, false, false]
    ))

  it.each([...Identifier.RESERVED_ORG_NAMES])("OrgName is not `%s`", (reserved) => {
    assert.strictEqual(accepts(OrgName, reserved), false)
    assert.strictEqual(accepts(OrgName, `${reserved}s`), true)
  })

  it("CommitSha has 40 digits in lower case", () =>
    assert.deepStrictEqual(
      ["a".repeat(40), "0".repeat(40), "a".repeat(39), "a".repeat(41), "A".repeat(40)].map((text) =>
        accepts(Identifier.CommitSha, text)
      ),
      [true, true, false, false, false]
    ))

  it("Login has 1 to 255 characters", () =>
    assert.deepStrictEqual(
      ["", "a", "anna@example.org", "a".repeat(255), "a".repeat(256)].map((text) =>
        accepts(Identifier.Login, text)
      ),
      [false, true, true, true, false]
    ))

  it.each(["../etc", "a/b", "a b", "é", "a%2e", ".hidden", "~home", "-x", "_x"])(
    "no name that paths carry is `%s`",
    (text) =>
      assert.deepStrictEqual(
        [FlowName, TrailName, PolicyName, EnvironmentName].map((name) => accepts(name, text)),
        [false, false, false, false]
      )
  )
})
