import { assert, describe, it } from "@effect/vitest"
import { Schema } from "effect"
import * as EnvironmentKind from "../../src/environment/EnvironmentKind.js"

describe("EnvironmentKind", () => {
  it("is physical except for `logical`", () => {
    const { literals } = EnvironmentKind.EnvironmentKind
    assert.deepStrictEqual(
      literals.filter((kind) => !EnvironmentKind.isPhysical(kind)),
      ["logical"]
    )
    assert.strictEqual(literals.length, 9)
  })

  it.each(["k8s", "K8s", "Docker", "Logical", "", "pods"])("refuses `%s`", (word) =>
    assert.strictEqual(Schema.is(EnvironmentKind.EnvironmentKind)(word), false)
  )
})

describe("the second words of kinds", () => {
  const { ALIASES, EnvironmentKind: Kind, fromWord, isAlias, KindAlias, KindWord } = EnvironmentKind

  it("are those of the table, one for a kind at most, and none is a kind", () => {
    const kinds = Object.values(ALIASES)
    assert.deepStrictEqual<ReadonlyArray<string>>(KindAlias.literals, Object.keys(ALIASES))
    assert.strictEqual(new Set(kinds).size, kinds.length)
    assert.isFalse(KindAlias.literals.some(Schema.is(Kind)))
  })

  it("mean their kind, and a kind means itself", () => {
    for (const word of KindWord.literals) {
      assert.strictEqual(fromWord(word), isAlias(word) ? ALIASES[word] : word)
      assert.include(EnvironmentKind.wordsOf(fromWord(word)), word)
    }
    assert.deepStrictEqual(
      new Set(Kind.literals.flatMap((kind) => EnvironmentKind.wordsOf(kind))),
      new Set(KindWord.literals)
    )
  })
})
