/** Sign-in settings of an org: bounds on both sides, and what keeps them from being saved. */
import { assert, describe, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import * as NumberedLogin from "../../src/membership/NumberedLogin.js"
import { OrgName, TeamName } from "../../src/shared/Identifier.js"
import * as StorableText from "../../src/shared/StorableText.js"
import { Subject } from "../../src/sign-in/Identity.js"
import * as Joining from "../../src/sign-in/Joining.js"
import { type Provider, ProviderId } from "../../src/sign-in/Provider.js"
import * as SignInSettings from "../../src/sign-in/SignInSettings.js"

const acme = OrgName.make("acme")

const providerOf = (id: string, more: Partial<Provider> = {}): Provider => ({
  id: ProviderId.make(id),
  label: id,
  issuer: `https://${id}.example.org`,
  client_id: "attestry",
  scopes: ["openid"],
  subject: "sub",
  groups: "groups",
  orgs: null,
  link: "none",
  domains: [],
  logout: false,
  ...more
})

const known = [
  providerOf("okta"),
  providerOf("plain", { groups: null }),
  providerOf("other", { orgs: [OrgName.make("b")] })
]

const team = (name: string) => TeamName.make(name)

const teams = [
  { name: team("by-hand"), kind: "hand" },
  { name: team("by-scim"), kind: "scim" },
  { name: team("by-claim"), kind: "claim" }
] as const

const isSettings = (more: object): boolean =>
  Either.isRight(
    Schema.decodeUnknownEither(SignInSettings.SignInSettings)({
      ...SignInSettings.DEFAULTS,
      ...more
    })
  )

const fields = (more: Partial<SignInSettings.SignInSettings>): ReadonlyArray<string> =>
  Object.keys(
    SignInSettings.problems(
      { ...SignInSettings.DEFAULTS, ...more },
      { providers: known, teams },
      acme
    )
  )

const okta = ProviderId.make("okta")

describe("sign-in settings", () => {
  it("have hours and minutes within their bounds", () => {
    for (const session_hours of [1, 24]) assert.isTrue(isSettings({ session_hours }))
    for (const session_hours of [0, 25, 1.5]) assert.isFalse(isSettings({ session_hours }))
    for (const fresh_minutes of [5, 60, null]) assert.isTrue(isSettings({ fresh_minutes }))
    for (const fresh_minutes of [4, 61]) assert.isFalse(isSettings({ fresh_minutes }))
    for (const personal_keys of ["all", "emergency"]) assert.isTrue(isSettings({ personal_keys }))
    assert.isFalse(isSettings({ personal_keys: "none" }))
    for (const key_max_days of [1, 3_650, null]) assert.isTrue(isSettings({ key_max_days }))
    for (const key_max_days of [0, 3_651]) assert.isFalse(isSettings({ key_max_days }))
  })

  it("have at most 100 rules, with groups of 256 characters and domains of names", () => {
    const rule = { provider: "okta", group: "g", role: "member" }
    const join = Array.from({ length: 100 }, () => rule)
    assert.isTrue(isSettings({ join }))
    assert.isFalse(isSettings({ join: [...join, rule] }))
    assert.isTrue(isSettings({ join: [{ ...rule, group: "g".repeat(256) }] }))
    for (const group of ["", "g".repeat(257), "g\u0000"])
      assert.isFalse(isSettings({ join: [{ ...rule, group }] }))
    for (const domain of ["a.org", "x-1.a.org"])
      assert.isTrue(isSettings({ join: [{ provider: "okta", domain, role: "reader" }] }))
    for (const domain of ["org", "A.org", "-a.org", "a..org", "*.a.org", ""])
      assert.isFalse(isSettings({ join: [{ provider: "okta", domain, role: "reader" }] }))
  })

  it("name providers that are offered to the org, and leave somebody a way to sign in", () => {
    assert.deepStrictEqual(fields({}), [])
    assert.deepStrictEqual(fields({ providers: [okta] }), [])
    assert.deepStrictEqual(fields({ providers: [okta, ProviderId.make("other")] }), [
      "providers[1]"
    ])
    assert.deepStrictEqual(fields({ only: true }), [])
    assert.deepStrictEqual(fields({ only: true, providers: [] }), ["only"])
  })

  it("let admins join by a group alone, of a provider that has groups", () => {
    const problemsOf = (rule: Partial<SignInSettings.JoinRule>) =>
      fields({ join: [{ provider: okta, role: "member", ...rule }] })
    assert.deepStrictEqual(problemsOf({ group: "g", role: "admin" }), [])
    assert.deepStrictEqual(problemsOf({ domain: "a.org" }), [])
    assert.deepStrictEqual(problemsOf({ domain: "a.org", role: "admin" }), ["join[0].role"])
    assert.deepStrictEqual(problemsOf({}), ["join[0]"])
    assert.deepStrictEqual(problemsOf({ group: "g", domain: "a.org" }), ["join[0]"])
    const plain = ProviderId.make("plain")
    assert.deepStrictEqual(problemsOf({ provider: plain, group: "g" }), ["join[0].group"])
    const gone = ProviderId.make("gone")
    assert.deepStrictEqual(problemsOf({ provider: gone, group: "g" }), ["join[0].provider"])
  })
})

describe("teams of sign-in settings", () => {
  const rule = { provider: "okta", group: "g", role: "none" }

  it("are at most 20 for a rule, and follow at most 1,000 groups", () => {
    const names = Array.from({ length: 21 }, (_, place) => `t${place}`)
    assert.isTrue(isSettings({ join: [{ ...rule, teams: names.slice(1) }] }))
    assert.isFalse(isSettings({ join: [{ ...rule, teams: names }] }))
    const followed = (length: number) =>
      Array.from({ length }, (_, place) => ({ provider: "okta", group: `g${place}`, team: "t" }))
    assert.isTrue(isSettings({ group_teams: followed(1_000) }))
    assert.isFalse(isSettings({ group_teams: followed(1_001) }))
    assert.isFalse(isSettings({ group_teams: [{ provider: "okta", group: "g", team: "T t" }] }))
  })

  it("of a rule are kept by hand, also those that follow no group any more", () => {
    const problemsOf = (name: string, more: Partial<SignInSettings.SignInSettings> = {}) =>
      fields({ ...more, join: [{ provider: okta, group: "g", role: "none", teams: [team(name)] }] })
    assert.deepStrictEqual(problemsOf("by-hand"), [])
    assert.deepStrictEqual(problemsOf("by-claim"), [])
    for (const name of ["by-scim", "missing"])
      assert.deepStrictEqual(problemsOf(name), ["join[0].teams[0]"])
    const follows = (name: string) => ({
      group_teams: [{ provider: okta, group: "g", team: team(name) }]
    })
    for (const name of ["by-hand", "by-claim", "new"])
      assert.deepStrictEqual(problemsOf(name, follows(name)), ["join[0].teams[0]"])
  })

  it("follow groups of one provider that has groups, and are not kept by SCIM", () => {
    const problemsOf = (...rules: ReadonlyArray<readonly [provider: string, name: string]>) =>
      fields({
        group_teams: rules.map(([provider, name]) => ({
          provider: ProviderId.make(provider),
          group: "g",
          team: team(name)
        }))
      })
    assert.deepStrictEqual(problemsOf(["okta", "by-hand"], ["okta", "new"], ["okta", "new"]), [])
    assert.deepStrictEqual(problemsOf(["okta", "by-scim"]), ["group_teams[0].team"])
    assert.deepStrictEqual(problemsOf(["plain", "new"]), ["group_teams[0].group"])
    assert.deepStrictEqual(problemsOf(["other", "new"]), ["group_teams[0].provider"])
    assert.deepStrictEqual(problemsOf(["okta", "new"], ["plain", "new"]), [
      "group_teams[1].group",
      "group_teams[1].team"
    ])
  })
})

describe("the role of people whom a SCIM client makes", () => {
  it("is every base role but admin, and none where nothing is said", () => {
    for (const provision_role of ["member", "snapshotter", "reader", "none"])
      assert.isTrue(isSettings({ provision_role }))
    assert.isFalse(isSettings({ provision_role: "admin" }))
    assert.strictEqual(SignInSettings.fromInput({}).provision_role, "none")
    const [rule] = SignInSettings.fromInput({ join: [{ provider: okta, group: "g" }] }).join
    assert.deepStrictEqual(rule, { provider: okta, group: "g", role: "none" })
  })
})

describe("logins of new users", () => {
  it("are numbered, and at most 255 characters long", () => {
    const loginAt = (username: string | null, attempt: number) =>
      NumberedLogin.at(
        Joining.loginOf({ provider: okta, username, subject: Subject.make("s-1") }),
        attempt
      )
    assert.strictEqual(loginAt("ann", 0), "okta:ann")
    assert.strictEqual(loginAt("ann", 1), "okta:ann-2")
    assert.strictEqual(loginAt(null, 0), "okta:s-1")
    assert.strictEqual(loginAt("a".repeat(300), 41).length, 255)
    assert.isTrue(loginAt("a".repeat(300), 41).endsWith("-42"))
    for (const attempt of [0, 1]) {
      const login = loginAt("🦉".repeat(200), attempt)
      assert.isAtMost(login.length, 255)
      assert.isFalse(StorableText.isUnstorable(login))
    }
  })
})
