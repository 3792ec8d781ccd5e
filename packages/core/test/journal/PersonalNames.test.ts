/** Names in contents are recorded so that they can be erased, and are read as they were. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as ErasedMembers from "../../src/journal/ErasedMembers.js"
import * as PersonalNames from "../../src/journal/internal/PersonalNames.js"

const KINDS = [
  "artifact_allowed",
  "artifact_approval_reported",
  "attestation_type_created",
  "control_edited",
  "policy_created",
  "trail_reported",
  "trail_updated",
  "flow_created"
]

const contentOf = (name: string) => ({
  created_by: name,
  reviewer: `external://${name}`,
  versions: [{ created_by: name, n: 1 }],
  control: { created_by: name },
  entry: { user: name, kind: "Edited" },
  approval: { created_by: name },
  trail: { created_by: name },
  body: { created_by: name }
})

describe("PersonalNames", () => {
  it.prop(
    "reads what was recorded as it was",
    { kind: FastCheck.constantFrom(...KINDS), name: FastCheck.string() },
    ({ kind, name }) => {
      const content = contentOf(name)
      assert.deepStrictEqual(
        PersonalNames.reveal(kind, PersonalNames.conceal(kind, content)),
        content
      )
    }
  )

  it("leaves contents that were recorded with plain names, or without any, as they are", () => {
    const plain = contentOf("Ada")
    for (const kind of KINDS) {
      assert.deepStrictEqual(PersonalNames.reveal(kind, plain), plain)
      for (const other of [null, "text", [1], { created_by: null }, { versions: {} }]) {
        assert.deepStrictEqual(PersonalNames.conceal(kind, other), other)
        assert.deepStrictEqual(PersonalNames.reveal(kind, other), other)
      }
    }
  })

  it("puts names behind members with a personal name, and nothing else", () => {
    assert.deepStrictEqual(PersonalNames.conceal("artifact_approval_reported", contentOf("Ada")), {
      ...contentOf("Ada"),
      approval: { created_by: { username: "Ada" } },
      reviewer: { approved_by: "Ada" }
    })
    for (const name of ["username", "approved_by"]) {
      assert.isTrue(ErasedMembers.PERSONAL.has(name))
    }
    assert.deepStrictEqual(
      PersonalNames.conceal("flow_created", contentOf("Ada")),
      contentOf("Ada")
    )
  })
})
