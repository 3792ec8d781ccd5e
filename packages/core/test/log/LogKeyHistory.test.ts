/** What entries and keys outside of the store say about the rows of keys. */

import * as SignedNote from "@attestry/transparency-log/SignedNote"
import { Option } from "effect"
import { assert, describe, it } from "vitest"
import * as LogKeyHistory from "../../src/log/internal/LogKeyHistory.js"

const ORIGIN = "log.example/acme"

const vkeyOf = (letter: number, name = ORIGIN) =>
  SignedNote.printKey({
    name,
    type: SignedNote.ED25519,
    publicKey: new Uint8Array(32).fill(letter)
  })

const [A, B, C] = [vkeyOf(1), vkeyOf(2), vkeyOf(3)]

const row = (vkey: string, generation: number, first_size: number, retired_at: number | null) => ({
  vkey,
  generation,
  first_size,
  // WHY: a time of the store is a number with a brand.
  retired_at: retired_at as never
})

const rotations: ReadonlyArray<LogKeyHistory.KeyRotation> = [
  { at: 10, old: [A], new: [A, B], size: 5 },
  { at: 20, old: [A, B], new: [B], size: 9 }
]
const known = [
  { generation: 2, vkey: B },
  { generation: 3, vkey: C }
]

const compare = (...rows: ReadonlyArray<ReturnType<typeof row>>) =>
  LogKeyHistory.compare(rows, { known, rotations }).map((found) => {
    if (found._tag === "KeyChanged") return `${found.column} ${found.vkey === A ? "A" : "B"}`
    return found._tag
  })

describe("LogKeyHistory", () => {
  it("reads rotations, with and without the size that later releases tell", () => {
    const entry = {
      org_id: "o",
      sequence: 1,
      kind: LogKeyHistory.ROTATED,
      at: 7,
      digest: "",
      subject: { type: "log", id: "o" },
      actor: { kind: "system", id: "s", name: "s" }
    }
    const read = (content: string, kind = entry.kind) =>
      // WHY: only the kind, the time and the content are read.
      LogKeyHistory.rotationOf({ ...entry, kind, content } as never)
    const told = { at: 7, old: [A], new: [B] }
    assert.deepStrictEqual(Option.getOrThrow(read(JSON.stringify({ old: [A], new: [B] }))), {
      ...told,
      size: null
    })
    assert.deepStrictEqual(
      Option.getOrThrow(read(JSON.stringify({ old: [A], new: [B], size: 3 }))),
      { ...told, size: 3 }
    )
    assert.isTrue(Option.isNone(read("{}")))
    assert.isTrue(Option.isNone(read(JSON.stringify({ old: [], new: [] }), "log_started")))
  })

  it("keeps the rotations of one log apart from those of another", () => {
    const other = { at: 1, old: [vkeyOf(1, "x")], new: [vkeyOf(2, "x")], size: null }
    assert.deepStrictEqual(LogKeyHistory.ofOrigin([other, ...rotations], ORIGIN), rotations)
    assert.deepStrictEqual(LogKeyHistory.ofOrigin([other, ...rotations], "x"), [other])
  })

  it("trusts keys that are known outside of the store, and those that the log names", () => {
    assert.sameMembers([...LogKeyHistory.trusted({ known, rotations })], [A, B, C])
  })

  it("finds nothing in rows that follow from both", () => {
    assert.deepStrictEqual(compare(row(A, 1, 0, 20), row(B, 2, 5, null)), [])
  })

  it("names what differs", () => {
    const right = row(B, 2, 5, null)
    assert.deepStrictEqual(compare(row(A, 1, 0, 21), right), ["retired_at A"])
    assert.deepStrictEqual(compare(row(A, 1, 0, 10), right), ["retired_at A"])
    assert.deepStrictEqual(compare(row(A, 1, 0, null), right), ["retired_at A"])
    assert.deepStrictEqual(compare(row(A, 1, -1, 20), right), ["first_size A"])
    assert.deepStrictEqual(compare(row(A, 1, 0, 20), row(B, 1, 4, 20)), [
      "generation B",
      "retired_at B",
      "first_size B"
    ])
    assert.deepStrictEqual(compare(right), ["KeyMissing"])
    const stranger = row(vkeyOf(9), 4, 0, null)
    assert.deepStrictEqual(compare(row(A, 1, 0, 20), right, stranger), ["KeyUnknown"])
  })

  it("says nothing where no key is known outside of the store", () => {
    const stranger = row(vkeyOf(9), 4, 0, null)
    assert.deepStrictEqual(LogKeyHistory.compare([stranger], { known: [], rotations }), [])
  })
})
