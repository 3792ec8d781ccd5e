/** Rows of the form of protections. */
import { assert, describe, it } from "vitest"
import * as ProtectionDraft from "../../app/protection/ProtectionDraft.js"

const PROTECTION = {
  kinds: ["policy", "access"],
  space: "retail/cards",
  approvals: 2,
  team: "risk",
  days: 7
} as const

describe("the draft of protections", () => {
  it("has the body of what it was made from", () => {
    const drafts = [PROTECTION, { ...PROTECTION, team: null }].map(ProtectionDraft.make)
    const { team: _team, ...open } = PROTECTION
    assert.deepStrictEqual(ProtectionDraft.bodyOf(drafts), { protections: [PROTECTION, open] })
  })

  it("gives every row a key of its own, and a new row no kind", () => {
    const [left, right] = [ProtectionDraft.blank(), ProtectionDraft.blank()]
    assert.notStrictEqual(left.key, right.key)
    assert.deepStrictEqual(left.kinds, [])
  })

  it("adds a kind once, and takes it out", () => {
    const draft = ProtectionDraft.make(PROTECTION)
    const added = ProtectionDraft.withKind(draft, "access", true)
    assert.deepStrictEqual(added.kinds, ["policy", "access"])
    assert.deepStrictEqual(ProtectionDraft.withKind(draft, "policy", false).kinds, ["access"])
  })

  it("names the fields of each row as the server does", () => {
    assert.deepStrictEqual(ProtectionDraft.fieldsOf([ProtectionDraft.blank()]), [
      "protections.0.kinds",
      "protections.0.space",
      "protections.0.approvals",
      "protections.0.team",
      "protections.0.days"
    ])
  })
})
