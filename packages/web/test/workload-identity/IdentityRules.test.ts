/** Drafts of identity rules make the rules that the server accepts, and rules have words. */
import * as IdentityRule from "@attestry/core/IdentityRule"
import { assert, describe, it } from "vitest"
import * as Draft from "../../app/workload-identity/IdentityRuleDraft.js"
import * as Text from "../../app/workload-identity/IdentityRuleText.js"

const URL = "https://attestry.example.com"

const githubDraft: Draft.Draft = {
  ...Draft.emptyOf("github", URL),
  repository: " acme/shop ",
  repositoryId: "4711"
}

const gitlabDraft: Draft.Draft = {
  ...Draft.emptyOf("gitlab", URL),
  repository: "acme/team/shop",
  repositoryId: "12"
}

const subjectOf = (draft: Draft.Draft, scope: Draft.Scope): string =>
  Draft.ruleOf(Draft.withScope(draft, scope)).subject

describe("drafts of identity rules", () => {
  it("make the subjects that GitHub and GitLab put into id tokens", () => {
    assert.deepStrictEqual(
      Draft.SCOPES.map(([scope]) => subjectOf(githubDraft, scope)),
      [
        "repo:acme/shop:ref:refs/heads/main",
        "repo:acme/shop:environment:production",
        "repo:acme/shop:ref:refs/tags/v*",
        "repo:acme/shop:**"
      ]
    )
    assert.deepStrictEqual(
      Draft.SCOPES.map(([scope]) => subjectOf(gitlabDraft, scope)),
      [
        "project_path:acme/team/shop:ref_type:branch:ref:main",
        "project_path:acme/team/shop:**",
        "project_path:acme/team/shop:ref_type:tag:ref:v*",
        "project_path:acme/team/shop:**"
      ]
    )
    const deployed = Draft.ruleOf(Draft.withScope(gitlabDraft, "environment"))
    assert.deepStrictEqual(deployed.claims, { project_id: "12", environment: "production" })
  })

  it("make rules that core accepts, for every choice of the form", () => {
    const rules = [githubDraft, gitlabDraft].flatMap((draft) =>
      Draft.SCOPES.map(([scope]) => Draft.ruleOf(Draft.withScope(draft, scope)))
    )
    for (const rule of rules) {
      assert.deepStrictEqual(
        IdentityRule.problems([rule], () => null),
        {}
      )
      assert.deepStrictEqual(Draft.ruleOf(Draft.fromRule(rule)), rule)
    }
  })

  it("have problems beside the fields that are missing", () => {
    const fieldsOf = (draft: Draft.Draft) => [...Draft.problemsOf(draft).keys()]
    assert.deepStrictEqual(fieldsOf(githubDraft), [])
    assert.deepStrictEqual(fieldsOf(Draft.emptyOf("github", "")), [
      "repository",
      "repositoryId",
      "audience"
    ])
    assert.deepStrictEqual(fieldsOf({ ...githubDraft, repository: "shop", ref: " " }), [
      "repository",
      "ref"
    ])
    assert.deepStrictEqual(
      fieldsOf({ ...Draft.emptyOf("other", URL), claims: "ref", minutes: "61" }),
      ["issuer", "subject", "claims", "lifetime"]
    )
  })

  it("keep the first = of a claim as its separator", () => {
    const draft = { ...Draft.emptyOf("other", URL), claims: " a = b=c \n\nd=e" }
    assert.deepStrictEqual(Draft.ruleOf(draft).claims, { a: "b=c", d: "e" })
  })
})

describe("identity rules in words", () => {
  it("name the system, the repository and the jobs", () => {
    const titleOf = (draft: Draft.Draft, scope: Draft.Scope) =>
      Text.titleOf(Draft.ruleOf(Draft.withScope(draft, scope)))
    assert.strictEqual(titleOf(githubDraft, "branch"), "GitHub Actions · acme/shop · branch main")
    assert.strictEqual(titleOf(githubDraft, "any"), "GitHub Actions · acme/shop · every job")
    assert.strictEqual(
      titleOf(gitlabDraft, "environment"),
      "GitLab CI/CD · acme/team/shop · environment production"
    )
    assert.strictEqual(titleOf(gitlabDraft, "tag"), "GitLab CI/CD · acme/team/shop · tags v*")
    const other = { issuer: "https://ci.example.org/x", subject: "a:b", claims: {} }
    assert.strictEqual(Text.titleOf(other), "ci.example.org/x")
  })

  it("list every claim, and how long a key works", () => {
    const rule = Draft.ruleOf({ ...githubDraft, isSingleUse: true })
    assert.deepStrictEqual(Text.claimsOf(rule), [
      ["iss", Draft.ISSUERS.github],
      ["aud", URL],
      ["sub", "repo:acme/shop:ref:refs/heads/main"],
      ["repository_id", "4711"]
    ])
    assert.strictEqual(
      Text.lifetimeText(rule),
      "A key works for 15 min; each id token gets one key."
    )
  })

  it("have a job for each system", () => {
    const place = { url: URL, org: "acme", account: "ci" }
    assert.include(Text.jobOf(Draft.ruleOf(githubDraft), place), "id-token: write")
    const gitlab = Text.jobOf({ ...Draft.ruleOf(gitlabDraft), audience: "aud-1" }, place)
    assert.include(gitlab, "ATTESTRY_ID_TOKEN:\n      aud: aud-1")
    const deployed = Draft.ruleOf(Draft.withScope(githubDraft, "environment"))
    assert.include(Text.jobOf(deployed, place), "environment: production")
    const odd = { ...Draft.withScope(githubDraft, "environment"), ref: "a: b" }
    assert.include(Text.jobOf(Draft.ruleOf(odd), place), 'environment: "a: b"')
    const hidden = { ...odd, ref: "prod\u202eabc" }
    assert.isUndefined(Text.jobOf(Draft.ruleOf(hidden), place))
    const other = Text.jobOf(
      { issuer: "https://ci.example.org", audience: URL, subject: "a:b", claims: {} },
      place
    )
    assert.include(other, "ATTESTRY_SERVICE_ACCOUNT=ci")
  })
})
