/** What records of spaces, places and grants must be by the journal. */
import type { Columns, RecordKind } from "@attestry/core/AuditStore"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { assert, describe, it } from "vitest"
import { Replay } from "../../src/verification/internal/Replay.js"

const ROOT = "o"

const entry = (kind: string, content: Columns): JournalEntry =>
  // WHY: a test gives plain values where the journal has brands.
  ({
    org_id: "o",
    sequence: 1,
    kind,
    subject: { type: "t", id: "s" },
    at: 5,
    digest: "",
    actor: { kind: "user", id: "u", name: "ada" },
    content: JSON.stringify(content)
  }) as never

const rowsAfter = (
  table: RecordKind,
  ...entries: ReadonlyArray<readonly [string, Columns]>
): ReadonlyArray<readonly [string, Columns]> => {
  const replay = new Replay()
  for (const [kind, content] of entries) replay.accept(entry(kind, content))
  return [...replay.table(table)]
}

const space = (id: string, from_at: number, fields: Columns = {}): Columns => ({
  org_id: "o",
  id,
  parent_id: ROOT,
  name: id,
  description: "",
  from_at,
  to_at: null,
  ...fields
})

const placed = (thing_id: string, from: string, to: string, from_at: number): Columns => ({
  kind: "flow",
  thing_id,
  name: "shop",
  from,
  to,
  from_at
})

const place = (thing_id: string, space_id: string, from_at: number, to_at: number | null) =>
  [
    `flow ${thing_id} ${from_at}`,
    { org_id: "o", kind: "flow", thing_id, space_id, from_at, to_at }
  ] as const

describe("Replay of spaces", () => {
  it("ends the state that lasts where the next one begins, and no other", () => {
    const next = space("a", 9, { name: "b" })
    assert.deepStrictEqual(
      rowsAfter(
        "space",
        ["space_created", space("a", 5)],
        ["space_created", space("x", 5)],
        ["space_changed", next],
        ["space_changed", space("a", 12)]
      ),
      [
        ["a 5", space("a", 5, { to_at: 9 })],
        ["x 5", space("x", 5)],
        ["a 9", { ...next, to_at: 12 }],
        ["a 12", space("a", 12)]
      ]
    )
  })

  it("keeps the state of a space that was deleted, with its end", () => {
    const over = space("a", 5, { to_at: 7 })
    assert.deepStrictEqual(
      rowsAfter("space", ["space_created", space("a", 5)], ["space_deleted", over]),
      [["a 5", over]]
    )
  })

  it("begins a time in a space, ends the one before it, and has none in the root", () => {
    const other = { ...placed("1", ROOT, "a", 5), kind: "policy" }
    assert.deepStrictEqual(
      rowsAfter(
        "thing_place",
        ["thing_placed", placed("1", ROOT, "a", 5)],
        ["thing_placed", placed("2", ROOT, "a", 5)],
        ["thing_placed", other],
        ["thing_placed", placed("1", "a", "b", 8)],
        ["thing_placed", placed("2", "a", ROOT, 9)],
        ["thing_placed", placed("2", ROOT, "b", 9)]
      ),
      [
        place("1", "a", 5, 8),
        place("2", "a", 5, 9),
        [
          "policy 1 5",
          { org_id: "o", kind: "policy", thing_id: "1", space_id: "a", from_at: 5, to_at: null }
        ],
        place("1", "b", 8, null),
        place("2", "b", 9, null)
      ]
    )
  })

  it("keeps the last placement rules, and each grant as it was said last", () => {
    const rules = (name: string) => ({ org_id: "o", rules: [{ kind: "flow", name }] })
    assert.deepStrictEqual(
      rowsAfter(
        "placement_rule",
        ["placement_rules_set", rules("a*")],
        ["placement_rules_set", rules("b*")]
      ),
      [["o", rules("b*")]]
    )
    const [one, two] = [
      { number: 1, to_at: null },
      { number: 2, to_at: null }
    ]
    assert.deepStrictEqual(
      rowsAfter(
        "grant",
        ["grant_given", one],
        ["grant_given", two],
        ["grant_ended", { ...one, to_at: 9 }]
      ),
      [
        ["1", { number: 1, to_at: 9 }],
        ["2", two]
      ]
    )
  })
})
