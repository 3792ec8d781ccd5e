/** Trusted root files: what is read, and what is refused. */
import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck } from "effect"
import * as TrustRoot from "../../src/verification/TrustRoot.js"
import * as SigstoreMint from "./SigstoreMint.js"

const { root } = await SigstoreMint.instance(new Date())
const parsed: Record<string, Array<Record<string, never>>> = JSON.parse(root)

const problemOf = (text: string): string =>
  Either.match(TrustRoot.parse(text), { onLeft: (error) => error.message, onRight: () => "none" })

const LISTS = ["tlogs", "ctlogs", "certificateAuthorities", "timestampAuthorities"]

/** The root with the first member of a list changed. */
const withFirst = (list: string, change: (item: Record<string, unknown>) => unknown): string =>
  JSON.stringify({ ...parsed, [list]: (parsed[list] ?? []).map((item) => change({ ...item })) })

/** The member without the start of its validity, or with another. */
const started = (start: unknown) => (item: Record<string, unknown>) => {
  const validFor = start === undefined ? {} : { start }
  const { publicKey } = item
  return typeof publicKey === "object"
    ? { ...item, publicKey: { ...publicKey, validFor } }
    : { ...item, validFor }
}

describe("a trusted root file", () => {
  it("is one JSON value, in one line or many, or one on each line", () => {
    for (const [text, count] of [
      [root, 1],
      [JSON.stringify(parsed, null, 2), 1],
      [`${root}\n`, 1],
      [`${root}\n\n${root}\r\n`, 2],
      [new Array(TrustRoot.INSTANCES_MAX).fill(root).join("\n"), TrustRoot.INSTANCES_MAX]
    ] as const)
      assert.strictEqual(Either.getOrThrow(TrustRoot.parse(text)).instances.length, count)
    const many = new Array(TrustRoot.INSTANCES_MAX + 1).fill(root).join("\n")
    assert.strictEqual(problemOf(many), "more than 16 trusted roots")
  })

  it("needs the start of validity of every key", () => {
    for (const list of LISTS) {
      assert.strictEqual(problemOf(withFirst(list, started("2020-01-01T00:00:00Z"))), "none")
      for (const start of [undefined, null, "", 0])
        assert.match(problemOf(withFirst(list, started(start))), /needs `validFor.start`/)
      assert.strictEqual(
        problemOf(withFirst(list, started("soon"))),
        "a start or end of validity is not a time"
      )
      const bare = withFirst(list, ({ validFor: _, ...item }) =>
        "publicKey" in item ? { ...item, publicKey: { rawBytes: "" } } : item
      )
      assert.match(problemOf(bare), /needs `validFor.start`/)
    }
  })

  it("may leave out lists, and set what it has not to null", () => {
    const bare = { mediaType: TrustRoot.MEDIA_TYPE, tlogs: null, ctlogs: [] }
    assert.strictEqual(problemOf(JSON.stringify(bare)), "none")
  })

  it("is refused with the line and the reason", () => {
    assert.strictEqual(problemOf(""), "this is not JSON")
    assert.strictEqual(problemOf("[]"), "a trusted root is a JSON object")
    assert.match(problemOf("{}"), /^the media type must be/)
    assert.match(problemOf('{"mediaType": "text/plain"}'), /^the media type must be/)
    assert.match(problemOf(`${root}\n{}`), /^line 2: the media type must be/)
    assert.strictEqual(problemOf(`${root}\n}`), "line 2: this is not JSON")
    const bytes = { rawBytes: "AAAA" }
    for (const list of ["certificateAuthorities", "timestampAuthorities"])
      assert.strictEqual(
        problemOf(withFirst(list, (item) => ({ ...item, certChain: { certificates: [bytes] } }))),
        "a key or certificate cannot be decoded"
      )
    const typed = withFirst("tlogs", (item) => ({ ...item, logId: { keyId: { length: 1e9 } } }))
    assert.match(problemOf(typed), /is not complete/)
  })

  it("has a longest length", () => {
    const padding = " ".repeat(TrustRoot.LENGTH_MAX - root.length)
    assert.strictEqual(problemOf(root + padding), "none")
    assert.match(problemOf(`${root + padding} `), /more than 1048576 characters/)
  })

  it.prop(
    "is read in total: a text with a change gives a root or an error",
    { at: FastCheck.nat(root.length - 1), more: FastCheck.string({ maxLength: 3 }) },
    ({ at, more }) => {
      const result = TrustRoot.parse(root.slice(0, at) + more + root.slice(at + more.length))
      if (Either.isLeft(result)) assert.isNotEmpty(result.left.message)
      else assert.lengthOf(result.right.instances, 1)
    }
  )
})
