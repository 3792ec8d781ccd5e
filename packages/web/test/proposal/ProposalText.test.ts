/** Proposals in words, and who may decide about one. */
import { assert, describe, it } from "vitest"
import * as ProposalText from "../../app/proposal/ProposalText.js"
import type { ListedProposal, Session } from "../../app/shared/Contract.js"

const PROPOSAL: ListedProposal = {
  number: 1,
  state: "made",
  operation: "policy.put",
  params: { org: "acme", name: "prod-rules" },
  kinds: ["policy"],
  subjects: [
    { type: "policy", name: "prod-rules" },
    { type: "service_account", name: "ci" },
    { type: "policy", name: "prod-rules" }
  ],
  space: "retail/cards",
  digest: "0".repeat(64),
  reason: "why",
  proposed_by: "max",
  proposer_kind: "user",
  made_at: 1,
  expires_at: 9,
  approvals_required: 2,
  approvals: [{ user: "ada", at: 2, comment: "ok" }],
  ended: null
}

const reader = (name: string, kind: "user" | "service-account" = "user"): Session => ({
  actor: { kind, id: name, name },
  csrf_token: "",
  expires_at: 0,
  default_org: null,
  sign_in: [],
  orgs: []
})

describe("the standing of a reader", () => {
  const of = (session: Session | undefined, change: Partial<ListedProposal> = {}) =>
    ProposalText.standingOf({ ...PROPOSAL, ...change }, session)

  it("is to decide about an open proposal of others, once", () => {
    assert.strictEqual(of(reader("kim")), "may")
    assert.strictEqual(of(reader("ada")), "approved")
    assert.strictEqual(of(reader("ada"), { approvals: [] }), "may")
  })

  it("is not to decide about one's own, nor as an account", () => {
    assert.strictEqual(of(reader("max")), "own")
    assert.strictEqual(of(reader("ci", "service-account")), "service-account")
    assert.strictEqual(
      of(reader("ci", "service-account"), {
        proposed_by: "ci",
        proposer_kind: "service-account"
      }),
      "own"
    )
    assert.strictEqual(of(reader("max"), { proposer_kind: "service-account" }), "may")
  })

  it("is nothing after the end, nor without a session", () => {
    assert.strictEqual(of(undefined), "decided")
    for (const state of ProposalText.STATES)
      assert.strictEqual(
        of(reader("kim"), { state }),
        state === "made" || state === "approved" ? "may" : "decided",
        state
      )
  })
})

describe("a proposal in words", () => {
  it("names each subject once, and its approvals", () => {
    assert.strictEqual(ProposalText.subjectsText(PROPOSAL), "policy prod-rules, service account ci")
    assert.strictEqual(ProposalText.approvalsText(PROPOSAL), "1 of 2 approvals")
    assert.strictEqual(
      ProposalText.approvalsText({ approvals: [], approvals_required: 1 }),
      "0 of 1 approval"
    )
  })

  it("has its life in order, with an end that time brought", () => {
    assert.deepStrictEqual(
      ProposalText.historyOf({
        ...PROPOSAL,
        state: "expired",
        ended: { at: 9, user: null, comment: "" }
      }),
      [
        { at: 1, what: "proposed", by: "max", comment: "why" },
        { at: 2, what: "approved", by: "ada", comment: "ok" },
        { at: 9, what: "expired", comment: "" }
      ]
    )
  })
})
