/** Worlds of people who sign in with providers, and how one is played on a store and on the model. */
import { ScimId, type UserId } from "@attestry/core/Identifier"
import { Subject } from "@attestry/core/Identity"
import type { IdentityClaims } from "@attestry/core/IdentityClaims"
import type { User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import { type Provider, ProviderId } from "@attestry/core/Provider"
import { Providers } from "@attestry/core/Providers"
import { BaseRole } from "@attestry/core/Role"
import { ScimStore } from "@attestry/core/ScimStore"
import { Sessions } from "@attestry/core/Sessions"
import { SignInRules } from "@attestry/core/SignInRules"
import { DEFAULTS, type JoinRule, type SignInSettings } from "@attestry/core/SignInSettings"
import { SignIns } from "@attestry/core/SignIns"
import { Transaction } from "@attestry/core/Transaction"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import * as SignInModel from "./model/SignInModel.js"

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

export const okta = providerOf("okta")
export const entra = providerOf("entra", { link: "verified_email", domains: ["example.com"] })
const providers: ReadonlyArray<Provider> = [okta, entra]

export const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(Layer.succeed(Providers, providers))
)

export const SYSTEM = { kind: "system", id: "test", name: "test" } as const

export const claimsOf = (
  provider: Provider,
  subject: string,
  more: Partial<IdentityClaims> = {}
): IdentityClaims => ({
  provider: provider.id,
  issuer: provider.issuer,
  subject: Subject.make(subject),
  name: null,
  username: null,
  email: null,
  isEmailVerified: false,
  groups: null,
  authTime: null,
  acr: null,
  ...more
})

export const member = (org: Org, role: BaseRole, more: Partial<User> = {}) =>
  Effect.gen(function* () {
    const members = yield* MembershipStore
    const user = { ...(yield* Fixture.newUser), ...more }
    yield* members.insertUser(user)
    yield* members.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
    return user
  })

/** A reader whom the SCIM client of an org has made with that external id. */
export const described = (org: Org, externalId: string, more: Partial<User> = {}) =>
  Effect.gen(function* () {
    const scim = yield* ScimStore
    const transaction = yield* Transaction
    const user = yield* member(org, "reader", more)
    const id = ScimId.make(yield* Fixture.freshId)
    yield* scim.insert({
      org_id: org.id,
      id,
      user_id: user.id,
      external_id: externalId,
      user_name: externalId,
      active: true,
      attributes: {},
      created_at: Fixture.AT,
      updated_at: Fixture.AT
    })
    yield* transaction.run(org.id, () => scim.setHome(user.id, org.id))
    return user
  })

export const set = (org: Org, settings: Partial<SignInSettings>) =>
  Effect.flatMap(SignInRules, (rules) => rules.set(org, { ...DEFAULTS, ...settings }, SYSTEM))

export const group = (name: string, role: BaseRole): JoinRule => ({
  provider: okta.id,
  group: name,
  role
})

export const complete = (provider: Provider, claims: IdentityClaims) =>
  Effect.flatMap(SignIns, (signIns) => signIns.complete(provider, claims))

export const resumed = (provider: Provider, claims: IdentityClaims) =>
  Effect.gen(function* () {
    const { text } = yield* complete(provider, claims)
    return yield* (yield* Sessions).resume(text)
  })

export const orgsOf = (user: UserId) =>
  Effect.flatMap(MembershipStore, (members) =>
    Effect.map(members.listOrgs(user), (all) =>
      Object.fromEntries(all.map(({ org, role }) => [org, role]))
    )
  )

const ADDRESSES = ["ann@example.com", "bob@example.com", "bob@evil.org", null] as const

interface Step {
  readonly provider: "okta" | "entra"
  readonly subject: string
  readonly address: (typeof ADDRESSES)[number]
  readonly isVerified: boolean
  readonly groups: ReadonlyArray<string> | null
}

const step: FastCheck.Arbitrary<Step> = FastCheck.record({
  provider: FastCheck.constantFrom("okta", "entra"),
  subject: FastCheck.constantFrom("1", "2", "3"),
  address: FastCheck.constantFrom(...ADDRESSES),
  isVerified: FastCheck.boolean(),
  groups: FastCheck.constantFrom(null, [], ["devs"], ["devs", "ops"])
})

/** A world of two orgs: people who were there before, and rules for joining. */
export const world: FastCheck.Arbitrary<{
  readonly before: ReadonlyArray<{ readonly address: string | null; readonly role: BaseRole }>
  readonly rules: ReadonlyArray<{
    readonly org: 0 | 1
    readonly provider: "okta" | "entra"
    readonly by: "devs" | "ops" | "example.com"
    readonly role: BaseRole
  }>
  readonly steps: ReadonlyArray<Step>
}> = FastCheck.record({
  before: FastCheck.array(
    FastCheck.record({
      address: FastCheck.constantFrom(...ADDRESSES),
      role: FastCheck.constantFrom(...BaseRole.literals)
    }),
    { maxLength: 3 }
  ),
  rules: FastCheck.array(
    FastCheck.record({
      org: FastCheck.constantFrom<Array<0 | 1>>(0, 1),
      provider: FastCheck.constantFrom<Array<"okta" | "entra">>("okta", "entra"),
      by: FastCheck.constantFrom<Array<"devs" | "ops" | "example.com">>(
        "devs",
        "ops",
        "example.com"
      ),
      role: FastCheck.constantFrom(...BaseRole.literals)
    }).filter(({ by, role }) => by !== "example.com" || role !== "admin"),
    { maxLength: 4 }
  ),
  steps: FastCheck.array(step, { maxLength: 8 })
})

type Sample = typeof world extends FastCheck.Arbitrary<infer A> ? A : never

/** A sample in a store that has those of others: names and addresses are its own. */
interface Played {
  readonly sample: Sample
  readonly orgs: readonly [Org, Org]
  /** The users in the order of the people of the model. */
  readonly ids: Array<UserId>
  readonly own: (text: string) => string
}

const ruleOf = (
  { own }: Pick<Played, "own">,
  { provider, by, role }: Sample["rules"][number]
): JoinRule => ({
  provider: ProviderId.make(provider),
  ...(by === "example.com" ? { domain: by } : { group: own(by) }),
  role
})

const ownAddress = ({ own }: Pick<Played, "own">, address: string | null): string | null =>
  address === null ? null : own(`.${address}`)

/** The people of a sample who are there before, and the rules of its orgs. */
const prepare = (sample: Sample) =>
  Effect.gen(function* () {
    const orgs = [yield* Fixture.org, yield* Fixture.org] as const
    const own = (text: string) => `${orgs[0].id}${text}`
    const people = yield* Effect.forEach(sample.before, ({ address, role }) =>
      member(orgs[0], role, { email: ownAddress({ own }, address) })
    )
    const played: Played = { sample, orgs, own, ids: people.map(({ id }) => id) }
    for (const place of [0, 1] as const) {
      const rules = sample.rules.filter(({ org }) => org === place)
      yield* set(orgs[place], { join: rules.map((rule) => ruleOf(played, rule)) })
    }
    return played
  })

/** The same in the model. */
const modelOf = (played: Played) => {
  const { sample, orgs } = played
  const rules: SignInModel.ModelRules = {
    join: sample.rules.map((rule) => ({ org: orgs[rule.org].name, ...ruleOf(played, rule) })),
    linking: { entra: ["example.com"] }
  }
  const people: ReadonlyArray<SignInModel.ModelPerson> = sample.before.map(({ address, role }) => ({
    address: ownAddress(played, address),
    identities: [],
    roles: { [orgs[0].name]: role }
  }))
  return { rules, people }
}

/** One sign-in, which must end as the model says; a new person is added to the users. */
const signInAs = (played: Played, step: Step, who: number | null) =>
  Effect.gen(function* () {
    const { own, ids } = played
    const provider = step.provider === "okta" ? okta : entra
    const result = yield* complete(
      provider,
      claimsOf(provider, own(step.subject), {
        email: ownAddress(played, step.address),
        isEmailVerified: step.isVerified,
        groups: step.groups?.map(own) ?? null
      })
    ).pipe(Effect.option)
    if (who === null) return assert.isTrue(Option.isNone(result))
    const { user } = Option.getOrThrow(result)
    if (who === ids.length) ids.push(user.id)
    assert.strictEqual(user.id, ids[who])
  })

/** Plays a sample on the store and on the model. */
export const judge = (sample: Sample) =>
  Effect.gen(function* () {
    const played = yield* prepare(sample)
    const { rules, people: before } = modelOf(played)
    let people = before
    for (const step of sample.steps) {
      const claims = {
        ...step,
        subject: played.own(step.subject),
        groups: step.groups?.map(played.own) ?? null,
        address: ownAddress(played, step.address)
      }
      const expected = SignInModel.signIn(people, claims, rules)
      people = expected.people
      yield* signInAs(played, step, expected.who)
    }
    // WHY not all orgs: those of other samples admit people of the same domain.
    const names = played.orgs.map(({ name }) => String(name))
    for (const [place, id] of played.ids.entries()) {
      const ours = Object.entries(yield* orgsOf(id)).filter(([org]) => names.includes(org))
      deepStrictEqual(Object.fromEntries(ours), { ...people[place]?.roles })
    }
    // WHY: an org of a sample that admits a domain would admit the people of the next one.
    yield* Effect.forEach(played.orgs, (org) => set(org, {}))
  })
