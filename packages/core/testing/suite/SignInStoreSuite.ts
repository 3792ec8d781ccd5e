/** The contract of `SignInStore`, and of `CredentialStore` about sessions of people. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { SessionId } from "@attestry/core/Identifier"
import { Subject } from "@attestry/core/Identity"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { ProviderId } from "@attestry/core/Provider"
import { DEFAULTS } from "@attestry/core/SignInSettings"
import { SignInStore } from "@attestry/core/SignInStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const okta = ProviderId.make("okta")
const entra = ProviderId.make("entra")

const newIdentity = Effect.gen(function* () {
  const user = yield* Fixture.user
  const subject = Subject.make(yield* Fixture.freshId)
  return { provider: okta, subject, issuer: "https://okta.example.org", user_id: user.id }
})

/** States the contract of `SignInStore`. */
export const signInStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`SignInStore (${name})`, ports, options, (it) => {
    it.effect("links an identity once, and one of each provider to a user", () =>
      Effect.gen(function* () {
        const store = yield* SignInStore
        const draft = yield* newIdentity
        deepStrictEqual(yield* store.findIdentity(draft), Option.none())
        const linked = Option.getOrThrow(yield* store.insertIdentity(draft))
        const { linked_at, ...rest } = linked
        deepStrictEqual(rest, draft)
        assert.isAbove(linked_at, Fixture.AT - 10 ** 15)
        deepStrictEqual(yield* store.findIdentity(draft), Option.some(linked))
        const other = yield* newIdentity
        const { subject } = draft
        for (const taken of [draft, { ...other, subject }, { ...other, user_id: draft.user_id }])
          deepStrictEqual(yield* store.insertIdentity(taken), Option.none())
        const second = yield* store.insertIdentity({ ...draft, provider: entra })
        deepStrictEqual(yield* store.listIdentities(draft.user_id), [
          Option.getOrThrow(second),
          linked
        ])
        deepStrictEqual(yield* store.listIdentities(other.user_id), [])
      })
    )

    it.effect("removes an identity with the sessions that it opened, and no others", () =>
      Effect.gen(function* () {
        const store = yield* SignInStore
        const credentials = yield* CredentialStore
        const draft = yield* newIdentity
        for (const provider of [okta, entra]) yield* store.insertIdentity({ ...draft, provider })
        const open = (provider: ProviderId, auth_time: typeof Fixture.AT | null) =>
          Effect.gen(function* () {
            const id = SessionId.make(yield* Fixture.freshId)
            return yield* credentials.insertSession({
              id,
              user_id: draft.user_id,
              provider,
              auth_time,
              acr: auth_time === null ? null : "mfa",
              digest: "d".repeat(64),
              lifetimeSeconds: 60
            })
          })
        const [ended, kept] = [yield* open(okta, Fixture.AT), yield* open(entra, null)]
        for (const session of [ended, kept])
          deepStrictEqual(yield* credentials.findSession(session.id), Option.some(session))
        assert.isTrue(yield* store.removeIdentity(draft.user_id, okta))
        assert.isFalse(yield* store.removeIdentity(draft.user_id, okta))
        deepStrictEqual(yield* store.findIdentity(draft), Option.none())
        deepStrictEqual(yield* credentials.findSession(ended.id), Option.none())
        deepStrictEqual(yield* credentials.findSession(kept.id), Option.some(kept))
      })
    )

    it.effect("finds users by id, and by an address whose look-alikes are other addresses", () =>
      Effect.gen(function* () {
        const store = yield* SignInStore
        const members = yield* MembershipStore
        const org = yield* Fixture.org
        const address = `Ann.${org.id}@Example.org`
        const [ann, look] = [
          { ...(yield* Fixture.newUser), email: address },
          // The Kelvin sign, which folds to an ASCII letter elsewhere.
          { ...(yield* Fixture.newUser), email: `\u212A${address}` }
        ]
        for (const user of [ann, look]) yield* members.insertUser(user)
        const person = { user: ann, memberships: [], sessionsAfter: new Map() }
        deepStrictEqual(yield* store.findPerson(ann.id), Option.some(person))
        deepStrictEqual(yield* store.findPerson((yield* Fixture.newUser).id), Option.none())
        const seen = store.findByAddress(
          address.toUpperCase().replace(org.id.toUpperCase(), org.id)
        )
        deepStrictEqual(yield* seen, [{ user: ann.id, isLinked: false, isAdmin: false }])
        deepStrictEqual(yield* store.findByAddress(`k${address}`), [])
        yield* members.insert({
          org_id: org.id,
          user_id: ann.id,
          role: "admin",
          created_at: Fixture.AT
        })
        yield* store.insertIdentity({ ...(yield* newIdentity), user_id: ann.id })
        deepStrictEqual(yield* seen, [{ user: ann.id, isLinked: true, isAdmin: true }])
        for (let more = 0; more < 2; more++)
          yield* members.insertUser({ ...(yield* Fixture.newUser), email: address })
        assert.lengthOf(yield* seen, 2)
      })
    )

    it.effect("finds a person with the memberships that count, and where sessions were ended", () =>
      Effect.gen(function* () {
        const store = yield* SignInStore
        const members = yield* MembershipStore
        const user = yield* Fixture.user
        const [one, two, three] = [yield* Fixture.org, yield* Fixture.org, yield* Fixture.org]
        const membership = (org: Org, created_at: Timestamp) => ({
          org_id: org.id,
          user_id: user.id,
          role: "member" as const,
          created_at
        })
        yield* members.insert(membership(one, Fixture.LATER))
        yield* members.insert(membership(two, Fixture.AT))
        yield* members.insert(membership(three, Fixture.AT))
        const ended = { suspended_at: null, sessions_after: Fixture.LATER }
        yield* members.update({ ...membership(two, Fixture.AT), ...ended })
        const suspended = { suspended_at: Fixture.AT, sessions_after: null }
        yield* members.update({ ...membership(three, Fixture.AT), ...suspended })
        const person = Option.getOrThrow(yield* store.findPerson(user.id))
        deepStrictEqual(
          person.memberships.map(({ org }) => org),
          [two.name, one.name]
        )
        deepStrictEqual([...person.sessionsAfter], [[two.id, Fixture.LATER]])
      })
    )

    it.effect(
      "keeps the settings of each org, and finds orgs by the provider that they admit",
      () =>
        Effect.gen(function* () {
          const store = yield* SignInStore
          const [one, two] = [yield* Fixture.org, yield* Fixture.org]
          const provider = ProviderId.make(`p${one.id.slice(0, 8)}`)
          assert.strictEqual((yield* store.findSettings([])).size, 0)
          assert.strictEqual((yield* store.findSettings([one.id, two.id])).size, 0)
          const settings = {
            ...DEFAULTS,
            fresh_minutes: 15,
            join: [{ provider, group: "devs", role: "member" as const }]
          }
          yield* store.putSettings(one.id, DEFAULTS)
          yield* store.putSettings(one.id, settings)
          yield* store.putSettings(two.id, DEFAULTS)
          const found = yield* store.findSettings([two.id, one.id])
          deepStrictEqual([found.get(one.id), found.get(two.id)], [settings, DEFAULTS])
          deepStrictEqual(yield* store.listJoining(provider), [{ org: one, settings }])
          deepStrictEqual(yield* store.listJoining(ProviderId.make("nobody")), [])
        })
    )

    it.effect("keeps one of equal attempts in a minute, and pages those that concern an org", () =>
      Effect.gen(function* () {
        const store = yield* SignInStore
        const org = yield* Fixture.org
        const provider = ProviderId.make(`q${org.id.slice(0, 8)}`)
        const draft = { provider, outcome: "refused", user_id: null, subject: null } as const
        const first = yield* store.insertSignIn(draft)
        const again = [yield* store.insertSignIn(draft), yield* store.insertSignIn(draft)]
        assert.isTrue(first)
        // WHY not both: the minute may have ended in between.
        assert.isFalse(again.every((stored) => stored))
        const subject = Subject.make("s-1")
        assert.isTrue(yield* store.insertSignIn({ ...draft, subject }))
        const list = (offset: number, limit: number, providers = [provider]) =>
          store.listSignIns(org.id, { providers }, { offset, limit })
        const { items, total } = yield* list(0, 9)
        assert.strictEqual(items.length, total)
        assert.strictEqual(items[0]?.subject, subject)
        deepStrictEqual((yield* list(0, 1)).items, items.slice(0, 1))
        deepStrictEqual(yield* list(9, 9), { items: [], total })
        deepStrictEqual(yield* list(0, 9, []), { items: [], total: 0 })
        const stranger = yield* Fixture.user
        yield* store.insertSignIn({ ...draft, outcome: "signed-in", user_id: stranger.id })
        assert.strictEqual((yield* list(0, 9)).total, total)
      })
    )
  })
