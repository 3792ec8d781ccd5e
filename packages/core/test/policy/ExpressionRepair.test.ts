/** What is proposed for a text that is no expression, and what is not. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import { repair } from "../../src/policy/internal/ExpressionRepair.js"
import * as PolicyExpression from "../../src/policy/PolicyExpression.js"
import { expression } from "../../testing/arbitrary/PolicyExpression.js"

describe("ExpressionRepair", () => {
  it.each([
    ["a single equals sign", 'flow.name = "a"', 'flow.name == "a"'],
    ["three equals signs", 'flow.name === "a"', 'flow.name == "a"'],
    ["other signs for different", 'flow.name <> "a"', 'flow.name != "a"'],
    [
      "the signs of programs",
      "flow.name == 'a' && !exists(flow.tags.x) || flow.tags.n >= 7",
      "flow.name == 'a' and not exists(flow.tags.x) or flow.tags.n >= 7"
    ],
    ["texts without quotes", "artifact.name == busybox:1.36", 'artifact.name == "busybox:1.36"'],
    ["curly quotes", "flow.name == “a”", 'flow.name == "a"'],
    ["capitals", 'NOT Flow.Name IN ["a"]', 'not flow.name in ["a"]'],
    ["a tag by its key", "tags.risk == high", 'flow.tags.risk == "high"'],
    ["a tag in the singular", 'flow.tag.risk is "high"', 'flow.tags.risk == "high"'],
    ["a method of texts", 'artifact.name.startsWith("a.b")', 'matches(artifact.name, "^a\\.b")'],
    ["its end", 'artifact.name.endsWith("-rc")', 'matches(artifact.name, "-rc$")'],
    ["everything at once", "Flow.Name=legacy&&tags.risk!=low", undefined],
    ["arithmetic", "flow.tags.n + 1 == 2", undefined],
    ["a text without an end", 'flow.name == "a', undefined],
    ["two values side by side", 'flow.name == "a" "b"', undefined],
    ["a text that is no condition", "legacy", undefined],
    ["nothing", "", undefined]
  ])("reads %s", (_, text, meant) => {
    const found = Option.getOrUndefined(repair(text))
    if (meant !== undefined) assert.strictEqual(found, meant)
    if (found !== undefined) assert.isTrue(Either.isRight(PolicyExpression.parse(found)), found)
  })

  it("proposes nothing that is longer than a line or two", () => {
    const long = Array.from({ length: 40 }, () => "flow.name = a").join(" || ")
    assert.isTrue(Option.isNone(repair(long)))
  })

  it.prop("leaves an expression as it is", { expression }, ({ expression: given }) => {
    const text = PolicyExpression.print(given)
    assert.strictEqual(Option.getOrUndefined(repair(text)), text)
  })

  it.prop(
    "never throws, and proposes only what is an expression",
    {
      text: FastCheck.array(
        FastCheck.constantFrom(
          ..."flow.name tags.x = == && || ! not ( ) [ ] , \" ' a:b $ {{ }} in 7 \\ “ ”".split(" ")
        )
      )
    },
    ({ text }) => {
      for (const found of Option.toArray(repair(text.join(" "))))
        assert.isTrue(Either.isRight(PolicyExpression.parse(found)), found)
    }
  )
})
