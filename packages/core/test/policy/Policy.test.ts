/** Which drafts make a version of a policy, the problems of its controls, and its events. */

import { OrgId, PolicyId, PolicyName } from "@attestry/core/Identifier"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { assert, describe, it } from "@effect/vitest"
import * as Either from "effect/Either"
import * as FastCheck from "effect/FastCheck"
import * as PolicyControls from "../../src/policy/internal/PolicyControls.js"
import * as Policy from "../../src/policy/Policy.js"
import * as PolicyDocument from "../../src/policy/PolicyDocument.js"
import * as PolicyEvent from "../../src/policy/PolicyEvent.js"
import * as Timestamp from "../../src/shared/Timestamp.js"

const at = Timestamp.fromSeconds(1_000)
const later = Timestamp.fromSeconds(2_000)

const policy: Policy.Policy = {
  org_id: OrgId.make("org"),
  id: PolicyId.make("policy"),
  name: PolicyName.make("prod-rules"),
  description: "d",
  version: 3,
  policy_yaml: "text",
  reads: [],
  created_by: "anna",
  created_at: at,
  last_modified_at: at
}

const few = FastCheck.constantFrom("text", "text ", "Text", "other")

describe("Policy.revise", () => {
  it.prop(
    "SNAP-28: makes a version exactly when the text differs, byte for byte",
    { text: few, description: few, comment: few },
    ({ comment, description, text }) => {
      const draft = { name: policy.name, description, comment, policy_yaml: text, reads: [] }
      const { isDescribed, isVersion, next } = Policy.revise(policy, draft, later)
      assert.strictEqual(isVersion, text !== policy.policy_yaml)
      assert.strictEqual(isDescribed, description !== policy.description)
      assert.strictEqual(next.version, isVersion ? 4 : 3)
      assert.strictEqual(next.last_modified_at, isVersion || isDescribed ? later : at)
      const again = Policy.revise(next, draft, later)
      assert.deepStrictEqual(again, { isVersion: false, isDescribed: false, next })
    }
  )
})

describe("PolicyControls.check", () => {
  const text = `_schema: https://example.org/v1
artifacts:
  attestations:
    - type: decision
      for_control: CTL-1
    - type: junit
    - {type: decision, name: x, for_control: CTL-2}
    - type: decision
      for_control: CTL-1
`
  const document = Either.getOrThrow(PolicyDocument.parse(text))

  it("accepts a document whose controls all exist", () => {
    assert.deepStrictEqual(PolicyControls.check(text, document, new Map()), Either.right(document))
  })

  it("names each rule with a refused control, with its position", () => {
    const refused = new Map([
      ["CTL-1", "archived" as const],
      ["CTL-2", "unknown" as const]
    ])
    const { problems } = Either.getOrThrow(
      Either.flip(PolicyControls.check(text, document, refused))
    )
    assert.deepStrictEqual(
      problems.map(({ column, line, path }) => [path, line, column]),
      [
        ["artifacts.attestations.0.for_control", 5, 7],
        ["artifacts.attestations.2.for_control", 7, 33],
        ["artifacts.attestations.3.for_control", 9, 7]
      ]
    )
    assert.deepStrictEqual(
      problems.map(({ message }) => message),
      [
        "control `CTL-1` is archived: unarchive it, or name another one",
        "there is no control `CTL-2`: create it first, or name another one",
        "control `CTL-1` is archived: unarchive it, or name another one"
      ]
    )
  })
})

describe("PolicyEvent.fromEntries", () => {
  const entry = (kind: string, content: string): JournalEntry => ({
    org_id: policy.org_id,
    sequence: 1,
    kind,
    subject: { type: "policy", id: policy.id },
    actor: { kind: "user", id: "u", name: "anna" },
    at,
    content,
    digest: ""
  })

  it("has the words of the wire", () => {
    const events = PolicyEvent.fromEntries([
      entry("policy_created", '{"version":1,"name":"prod-rules","environment":"prod"}'),
      entry("policy_version_created", '{"version":2,"policy_yaml":"x"}'),
      entry("policy_description_changed", '{"description":"d","version":2}'),
      entry("policy_attached", '{"environment":"prod","version":2}'),
      entry("policy_detached", '{"environment":"prod"}')
    ])
    assert.deepStrictEqual(
      events.map(({ data, type }): readonly [string, object] => [type, data]),
      [
        ["policy_created", { version: 1 }],
        ["policy_version_created", { version: 2 }],
        ["policy_description_changed", {}],
        ["policy_attached", { environment: "prod" }],
        ["policy_detached", { environment: "prod" }]
      ]
    )
    assert.deepStrictEqual(
      events.map(({ timestamp, user }) => [timestamp, user]),
      events.map(() => [at, "anna"])
    )
  })

  it("leaves out entries that are no events, and the data of entries that do not decode", () => {
    assert.deepStrictEqual(
      PolicyEvent.fromEntries([entry("something", "{}"), entry("policy_created", "no JSON")]),
      [{ type: "policy_created", timestamp: at, user: "anna", data: {} }]
    )
  })
})
