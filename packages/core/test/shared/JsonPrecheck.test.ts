/** The check of a text agrees with the value that the text was made from. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { printPath } from "../../src/shared/FieldErrors.js"
import { DEPTH_MAX, JsonPrecheck, REPEATED } from "../../src/shared/JsonPrecheck.js"

/** A value whose objects may have a name twice. */
type Tree =
  | { readonly _tag: "Leaf"; readonly text: string }
  | { readonly _tag: "List"; readonly items: ReadonlyArray<Tree> }
  | { readonly _tag: "Object"; readonly members: ReadonlyArray<readonly [Name, Tree]> }

/** A name, and one of its spellings. */
interface Name {
  readonly meant: string
  readonly written: string
}

const escaped = (text: string): string =>
  Array.from(text, (character) => {
    const code = character.charCodeAt(0).toString(16).padStart(4, "0")
    return character.length === 1 ? `\\u${code}` : character
  }).join("")

const name = FastCheck.tuple(
  FastCheck.constantFrom("", "a", "b", "ab", "é", "🦉", '"', "\\", "a\\", "__proto__", "{", "1"),
  FastCheck.boolean()
).map(
  ([meant, isEscaped]): Name => ({
    meant,
    written: isEscaped ? `"${escaped(meant)}"` : JSON.stringify(meant)
  })
)

const leaf = FastCheck.constantFrom(
  "1",
  "true",
  "null",
  '"a"',
  '"{\\"a\\":1}"',
  '"\\\\"',
  "-1.5e3"
).map((text): Tree => ({ _tag: "Leaf", text }))

const inner = FastCheck.letrec<{ readonly tree: Tree }>((tie) => ({
  tree: FastCheck.oneof(
    { maxDepth: 2 },
    leaf,
    FastCheck.array(tie("tree"), { maxLength: 2 }).map((items): Tree => ({ _tag: "List", items })),
    FastCheck.array(FastCheck.tuple(name, tie("tree")), { maxLength: 3 }).map(
      (members): Tree => ({ _tag: "Object", members })
    )
  )
})).tree

const tree = FastCheck.array(FastCheck.tuple(name, inner), { maxLength: 18, size: "max" }).map(
  (members): Tree => ({ _tag: "Object", members })
)

const print = (value: Tree, space: string): string => {
  switch (value._tag) {
    case "Leaf":
      return value.text
    case "List":
      return `[${space}${value.items.map((item) => print(item, space)).join(`${space},`)}]`
    case "Object":
      return `{${value.members
        .map(([key, member]) => `${key.written}${space}:${print(member, space)}`)
        .join(`,${space}`)}}`
  }
}

/** The paths of names that their object has twice, found by comparing each with all before it. */
const repeats = (value: Tree, path: ReadonlyArray<PropertyKey>): ReadonlyArray<string> => {
  if (value._tag === "Leaf") return []
  if (value._tag === "List")
    return value.items.flatMap((item, index) => repeats(item, [...path, index]))
  return value.members.flatMap(([{ meant }, member], index) => {
    const inner = [...path, meant]
    const isRepeated = value.members.slice(0, index).some(([other]) => other.meant === meant)
    return [...(isRepeated ? [printPath(inner)] : []), ...repeats(member, inner)]
  })
}

const look = (text: string, stretch = text.length): JsonPrecheck => {
  const precheck = new JsonPrecheck(text)
  while (!precheck.advance(stretch)) {}
  return precheck
}

describe("JsonPrecheck", () => {
  it.prop(
    "finds exactly the names that an object has twice, in any spelling",
    { value: tree, space: FastCheck.constantFrom("", " ", "\n\t") },
    ({ value, space }) => {
      const { problems } = look(print(value, space))
      const expected = [...new Set(repeats(value, []))]
      assert.deepStrictEqual(
        problems.toFieldErrors(),
        Object.fromEntries(expected.map((path) => [path, REPEATED]))
      )
    },
    { fastCheck: { numRuns: 1_000 } }
  )

  it.prop(
    "finds the same in steps as at once",
    { value: tree, stretch: FastCheck.integer({ min: 1, max: 9 }) },
    ({ value, stretch }) => {
      const text = print(value, "")
      assert.deepStrictEqual(
        look(text, stretch).problems.toFieldErrors(),
        look(text).problems.toFieldErrors()
      )
    }
  )

  it.prop("ends on any text", { text: FastCheck.string({ unit: "binary" }) }, ({ text }) => {
    look(text)
    look(`{"a":${text}`)
  })

  it("finds a repeated name among thousands", () => {
    const names = Array.from({ length: 5_000 }, (_, index) => `"n${index}":0`).join(",")
    assert.deepStrictEqual(look(`{${names},"n17":1}`).problems.toFieldErrors(), { n17: REPEATED })
    assert.strictEqual(look(`{${names}}`).problems.size, 0)
  })

  it("distinguishes the deepest nesting from one more", () => {
    const nested = (depth: number) => `${"[".repeat(depth)}${"]".repeat(depth)}`
    assert.isFalse(look(nested(DEPTH_MAX)).isTooDeep)
    assert.isTrue(look(nested(DEPTH_MAX + 1)).isTooDeep)
  })
})
