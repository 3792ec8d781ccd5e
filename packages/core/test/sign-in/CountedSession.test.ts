/** In which orgs a session counts, and when a sign-in is fresh: both sides of every limit. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { OrgId, OrgName } from "../../src/shared/Identifier.js"
import * as Timestamp from "../../src/shared/Timestamp.js"
import * as CountedSession from "../../src/sign-in/CountedSession.js"
import { type Provider, ProviderId } from "../../src/sign-in/Provider.js"
import { DEFAULTS, type SignInSettings } from "../../src/sign-in/SignInSettings.js"

const acme = OrgName.make("acme")
const now = Timestamp.fromSeconds(1_790_000_000)

const providerOf = (id: string, orgs: ReadonlyArray<OrgName> | null = null): Provider => ({
  id: ProviderId.make(id),
  label: id,
  issuer: `https://${id}.example.org`,
  client_id: "attestry",
  scopes: ["openid"],
  subject: "sub",
  groups: null,
  orgs,
  link: "none",
  domains: [],
  logout: false
})

const providers = [
  providerOf("okta"),
  providerOf("entra", [acme]),
  providerOf("other", [OrgName.make("b")])
]

const opened = (provider: string, startedAt = now): CountedSession.Opening => ({
  _tag: "Provider",
  provider: ProviderId.make(provider),
  startedAt
})

const counts = (
  settings: Partial<SignInSettings>,
  opening: CountedSession.Opening,
  at = now
): boolean =>
  CountedSession.counts({ ...DEFAULTS, ...settings }, acme, { opening, providers, now: at })

describe("a session", () => {
  it("of a key counts unless the org accepts providers alone", () => {
    assert.isTrue(counts({}, { _tag: "Key" }))
    assert.isFalse(counts({ only: true }, { _tag: "Key" }))
  })

  it("of a person counts where the provider is offered, and accepted", () => {
    assert.isTrue(counts({}, opened("okta")))
    assert.isTrue(counts({}, opened("entra")))
    assert.isFalse(counts({}, opened("other")))
    assert.isFalse(counts({}, opened("gone")))
    assert.isFalse(counts({ providers: [ProviderId.make("entra")] }, opened("okta")))
    assert.isFalse(counts({ providers: [ProviderId.make("other")] }, opened("other")))
    assert.isFalse(counts({ providers: [] }, opened("okta")))
  })

  it("of a person counts for the hours of the org", () => {
    for (const session_hours of [1, 12, 24]) {
      const ends = Timestamp.plusSeconds(now, session_hours * 3_600)
      assert.isTrue(counts({ session_hours }, opened("okta"), Timestamp.plusSeconds(ends, -1)))
      assert.isFalse(counts({ session_hours }, opened("okta"), ends))
    }
  })

  it("is fresh for the minutes of the org, and never where the provider does not say when", () => {
    const isFresh = (minutes: number | null, authTime: Timestamp.Timestamp | null) =>
      CountedSession.isFresh({ fresh_minutes: minutes }, authTime, now)
    assert.isTrue(isFresh(null, null))
    assert.isFalse(isFresh(5, null))
    assert.isTrue(isFresh(5, Timestamp.plusSeconds(now, -300)))
    assert.isFalse(isFresh(5, Timestamp.plusSeconds(now, -301)))
  })

  it.prop(
    "counts in each org by that org alone, and keeps the order of memberships",
    {
      orgs: FastCheck.array(
        FastCheck.record({
          only: FastCheck.boolean(),
          providers: FastCheck.constantFrom(null, [], [ProviderId.make("okta")])
        }),
        { maxLength: 5 }
      ),
      opening: FastCheck.constantFrom<Array<CountedSession.Opening>>(
        { _tag: "Key" },
        opened("okta"),
        opened("entra")
      )
    },
    ({ orgs, opening }) => {
      const memberships = orgs.map((_, place) => ({
        org_id: OrgId.make(`o${place}`),
        org: OrgName.make(`o${place}`),
        role: "reader" as const
      }))
      const settings = new Map(
        orgs.map((own, place) => [OrgId.make(`o${place}`), { ...DEFAULTS, ...own }])
      )
      const facts = { opening, settings, providers, now }
      const { counted, uncounted } = CountedSession.partition(memberships, facts)
      const alone = memberships.filter(
        (each) => CountedSession.partition([each], facts).counted.length === 1
      )
      assert.deepStrictEqual(counted, alone)
      assert.strictEqual(counted.length + uncounted.length, memberships.length)
      for (const { org } of uncounted) assert.isFalse(counted.some((each) => each.org === org))
    }
  )
})
