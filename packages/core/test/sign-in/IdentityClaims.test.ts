/** What tokens say about people: reading is total, and a claim of another form counts as absent. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option } from "effect"
import * as IdentityClaims from "../../src/sign-in/IdentityClaims.js"
import { type Provider, ProviderId } from "../../src/sign-in/Provider.js"

const provider: Provider = {
  id: ProviderId.make("okta"),
  label: "Okta",
  issuer: "https://okta.example.org",
  client_id: "attestry",
  scopes: ["openid"],
  subject: "sub",
  groups: "groups",
  orgs: null,
  link: "none",
  domains: [],
  logout: false
}

const read = (claims: IdentityClaims.Claims, more: Partial<Provider> = {}) =>
  Option.getOrThrow(IdentityClaims.read({ ...provider, ...more }, { sub: "u-1", ...claims }))

describe("the claims of a token", () => {
  it.prop(
    "are read from any claims without a failure",
    { claims: FastCheck.dictionary(FastCheck.string(), FastCheck.jsonValue()) },
    ({ claims }) => {
      assert.isTrue(Option.isOption(IdentityClaims.read(provider, claims)))
    }
  )

  it("need a subject: printable ASCII of at most 255 characters, in the claim of the provider", () => {
    for (const sub of [undefined, null, "", 7, ["u"], "ü", "a\u0000", "a\n", "s".repeat(256)])
      assert.isTrue(Option.isNone(IdentityClaims.read(provider, { sub })), String(sub))
    assert.strictEqual(read({ sub: "s".repeat(255) }).subject.length, 255)
    const { subject } = read({ oid: "object-1" }, { subject: "oid" })
    assert.strictEqual(subject, "object-1")
    const inherited = IdentityClaims.read({ ...provider, subject: "toString" }, { sub: "u" })
    assert.isTrue(Option.isNone(inherited))
  })

  it("have a verified address by the boolean true alone", () => {
    for (const email_verified of ["true", 1, "1", null, undefined, {}, [true], false])
      assert.isFalse(read({ email: "a@b.org", email_verified }).isEmailVerified)
    const verified = read({ email: "a@B.Org", email_verified: true })
    deepStrictEqual(IdentityClaims.verifiedDomain(verified), Option.some("b.org"))
    for (const email of ["a", "a@", "@b", "a b@c.org", "a@b@c.org", 7, `${"a".repeat(250)}@b.org`])
      assert.isNull(read({ email, email_verified: true }).email, String(email))
    // The Kelvin sign and a Cyrillic letter are no ASCII letters.
    deepStrictEqual(
      IdentityClaims.verifiedDomain(read({ email: "a@\u212A.org", email_verified: true })),
      Option.some("\u212A.org")
    )
  })

  it("have groups as a list of texts, and none of any other form", () => {
    assert.deepStrictEqual(read({ groups: ["a", "b"] }).groups, ["a", "b"])
    assert.deepStrictEqual(read({ groups: [] }).groups, [])
    assert.deepStrictEqual(read({}).groups, [])
    for (const groups of [null, "a", { 0: "a" }, [1], ["a", null], ["a\u0000"], [""], [["a"]]])
      assert.isNull(read({ groups }).groups)
    const most = Array.from({ length: IdentityClaims.GROUPS_MAX }, (_, place) => `g${place}`)
    assert.lengthOf(read({ groups: most }).groups ?? [], IdentityClaims.GROUPS_MAX)
    assert.isNull(read({ groups: [...most, "one more"] }).groups)
    assert.isNull(read({ groups: ["g".repeat(257)] }).groups)
    assert.lengthOf(read({ groups: ["g".repeat(256)] }).groups ?? [], 1)
    assert.isNull(read({ groups: ["a"] }, { groups: null }).groups)
  })

  it("say nothing about groups where the provider left them out", () => {
    for (const more of [
      { _claim_names: { groups: "src1" } },
      { hasgroups: true },
      { hasgroups: "true" }
    ])
      assert.isNull(read({ groups: ["a"], ...more }).groups)
    assert.deepStrictEqual(read({ groups: ["a"], _claim_names: { roles: "src1" } }).groups, ["a"])
  })

  it("have the instant at which the person was asked as a number", () => {
    assert.strictEqual(read({ auth_time: 1_790_000_000 }).authTime, 1_790_000_000_000_000)
    for (const auth_time of ["1790000000", 0, -1, Number.NaN, Number.POSITIVE_INFINITY, null])
      assert.isNull(read({ auth_time }).authTime)
  })
})
