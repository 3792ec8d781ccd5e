/** Signing in with providers through the use cases, on any store: the laws of who is who, of joining and of links. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { Login } from "@attestry/core/Identifier"
import { Identities } from "@attestry/core/Identities"
import { Subject } from "@attestry/core/Identity"
import type { IdentityClaims } from "@attestry/core/IdentityClaims"
import type { User } from "@attestry/core/Membership"
import type { Ports } from "@attestry/core/Ports"
import type { Provider } from "@attestry/core/Provider"
import { ScimStore } from "@attestry/core/ScimStore"
import { Sessions } from "@attestry/core/Sessions"
import { SignInStore } from "@attestry/core/SignInStore"
import * as Timestamp from "@attestry/core/Timestamp"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as FastCheck from "effect/FastCheck"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import { groupTeamsLaws } from "./internal/GroupTeamsLaws.js"
import {
  claimsOf,
  complete,
  described,
  entra,
  group,
  judge,
  member,
  okta,
  orgsOf,
  resumed,
  SYSTEM,
  services,
  set,
  world
} from "./internal/SignInWorld.js"
import { type SuiteOptions, suite } from "./Suite.js"

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
    groupTeamsLaws(it, Math.ceil(worlds / 4))

    it.effect(
      "gives each session to the person of the model; no identity becomes a user who was there (SIGNIN-1)",
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

    it.effect("is the user whom a SCIM client has made, who then belongs to that org no more", () =>
      Effect.gen(function* () {
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        const scim = yield* ScimStore
        const user = yield* described(org, org.id)
        yield* set(org, { providers: [okta.id] })
        yield* set(other, { join: [group(org.id, "reader")] })
        const claims = claimsOf(okta, org.id, { groups: [org.id] })
        assert.strictEqual((yield* complete(okta, claims)).user.id, user.id)
        deepStrictEqual(yield* scim.findHome(user.id), Option.none())
        deepStrictEqual(yield* orgsOf(user.id), { [org.name]: "reader", [other.name]: "reader" })
        assert.strictEqual((yield* complete(okta, claims)).user.id, user.id)
      }).pipe(Effect.provide(services))
    )

    it.effect("is nobody whom a client has made, by another provider or by an address", () =>
      Effect.gen(function* () {
        const org = yield* Fixture.org
        const refused = (provider: Provider, claims: IdentityClaims) =>
          Effect.map(Effect.flip(complete(provider, claims)), ({ _tag }) =>
            assert.strictEqual(_tag, "SignInRefused")
          )
        const email = `${org.id}@example.com`
        yield* described(org, org.id, { email })
        // The org accepts both providers, so nobody knows whose subject the external id is.
        yield* refused(okta, claimsOf(okta, org.id))
        yield* set(org, { providers: [okta.id] })
        yield* refused(entra, claimsOf(entra, org.id))
        yield* refused(entra, claimsOf(entra, `${org.id}2`, { email, isEmailVerified: true }))
        const gone = yield* described(org, `${org.id}3`)
        const scim = yield* ScimStore
        const [person] = yield* scim.listAmong(org.id, { users: [gone.id] })
        if (person === undefined) return assert.fail("no person")
        yield* scim.update({ ...person, active: false })
        yield* refused(okta, claimsOf(okta, `${org.id}3`))
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
