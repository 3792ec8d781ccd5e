/** The contract of `CredentialStore` about API keys. */
import type { ApiKey } from "@attestry/core/ApiKey"
import { CredentialStore, type OrgKeyFilter } from "@attestry/core/CredentialStore"
import { ApiKeyId } from "@attestry/core/Identifier"
import { displayName, type User } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import { plusSeconds, Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newKey = (user: User): Effect.Effect<ApiKey> => Fixture.newKey(Fixture.userOwner(user))

const plus = (seconds: number) => plusSeconds(Fixture.AT, seconds)

const join = (user: User, org: Org, role: Role) =>
  Effect.flatMap(MembershipStore, (store) =>
    store.insert({ org_id: org.id, user_id: user.id, role, created_at: Fixture.AT })
  )

/** The credential without its clock, and with memberships in the order of orgs. */
const found = (id: ApiKeyId) =>
  Effect.map(
    Effect.flatMap(CredentialStore, (store) => store.findCredential(id)),
    Option.map(({ now, key, actor, sessionsAfter }) => {
      assert.strictEqual(sessionsAfter.size, 0)
      assert.strictEqual(Schema.is(Timestamp)(now), true)
      const memberships = [...actor.memberships].sort((a, b) => (a.org < b.org ? -1 : 1))
      return { key, actor: { ...actor, memberships } }
    })
  )

const expected = (key: ApiKey, user: User, roles: ReadonlyArray<readonly [Org, Role]>) => {
  const { memberships } = Fixture.actor(...roles)
  return Option.some({
    key,
    actor: {
      kind: "user" as const,
      id: user.id,
      name: displayName(user),
      key_id: key.id,
      memberships: [...memberships].sort((a, b) => (a.org < b.org ? -1 : 1))
    }
  })
}

/** States the contract of `CredentialStore` about API keys. */
export const apiKeysSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`CredentialStore, API keys (${name})`, ports, options, (it) => {
    it.effect("finds nothing for an unknown id", () =>
      Effect.gen(function* () {
        deepStrictEqual(yield* found(ApiKeyId.make(yield* Fixture.freshId)), Option.none())
      })
    )

    it.effect("finds a key with its user and the user's role in every org", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const user = yield* Fixture.user
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org, Fixture.org])
        yield* join(user, one, "admin")
        yield* join(user, other, "snapshotter")
        const key = { ...(yield* newKey(user)), expires_at: Fixture.LATER }
        yield* store.insertKey(key)
        const roles = [[one, "admin"] as const, [other, "snapshotter"] as const]
        deepStrictEqual(yield* found(key.id), expected(key, user, roles))
      })
    )

    it.effect("leaves out suspended memberships, and tells where sessions were ended", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const members = yield* MembershipStore
        const user = yield* Fixture.user
        const [one, other, third] = yield* Effect.all([Fixture.org, Fixture.org, Fixture.org])
        const key = yield* newKey(user)
        yield* store.insertKey(key)
        for (const org of [one, other, third]) yield* join(user, org, "member")
        const member = (org: Org) => ({
          org_id: org.id,
          user_id: user.id,
          role: "member" as const,
          created_at: Fixture.AT
        })
        const suspended_at = Fixture.LATER
        yield* members.update({ ...member(one), suspended_at, sessions_after: Fixture.AT })
        yield* members.update({
          ...member(other),
          suspended_at: null,
          sessions_after: Fixture.LATER
        })
        const { actor, sessionsAfter } = Option.getOrThrow(yield* store.findCredential(key.id))
        deepStrictEqual(
          actor.memberships.map(({ org }) => org).sort(),
          [other.name, third.name].sort()
        )
        deepStrictEqual([...sessionsAfter], [[other.id, Fixture.LATER]])
      })
    )

    it.effect("finds a user without orgs, under the display name", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const members = yield* MembershipStore
        const user = { ...(yield* Fixture.newUser), display_name: "Anna" }
        yield* members.insertUser(user)
        const key = yield* newKey(user)
        yield* store.insertKey(key)
        deepStrictEqual(yield* found(key.id), expected(key, user, []))
      })
    )

    it.effect(
      "returns only the memberships of the user, and all of them within any transaction",
      () =>
        Effect.gen(function* () {
          const store = yield* CredentialStore
          const transaction = yield* Transaction
          const [anna, ben] = yield* Effect.all([Fixture.user, Fixture.user])
          const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
          yield* join(anna, one, "member")
          yield* join(ben, one, "admin")
          yield* join(ben, other, "reader")
          const key = yield* newKey(anna)
          yield* store.insertKey(key)
          deepStrictEqual(
            yield* transaction.run(other.id, () => found(key.id)),
            expected(key, anna, [[one, "member"]])
          )
        })
    )

    it.effect("finds a service account with its one org and its privilege", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const org = yield* Fixture.org
        const account = yield* Fixture.serviceAccount(org)
        const key = yield* Fixture.newKey(Fixture.accountOwner(account))
        yield* store.insertKey(key)
        deepStrictEqual(
          yield* found(key.id),
          Option.some({
            key,
            actor: {
              kind: "service-account" as const,
              id: account.id,
              name: account.name,
              key_id: key.id,
              memberships: [{ org_id: org.id, org: org.name, role: account.privilege }]
            }
          })
        )
      })
    )

    it.effect("lists an owner's keys that are valid at an instant, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const [anna, ben] = yield* Effect.all([Fixture.user, Fixture.user])
        const org = yield* Fixture.org
        yield* join(anna, org, "reader")
        const owner = Fixture.userOwner(anna)
        const add = (difference: Partial<ApiKey>) =>
          Effect.tap(
            Effect.map(Fixture.newKey(owner), (key): ApiKey => ({ ...key, ...difference })),
            (key) => Effect.zipRight(store.insertKey(key), store.updateKey(key))
          )
        const late = yield* add({ created_at: plus(5) })
        const early = yield* add({})
        yield* add({ expires_at: plus(60) })
        yield* add({ revoked_at: plus(60) })
        yield* add({ grace_period_expires_at: plus(60) })
        const open = yield* add({
          created_at: plus(6),
          expires_at: plus(61),
          revoked_at: plus(61),
          grace_period_expires_at: plus(61)
        })
        yield* store.insertKey(yield* newKey(ben))
        deepStrictEqual(yield* store.listKeys(org.id, owner, plus(60)), [early, late, open])
        deepStrictEqual(yield* store.listKeys(org.id, owner, plus(61)), [early, late])
      })
    )

    it.effect("lists keys in the orgs of their owner only", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const user = yield* Fixture.user
        const [own, other] = yield* Effect.all([Fixture.org, Fixture.org])
        yield* join(user, own, "reader")
        const personal = yield* newKey(user)
        const machine = yield* Fixture.newKey(
          Fixture.accountOwner(yield* Fixture.serviceAccount(own))
        )
        for (const key of [personal, machine]) {
          yield* store.insertKey(key)
          deepStrictEqual(yield* store.listKeys(own.id, key.owner, Fixture.AT), [key])
          deepStrictEqual(yield* store.listKeys(other.id, key.owner, Fixture.AT), [])
        }
      })
    )

    it.effect("finds, locks, changes and removes a key for its owner alone", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const transaction = yield* Transaction
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const owner = Fixture.accountOwner(yield* Fixture.serviceAccount(org))
        const stranger = Fixture.accountOwner(yield* Fixture.serviceAccount(other))
        const key = yield* Fixture.newKey(owner)
        yield* store.insertKey(key)
        for (const lock of [false, true]) {
          const asked = (as: typeof owner) =>
            transaction.run(org.id, () => store.findKey({ owner: as, id: key.id }, { lock }))
          deepStrictEqual(yield* asked(owner), Option.some(key))
          deepStrictEqual(yield* asked(stranger), Option.none())
        }
        const ended = { ...key, revoked_at: plus(1), grace_period_expires_at: plus(2) }
        yield* store.updateKey({ ...ended, description: "kept as it was" })
        deepStrictEqual(yield* store.findKey(key), Option.some(ended))
        yield* store.removeKey({ owner: stranger, id: key.id })
        deepStrictEqual(yield* store.findKey(key), Option.some(ended))
        yield* store.removeKey(key)
        deepStrictEqual(yield* store.findKey(key), Option.none())
      })
    )

    it.effect("returns the last use of a key at once", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const user = yield* Fixture.user
        const org = yield* Fixture.org
        yield* join(user, org, "reader")
        const key = yield* newKey(user)
        yield* store.insertKey(key)
        yield* store.markKeyUsed(key.id, plus(1))
        yield* store.markKeyUsed(key.id, plus(3))
        const used = { ...key, last_used_at: plus(3) }
        deepStrictEqual(yield* store.findKey(key), Option.some(used))
        deepStrictEqual(yield* store.listKeys(org.id, key.owner, plus(4)), [used])
      })
    )

    it.effect("keeps the scope of a key, and leaves it as it is", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const org = yield* Fixture.org
        const owner = Fixture.accountOwner(yield* Fixture.serviceAccount(org))
        const scope = { permissions: ["gate", "trail.write"], networks: ["10.0.0.0/8"] }
        const key: ApiKey = { ...(yield* Fixture.newKey(owner)), scope }
        yield* store.insertKey(key)
        yield* store.updateKey({ ...key, scope: { permissions: ["pipeline"] } })
        deepStrictEqual(yield* store.findKey(key), Option.some(key))
        deepStrictEqual(yield* store.listKeys(org.id, owner, Fixture.AT), [key])
        const credential = Option.getOrThrow(yield* store.findCredential(key.id))
        deepStrictEqual(credential.key, key)
      })
    )

    it.effect("lists a key of a person in the orgs of its scope alone", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const anna = yield* Fixture.user
        yield* join(anna, org, "admin")
        yield* join(anna, other, "reader")
        const scope = { orgs: [other.name] }
        const key = { ...(yield* Fixture.newKey(Fixture.userOwner(anna))), scope }
        yield* store.insertKey(key)
        const idsIn = ({ id }: Org) =>
          Effect.map(
            store.listOrgKeys(id, { at: Fixture.AT }, { page: 1, perPage: 9 }),
            ({ items, total }) => [total, ...items.map((each) => each.key.id)]
          )
        deepStrictEqual(yield* idsIn(org), [0])
        deepStrictEqual(yield* idsIn(other), [1, key.id])
        deepStrictEqual(yield* store.listKeys(org.id, key.owner, Fixture.AT), [key])
      })
    )

    it.effect("keeps which keys are for emergencies, and selects them", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const org = yield* Fixture.org
        const anna = yield* Fixture.user
        yield* join(anna, org, "admin")
        const owner = Fixture.userOwner(anna)
        const plain = yield* Fixture.newKey(owner)
        const marked: ApiKey = { ...(yield* Fixture.newKey(owner)), emergency: true }
        for (const key of [plain, marked]) yield* store.insertKey(key)
        deepStrictEqual(yield* store.findKey(marked), Option.some(marked))
        const found = yield* store.listOrgKeys(
          org.id,
          { at: Fixture.AT, isEmergency: true },
          { page: 1, perPage: 9 }
        )
        deepStrictEqual([found.total, found.items.map(({ key }) => key)], [1, [marked]])
        const credential = Option.getOrThrow(yield* store.findCredential(marked.id))
        deepStrictEqual(credential.key, marked)
      })
    )

    it.effect("lists the keys that count in an org, by pages and conditions", () =>
      Effect.gen(function* () {
        const store = yield* CredentialStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const [anna, ben] = yield* Effect.all([Fixture.user, Fixture.user])
        yield* join(anna, org, "admin")
        yield* join(anna, other, "reader")
        yield* join(ben, other, "admin")
        const account = yield* Fixture.serviceAccount(org)
        const add = (owner: ApiKey["owner"], difference: Partial<ApiKey>) =>
          Effect.tap(
            Effect.map(Fixture.newKey(owner), (key): ApiKey => ({ ...key, ...difference })),
            (key) => Effect.zipRight(store.insertKey(key), store.updateKey(key))
          )
        const machine = Fixture.accountOwner(account)
        const scope = { permissions: ["gate"] }
        const plain = yield* add(machine, {})
        const personal = yield* add(Fixture.userOwner(anna), { created_at: plus(1), scope })
        const ending = yield* add(machine, { created_at: plus(2), expires_at: plus(100) })
        const graced = yield* add(machine, {
          created_at: plus(3),
          expires_at: plus(500),
          grace_period_expires_at: plus(90),
          scope
        })
        yield* add(machine, { revoked_at: plus(50) })
        yield* add(Fixture.userOwner(ben), {})
        yield* store.markKeyUsed(plain.id, plus(40))
        const all = { page: 1, perPage: 100 }
        const listed = (filter: Omit<OrgKeyFilter, "at">, page = all) =>
          Effect.map(store.listOrgKeys(org.id, { at: plus(60), ...filter }, page), (found) => ({
            ids: found.items.map(({ key }) => key.id),
            total: found.total
          }))
        const expect = (...keys: ReadonlyArray<ApiKey>) => ({
          ids: keys.map(({ id }) => id),
          total: keys.length
        })
        const whole = yield* store.listOrgKeys(org.id, { at: plus(60) }, all)
        deepStrictEqual(whole.items, [
          { key: { ...plain, last_used_at: plus(40) }, ownerName: account.name },
          { key: personal, ownerName: anna.login },
          { key: ending, ownerName: account.name },
          { key: graced, ownerName: account.name }
        ])
        deepStrictEqual(yield* listed({}, { page: 2, perPage: 3 }), { ids: [graced.id], total: 4 })
        deepStrictEqual(yield* listed({}, { page: 3, perPage: 3 }), { ids: [], total: 4 })
        deepStrictEqual(yield* listed({ isScoped: true }), expect(personal, graced))
        deepStrictEqual(yield* listed({ isScoped: false }), expect(plain, ending))
        deepStrictEqual(yield* listed({ endsUntil: plus(100) }), expect(ending, graced))
        deepStrictEqual(yield* listed({ endsUntil: plus(99) }), expect(graced))
        deepStrictEqual(yield* listed({ endsUntil: plus(99), isScoped: false }), expect())
        deepStrictEqual(yield* listed({ unusedSince: plus(2) }), expect(personal, ending))
      })
    )
  })
