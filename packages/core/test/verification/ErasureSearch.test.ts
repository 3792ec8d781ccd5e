/** A text is found wherever an entry has it: in members that can be erased, or in places where it stays. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { LoggedEntry } from "../../src/log/Log.js"
import { OrgId } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as ErasureSearch from "../../src/verification/internal/ErasureSearch.js"

const TEXT = "Ada King"

const logged = (content: unknown, name = "ci"): LoggedEntry => ({
  entry: {
    org_id: OrgId.make("o"),
    sequence: 7,
    kind: "k",
    subject: { type: "trail", id: "t" },
    actor: { kind: "user", id: "u", name },
    at: Timestamp.fromMicros(1),
    content: JSON.stringify(content),
    digest: "0".repeat(64)
  },
  leaf: {
    index: 0,
    sequence: 7,
    prev: null,
    hash: new Uint8Array(32),
    salt: new Uint8Array(32).fill(7)
  }
})

describe("ErasureSearch", () => {
  it("finds the innermost member that can be erased, and names the places where the text stays", () => {
    const content = {
      description: TEXT,
      name: `trail of ${TEXT}`,
      user_data: { owner: { is: TEXT }, note: { message: `by ${TEXT}.` } },
      body: {
        annotations: { who: `asked ${TEXT}` },
        attestation_data: { by: TEXT, author: TEXT },
        message: `from ${TEXT}`,
        jira_results: [{ issue_id: "A-1", issue_fields: { assignee: [{ displayName: TEXT }] } }]
      },
      attachments: [{ filename: `${TEXT}.txt` }]
    }
    assert.deepStrictEqual(ErasureSearch.find(logged(content, TEXT), TEXT), {
      erased: [
        "/facts/actor/name",
        "/facts/content/description",
        "/user_data",
        "/user_data/note/message",
        "/body/annotations",
        "/body/attestation_data/author",
        "/body/jira_results/0/issue_fields"
      ],
      kept: [
        "/facts/content/name",
        "/body/attestation_data/by",
        "/body/message",
        "/facts/content/attachments/0/filename"
      ]
    })
  })

  it.prop(
    "finds a text at any depth of a value of free form",
    { path: FastCheck.array(FastCheck.constantFrom("a", 0, "b/c", "~d"), { maxLength: 6 }) },
    ({ path }) => {
      const value = path.reduceRight<unknown>(
        (inner, step) => (step === 0 ? [inner] : { [step]: inner }),
        TEXT
      )
      const found = ErasureSearch.find(logged({ user_data: { value, other: 1 } }), TEXT)
      assert.deepStrictEqual(found, { erased: ["/user_data"], kept: [] })
    }
  )

  it("finds nothing where the text is a part of a longer word", () => {
    const content = { description: "Ada Kingston", user_data: { x: "Ada Kingston" } }
    assert.deepStrictEqual(ErasureSearch.find(logged(content), TEXT), { erased: [], kept: [] })
  })
})
