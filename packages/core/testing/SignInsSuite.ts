/** Signing in with providers through the use cases, on any store: the laws of who is who, of joining and of links. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { Login, type UserId } from "@attestry/core/Identifier"
import { Identities } from "@attestry/core/Identities"
import { Subject } from "@attestry/core/Identity"
import type { IdentityClaims } from "@attestry/core/IdentityClaims"
import type { User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { type Provider, ProviderId, Providers } from "@attestry/core/Provider"
import { Role } from "@attestry/core/Role"
import { Sessions } from "@attestry/core/Sessions"
import { SignInRules } from "@attestry/core/SignInRules"
import { DEFAULTS, type JoinRule, type SignInSettings } from "@attestry/core/SignInSettings"
import { SignInStore } from "@attestry/core/SignInStore"
import { SignIns } from "@attestry/core/SignIns"
import * as Timestamp from "@attestry/core/Timestamp"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import * as SignInModel from "./internal/model/SignInModel.js"
import { type SuiteOptions, suite } from "./Suite.js"

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

const okta = providerOf("okta")
const entra = providerOf("entra", { link: "verified_email", domains: ["example.com"] })
const providers: ReadonlyArray<Provider> = [okta, entra]

const services = UseCases.layer.pipe(
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(Layer.succeed(Providers, providers))
)

const SYSTEM = { kind: "system", id: "test", name: "test" } as const

const claimsOf = (
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

const member = (org: Org, role: Role, more: Partial<User> = {}) =>
  Effect.gen(function* () {
    const members = yield* MembershipStore
    const user = { ...(yield* Fixture.newUser), ...more }
    yield* members.insertUser(user)
    yield* members.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
    return user
  })

const set = (org: Org, settings: Partial<SignInSettings>) =>
  Effect.flatMap(SignInRules, (rules) => rules.set(org, { ...DEFAULTS, ...settings }, SYSTEM))

const group = (name: string, role: Role): JoinRule => ({ provider: okta.id, group: name, role })

const complete = (provider: Provider, claims: IdentityClaims) =>
  Effect.flatMap(SignIns, (signIns) => signIns.complete(provider, claims))

const resumed = (provider: Provider, claims: IdentityClaims) =>
  Effect.gen(function* () {
    const { text } = yield* complete(provider, claims)
    return yield* (yield* Sessions).resume(text)
  })

const orgsOf = (user: UserId) =>
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
const world: FastCheck.Arbitrary<{
  readonly before: ReadonlyArray<{ readonly address: string | null; readonly role: Role }>
  readonly rules: ReadonlyArray<{
    readonly org: 0 | 1
    readonly provider: "okta" | "entra"
    readonly by: "devs" | "ops" | "example.com"
    readonly role: Role
  }>
  readonly steps: ReadonlyArray<Step>
}> = FastCheck.record({
  before: FastCheck.array(
    FastCheck.record({
      address: FastCheck.constantFrom(...ADDRESSES),
      role: FastCheck.constantFrom(...Role.literals)
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
      role: FastCheck.constantFrom(...Role.literals)
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
const judge = (sample: Sample) =>
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

/** The number of generated worlds. */
interface Options extends SuiteOptions {
  readonly worlds: number
}

/** States the laws of signing in on a store. */
export const signInsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  { worlds, ...options }: Options
): void =>
  suite(`sign-in (${name})`, ports, options, (it) => {
    it.effect(
      "gives every session to the person that the model gives it to, and no identity becomes a user who was there (SIGNIN-1)",
      () => Effect.forEach(FastCheck.sample(world, worlds), judge).pipe(Effect.provide(services))
    )

    it.effect("makes a new user with a login that nobody has, once for two sign-ins at once", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const username = org.id
        const taken = yield* member(org, "reader", { login: Login.make(`okta:${username}`) })
        yield* set(org, { join: [group(org.id, "member")] })
        const claims = claimsOf(okta, org.id, { username, groups: [org.id] })
        const [one, other] = yield* Effect.all([complete(okta, claims), complete(okta, claims)], {
          concurrency: 2
        })
        assert.strictEqual(one.user.id, other.user.id)
        assert.notStrictEqual(one.user.id, taken.id)
        assert.strictEqual(one.user.login, `okta:${username}-2`)
        deepStrictEqual(yield* orgsOf(one.user.id), { [org.name]: "member" })
      }).pipe(Effect.provide(services))
    )

    it.effect("changes no role of a member, and ends the session with the identity", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const [sessions, identities] = [yield* Sessions, yield* Identities]
        yield* set(org, { join: [group(org.id, "member")] })
        const claims = claimsOf(okta, org.id, { groups: [org.id] })
        const { user } = yield* complete(okta, claims)
        yield* set(org, { join: [group(org.id, "admin")] })
        const { text } = yield* complete(okta, claims)
        const { actor } = yield* sessions.resume(text)
        deepStrictEqual(
          actor.memberships.map(({ role }) => role),
          ["member"]
        )
        deepStrictEqual(actor.signed_in, { provider: okta.id, auth_time: null })
        yield* identities.unlink(user.id, okta.id, SYSTEM)
        assert.strictEqual((yield* Effect.flip(sessions.resume(text)))._tag, "InvalidCredential")
        const again = yield* Effect.flip(identities.unlink(user.id, okta.id, SYSTEM))
        assert.strictEqual(again._tag, "IdentityNotFound")
      }).pipe(Effect.provide(services))
    )

    it.effect("never moves an identity, and knows one whose issuer changed no more", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const [ann, bob] = [yield* member(org, "admin"), yield* member(org, "member")]
        const identities = yield* Identities
        const identity = { provider: okta.id, subject: Subject.make(org.id), issuer: okta.issuer }
        const link = (user: User, more = {}) =>
          identities.link({ ...identity, user_id: user.id, ...more }, SYSTEM)
        yield* link(ann)
        yield* link(ann)
        assert.strictEqual((yield* Effect.flip(link(bob)))._tag, "IdentityTaken")
        const second = yield* Effect.flip(link(ann, { subject: Subject.make(`${org.id}2`) }))
        assert.strictEqual(second._tag, "IdentityTaken")
        assert.strictEqual((yield* complete(okta, claimsOf(okta, org.id))).user.id, ann.id)
        const moved = claimsOf(okta, org.id, { issuer: "https://other.example.org" })
        assert.strictEqual((yield* Effect.flip(complete(okta, moved)))._tag, "SignInRefused")
      }).pipe(Effect.provide(services))
    )

    it.effect("counts a session org by org, at once after a change of the settings", () =>
      Effect.gen(function* () {
        const [one, two] = [yield* Fixture.org, yield* Fixture.org]
        const sessions = yield* Sessions
        for (const org of [one, two]) yield* set(org, { join: [group(one.id, "reader")] })
        const { text } = yield* complete(okta, claimsOf(okta, one.id, { groups: [one.id] }))
        const seen = Effect.map(sessions.resume(text), ({ actor }) => ({
          counted: actor.memberships.map(({ org }) => org).sort(),
          uncounted: actor.uncounted
        }))
        deepStrictEqual(yield* seen, { counted: [one.name, two.name].sort(), uncounted: undefined })
        yield* set(two, { providers: [entra.id], only: true })
        deepStrictEqual(yield* seen, {
          counted: [one.name],
          uncounted: [{ org: two.name, sign_in: [entra.id] }]
        })
      }).pipe(Effect.provide(services))
    )

    it.effect("counts a session of a key nowhere where providers alone count", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const user = yield* member(org, "admin")
        const key = yield* Fixture.newKey(Fixture.userOwner(user))
        yield* (yield* CredentialStore).insertKey(key)
        const sessions = yield* Sessions
        const { text } = yield* sessions.open({
          kind: "user",
          id: user.id,
          name: user.login,
          key_id: key.id,
          memberships: []
        })
        assert.lengthOf((yield* sessions.resume(text)).actor.memberships, 1)
        yield* set(org, { only: true })
        const { actor } = yield* sessions.resume(text)
        deepStrictEqual(
          [actor.memberships, actor.uncounted?.map((each) => each.org)],
          [[], [org.name]]
        )
      }).pipe(Effect.provide(services))
    )

    it.effect("opens no session with a session", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        yield* set(org, { join: [group(org.id, "reader")] })
        const { actor } = yield* resumed(okta, claimsOf(okta, org.id, { groups: [org.id] }))
        const refused = yield* Effect.flip((yield* Sessions).open(actor))
        assert.strictEqual(refused._tag, "InvalidCredential")
      }).pipe(Effect.provide(services))
    )

    it.effect("keeps what came of attempts, without claims", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        yield* set(org, { join: [group(org.id, "reader")] })
        const { user } = yield* complete(okta, claimsOf(okta, org.id, { groups: [org.id] }))
        yield* Effect.flip(complete(okta, claimsOf(okta, `${org.id}2`)))
        const store = yield* SignInStore
        const none = yield* store.listSignIns(org.id, { providers: [] }, { offset: 0, limit: 9 })
        deepStrictEqual(
          none.items.map(({ at: _at, ...attempt }) => attempt),
          [
            {
              provider: okta.id,
              outcome: "signed-in",
              user_id: user.id,
              subject: Subject.make(org.id),
              login: user.login
            }
          ]
        )
        const all = yield* store.listSignIns(
          org.id,
          { providers: [okta.id] },
          { offset: 0, limit: 99 }
        )
        const refused = all.items.find(({ subject }) => subject === `${org.id}2`)
        deepStrictEqual([refused?.outcome, refused?.user_id], ["refused", null])
        assert.isTrue(Timestamp.toSeconds(all.items[0]?.at ?? Fixture.AT) > 0)
      }).pipe(Effect.provide(services))
    )
  })
