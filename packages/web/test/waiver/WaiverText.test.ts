/** Waivers in words, and who may decide about one. */
import { assert, describe, it } from "vitest"
import type { Waiver } from "../../app/shared/Contract.js"
import { ruleText } from "../../app/waiver/WaiverRule.js"
import {
  historyOf,
  mayRevoke,
  type Reader,
  standingOf,
  standingText
} from "../../app/waiver/WaiverText.js"

const waiverOf = (more: Partial<Waiver> = {}): Waiver => ({
  number: 1,
  state: "requested",
  policy_name: "rules",
  rule: null,
  environment: null,
  if: null,
  reason: "the scanner is down",
  owner: "mia",
  ticket_url: null,
  starts_at: 100,
  expires_at: 900,
  extends: null,
  requested_by: "max",
  requested_at: 100,
  approvals_required: 2,
  approver_role: "admin",
  approvals: [],
  activated_at: null,
  rejected: null,
  revoked: null,
  ...more
})

const person = (name: string, role: string): Reader => ({ name, role, isUser: true })
const strict = { self_approval: false }

describe("the rule of a waiver", () => {
  it("is named by its requirement", () => {
    assert.strictEqual(ruleText(null), "every rule")
    assert.strictEqual(ruleText({ type: "provenance" }), "provenance")
    assert.strictEqual(ruleText({ type: "attestation", attestation_name: "scan" }), "scan")
    assert.strictEqual(
      ruleText({ type: "attestation", attestation_type: "snyk", attestation_name: "scan" }),
      "scan (snyk)"
    )
    assert.strictEqual(
      ruleText({ type: "attestation", attestation_type: "decision", for_control: "C-1" }),
      "decision for C-1"
    )
  })
})

describe("a request", () => {
  it("is decided by people with the role, each once, and not by its requester", () => {
    const waiver = waiverOf()
    assert.strictEqual(standingOf(waiver, person("ada", "admin"), strict), "may")
    assert.strictEqual(standingOf(waiver, person("max", "admin"), strict), "own")
    assert.strictEqual(standingOf(waiver, person("max", "admin"), { self_approval: true }), "may")
    assert.strictEqual(standingOf(waiver, person("mia", "member"), strict), "role")
    assert.strictEqual(standingOf(waiver, undefined, strict), "role")
    assert.strictEqual(
      standingOf(waiver, { ...person("ci", "admin"), isUser: false }, strict),
      "service-account"
    )
    const open = waiverOf({ approver_role: "member" })
    assert.strictEqual(standingOf(open, person("mia", "member"), strict), "may")
    assert.strictEqual(standingOf(open, person("rob", "reader"), strict), "role")
    const once = waiverOf({ approvals: [{ user: "ada", at: 200, comment: "" }] })
    assert.strictEqual(standingOf(once, person("ada", "admin"), strict), "approved")
    assert.strictEqual(
      standingOf(waiverOf({ state: "active" }), person("ada", "admin"), strict),
      "decided"
    )
  })

  it("has a sentence for each person who may not decide", () => {
    for (const standing of ["own", "approved", "role", "service-account"] as const)
      assert.match(standingText(standing, waiverOf()), /\.$/)
    assert.strictEqual(standingText("may", waiverOf()), "")
  })
})

describe("a waiver", () => {
  it("is revoked by its requester, its owner and admins while it is open", () => {
    for (const [name, role, may] of [
      ["max", "member", true],
      ["mia", "member", true],
      ["ada", "admin", true],
      ["leo", "member", false]
    ] as const)
      assert.strictEqual(mayRevoke(waiverOf(), person(name, role)), may, name)
    assert.isFalse(mayRevoke(waiverOf({ state: "expired" }), person("ada", "admin")))
  })

  it("has a history in order", () => {
    const events = historyOf(
      waiverOf({
        state: "expired",
        approvals: [{ user: "ada", at: 200, comment: "ok" }],
        activated_at: 200,
        starts_at: 300
      })
    )
    assert.deepStrictEqual(
      events.map(({ at, what }) => [at, what]),
      [
        [100, "requested"],
        [200, "approved"],
        [300, "takes effect"],
        [900, "expired"]
      ]
    )
    const lapsed = historyOf(waiverOf({ state: "lapsed" })).at(-1)
    assert.strictEqual(lapsed?.at, 100 + 14 * 86_400)
  })
})
