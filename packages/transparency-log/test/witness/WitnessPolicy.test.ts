/** Policies of witnesses as C2SP writes them, and the bodies of requests to witnesses. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, Option } from "effect"
import * as Checkpoint from "../../src/note/Checkpoint.js"
import * as SignedNote from "../../src/note/SignedNote.js"
import * as WitnessPolicy from "../../src/witness/WitnessPolicy.js"
import * as WitnessRequest from "../../src/witness/WitnessRequest.js"

const vkey = (name: string, byte: number, type = SignedNote.COSIGNATURE) =>
  SignedNote.printKey({ name, type, publicKey: new Uint8Array(32).fill(byte) })

const NAMES = ["X1", "X2", "X3", "Y1", "Y2", "Y3"]

/** The example of C2SP tlog-policy. */
const EXAMPLE = `log ${vkey("log.example", 99, SignedNote.ED25519)} https://log.example/
${NAMES.slice(0, 3)
  .map((name, place) => `witness ${name} ${vkey(`w/${name}`, place)}`)
  .join("\n")}
group X-witnesses 2 X1 X2 X3

  # the others
${NAMES.slice(3)
  .map(
    (name, place) => `\twitness  ${name} ${vkey(`w/${name}`, place + 3)} https://${name}.example`
  )
  .join("\n")}
group Y-witnesses any Y1 Y2 Y3

group X-and-Y all X-witnesses Y-witnesses
quorum X-and-Y
`

/** A group of witnesses and of groups. */
interface Tree {
  /** How many members are enough, by a part of all of them. */
  readonly part: number
  readonly names: ReadonlyArray<string>
  readonly groups: ReadonlyArray<Tree>
}

const parts = FastCheck.double({ min: 0, max: 1, noNaN: true })

/** Groups of two levels at most; every witness is in one of them at most. */
const trees: FastCheck.Arbitrary<Tree> = FastCheck.tuple(
  FastCheck.shuffledSubarray(NAMES, { minLength: 1 }),
  FastCheck.nat(3),
  FastCheck.nat(3),
  FastCheck.tuple(parts, parts, parts)
).map(([names, first, second, [part, left, right]]) => {
  const cut = [names.slice(0, first), names.slice(first, first + second)]
  const groups = cut.flatMap((own, place) =>
    own.length === 0 ? [] : [{ part: place === 0 ? left : right, names: own, groups: [] }]
  )
  return { part, names: names.slice(first + second), groups }
})

const leastOf = ({ part, names, groups }: Tree): number =>
  Math.max(1, Math.ceil(part * (names.length + groups.length)))

/** The model: how many members of each group hold. */
const isEnough = (tree: Tree, some: ReadonlyArray<string>): boolean =>
  tree.names.filter((name) => some.includes(name)).length +
    tree.groups.filter((group) => isEnough(group, some)).length >=
  leastOf(tree)

const groupLines = (tree: Tree, name: string): ReadonlyArray<string> => [
  ...tree.groups.flatMap((group, place) => groupLines(group, `${name}-${place}`)),
  [
    "group",
    name,
    leastOf(tree),
    ...tree.names,
    ...tree.groups.map((_, place) => `${name}-${place}`)
  ].join(" ")
]

const textOf = (tree: Tree): string =>
  [
    ...NAMES.map((name, place) => `witness ${name} ${vkey(`w/${name}`, place)}`),
    ...groupLines(tree, "g"),
    "quorum g"
  ].join("\n")

const policy = Either.getOrThrow(WitnessPolicy.parse(EXAMPLE))

describe("WitnessPolicy", () => {
  it("reads the example of C2SP", () => {
    assert.deepStrictEqual(
      policy.witnesses.map(({ name, url }) => [name, Option.getOrNull(url)]),
      NAMES.map((name, place) => [name, place < 3 ? null : `https://${name}.example`])
    )
    assert.lengthOf(policy.logs, 1)
  })

  it("LOG-21: is satisfied as its model says, and by more witnesses than are enough", () => {
    FastCheck.assert(
      FastCheck.property(FastCheck.subarray(NAMES), FastCheck.subarray(NAMES), (some, more) => {
        const count = (letter: string) => some.filter((name) => name.startsWith(letter)).length
        const holds = WitnessPolicy.satisfied(policy, new Set(some))
        assert.strictEqual(holds, count("X") >= 2 && count("Y") >= 1)
        if (holds) assert.isTrue(WitnessPolicy.satisfied(policy, new Set([...some, ...more])))
      })
    )
  })

  it("LOG-21: is satisfied as its model says, for any tree of groups", () => {
    FastCheck.assert(
      FastCheck.property(trees, FastCheck.subarray(NAMES), FastCheck.nat(5), (tree, some, more) => {
        const made = Either.getOrThrow(WitnessPolicy.parse(textOf(tree)))
        const holds = WitnessPolicy.satisfied(made, new Set(some))
        assert.strictEqual(holds, isEnough(tree, some))
        const larger = new Set([...some, NAMES[more] ?? ""])
        if (holds) assert.isTrue(WitnessPolicy.satisfied(made, larger))
      })
    )
  })

  it("has witnesses by the lines that they signed", () => {
    const key = policy.witnesses[1]?.key
    const id = key === undefined ? "" : SignedNote.keyId(key)
    const line = { name: "w/X2", keyId: id, signature: new Uint8Array(72) }
    assert.deepStrictEqual(WitnessPolicy.signersOf(policy, [line]), ["X2"])
    assert.deepStrictEqual(WitnessPolicy.signersOf(policy, [{ ...line, name: "w/X1" }]), [])
  })

  it("asks for nothing with quorum none", () => {
    const none = Either.getOrThrow(WitnessPolicy.parse("quorum none"))
    assert.isTrue(WitnessPolicy.satisfied(none, new Set()))
  })

  const W = `witness a ${vkey("a", 1)}\n`
  it.each([
    ["", "there is no quorum"],
    ["quorum a", "line 1"],
    ["quorum none\nquorum none", "line 2 is a second quorum"],
    [`${W}quorum a b`, "line 2"],
    [`${W}${W}quorum a`, "line 2"],
    [`${W}witness b ${vkey("b", 1)}\nquorum a`, "line 2 repeats a key"],
    [`witness none ${vkey("a", 1)}\nquorum none`, "line 1"],
    [`witness a ${vkey("a", 1, SignedNote.ED25519)}\nquorum a`, "line 1 is not a key"],
    [`log ${vkey("a", 1)}\nquorum none`, "line 1 is not a key"],
    [`${W}group g 2 a\nquorum g`, "line 2"],
    [`${W}group g 0 a\nquorum g`, "line 2"],
    [`${W}group g all\nquorum g`, "line 2 has no members"],
    [`${W}group g all b\nquorum g`, "line 2 names `b`"],
    [`${W}group g all a a\nquorum g`, "line 2"],
    [`${W}group g all a\ngroup h any a\nquorum h`, "line 3"],
    ["nothing\nquorum none", "line 1 begins with another word"],
    ["\n".repeat(WitnessPolicy.LINES_MAX), "more than"]
  ])("refuses %j", (text, problem) => {
    assert.include(Either.getOrThrow(Either.flip(WitnessPolicy.parse(text))), problem)
  })
})

describe("WitnessRequest", () => {
  const checkpoint = SignedNote.print({
    text: Checkpoint.print({ origin: "log.example", size: 7, root: new Uint8Array(32) }),
    signatures: [{ name: "log.example", keyId: "00000001", signature: new Uint8Array(64) }]
  })
  const request = { old: 3, hashes: [new Uint8Array(32).fill(1)], checkpoint }
  const text = WitnessRequest.print(request)

  it("prints and parses, with and without hashes", () => {
    for (const each of [request, { ...request, old: 0, hashes: [] }]) {
      const read = Option.getOrThrow(WitnessRequest.parse(WitnessRequest.print(each)))
      assert.deepStrictEqual([read.old, read.hashes.length], [each.old, each.hashes.length])
      assert.strictEqual(read.checkpoint, checkpoint)
      assert.strictEqual(read.said.size, 7)
    }
  })

  it.each([
    "",
    text.replace("old 3", "old 03"),
    text.replace("old 3", "old -1"),
    text.replace("old 3", "new 3"),
    text.replace("old 3\n", "old 3\nx\n"),
    text.replace("\n7\n", "\n07\n"),
    text.replace("— ", "- "),
    text.slice(0, -1),
    WitnessRequest.print({
      ...request,
      hashes: Array.from({ length: 64 }, () => new Uint8Array(32))
    })
  ])("does not parse %j", (body) => assert.isTrue(Option.isNone(WitnessRequest.parse(body))))
})
