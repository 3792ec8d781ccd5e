/** The contract of `ScimStore`. */
import { ScimId } from "@attestry/core/Identifier"
import type { User } from "@attestry/core/Membership"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as ScimFilter from "@attestry/core/ScimFilter"
import { ScimStore } from "@attestry/core/ScimStore"
import * as ScimUser from "@attestry/core/ScimUser"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const ALL = { offset: 0, limit: 100 }

const newPerson = (org: Org, { id: user_id }: User, user_name: string) =>
  Effect.map(
    Fixture.freshId,
    (id): ScimUser.ScimUser => ({
      org_id: org.id,
      id: ScimId.make(id),
      user_id,
      external_id: null,
      user_name,
      active: true,
      attributes: {},
      created_at: Fixture.AT,
      updated_at: Fixture.AT
    })
  )

/** States the contract of `ScimStore`. */
export const scimStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ScimStore (${name})`, ports, options, (it) => {
    it.effect("adds, finds, changes and removes people of an org", () =>
      Effect.gen(function* () {
        const store = yield* ScimStore
        const transaction = yield* Transaction
        const [org, other, user] = [yield* Fixture.org, yield* Fixture.org, yield* Fixture.user]
        const made: ScimUser.ScimUser = {
          ...(yield* newPerson(org, user, "Mia@Corp")),
          external_id: "e1",
          active: false,
          attributes: { name: { givenName: "Mia 🦉" }, emails: [{ value: "a@b" }], __proto__x: 1 }
        }
        const key = { org: org.id, id: made.id }
        deepStrictEqual(yield* store.find(key), Option.none())
        assert.isTrue(yield* store.insert(made))
        deepStrictEqual(yield* store.find(key), Option.some(made))
        deepStrictEqual(yield* store.find({ ...key, org: other.id }), Option.none())
        const changed = { ...made, user_name: "x", external_id: null, active: true, attributes: {} }
        const work = Effect.zipRight(store.find(key, { lock: true }), store.update(changed))
        assert.isTrue(yield* transaction.run(org.id, () => work))
        deepStrictEqual(yield* store.find(key), Option.some(changed))
        yield* store.remove(key)
        deepStrictEqual(yield* store.find(key), Option.none())
      })
    )

    it.effect("has each user name in any case and each external id once in an org", () =>
      Effect.gen(function* () {
        const store = yield* ScimStore
        const [org, other, user] = [yield* Fixture.org, yield* Fixture.org, yield* Fixture.user]
        const one = { ...(yield* newPerson(org, user, "Mia")), external_id: "e1" }
        const two = yield* newPerson(org, user, "Ben")
        const alike = yield* newPerson(org, user, "mIA")
        const sameId = { ...(yield* newPerson(org, user, "Cleo")), external_id: "e1" }
        assert.isTrue(yield* store.insert(one))
        assert.isTrue(yield* store.insert(two))
        assert.isFalse(yield* store.insert(alike))
        assert.isFalse(yield* store.insert(sameId))
        assert.isTrue(yield* store.insert({ ...one, org_id: other.id }))
        assert.isFalse(yield* store.update({ ...two, user_name: "MIA" }))
        assert.isFalse(yield* store.update({ ...two, external_id: "e1" }))
        deepStrictEqual(yield* store.find({ org: org.id, id: two.id }), Option.some(two))
        assert.isTrue(yield* store.update({ ...one, user_name: "MIA" }))
      })
    )

    it.effect("lists the people whom a filter lets pass, as `matches` says", () =>
      Effect.gen(function* () {
        const store = yield* ScimStore
        const [org, user] = [yield* Fixture.org, yield* Fixture.user]
        const late = { created_at: Fixture.LATER }
        const people = [
          { ...(yield* newPerson(org, user, "Mia@Corp")), external_id: "E1", ...late },
          {
            ...(yield* newPerson(org, user, "ben")),
            active: false,
            attributes: { displayName: "Ben Ü", emails: [{ value: "Ben@Corp", type: "Work" }] }
          },
          {
            ...(yield* newPerson(org, user, "cleo")),
            attributes: {
              name: { givenName: "Cleo", familyName: "Q" },
              emails: [{ value: "ben@corp", type: "home" }, { value: "c@x" }]
            }
          }
        ]
        for (const person of people) yield* store.insert(person)
        const ordered = [...people].sort(
          (left, right) => left.created_at - right.created_at || (left.id < right.id ? -1 : 1)
        )
        for (const text of [
          'userName eq "MIA@corp"',
          'externalId eq "E1"',
          'externalId eq "e1"',
          'displayName eq "ben ü"',
          'displayName eq "CLEO q"',
          "active eq false",
          "active eq true",
          'emails.value eq "BEN@corp"',
          'emails[type eq "work"].value eq "ben@corp"',
          'emails eq "c@x" and active eq true',
          `id eq "${people[0]?.id}"`,
          'userName eq "nobody"'
        ]) {
          const filter = Either.getOrThrow(ScimFilter.parse(text, ScimFilter.OF_USERS))
          const items = ordered.filter((person) =>
            ScimFilter.matches(filter, ScimUser.filtered(person))
          )
          deepStrictEqual(yield* store.list(org.id, filter, ALL), { items, total: items.length })
        }
        deepStrictEqual(yield* store.list(org.id, [], { offset: 1, limit: 1 }), {
          items: ordered.slice(1, 2),
          total: 3
        })
        deepStrictEqual(yield* store.list(org.id, [], { offset: 9, limit: 1 }), {
          items: [],
          total: 3
        })
      })
    )

    it.effect("finds people by ids and by users", () =>
      Effect.gen(function* () {
        const store = yield* ScimStore
        const org = yield* Fixture.org
        const [anna, ben] = [yield* Fixture.user, yield* Fixture.user]
        const [one, two] = [yield* newPerson(org, anna, "a"), yield* newPerson(org, ben, "b")]
        for (const person of [one, two]) yield* store.insert(person)
        deepStrictEqual(yield* store.listAmong(org.id, { ids: [two.id, "none"] }), [two])
        deepStrictEqual(yield* store.listAmong(org.id, { users: [anna.id] }), [one])
        deepStrictEqual(yield* store.listAmong(org.id, { users: [] }), [])
      })
    )

    it.effect("knows the org that alone has a user", () =>
      Effect.gen(function* () {
        const store = yield* ScimStore
        const transaction = yield* Transaction
        const [org, user] = [yield* Fixture.org, yield* Fixture.user]
        const home = store.findHome(user.id)
        deepStrictEqual(yield* home, Option.none())
        yield* transaction.run(org.id, () => store.setHome(user.id, org.id))
        deepStrictEqual(yield* home, Option.some(org.id))
        const externalId = `e-${org.id}`
        const person = { ...(yield* newPerson(org, user, "a")), external_id: externalId }
        yield* store.insert(person)
        const described = store.listDescribed(externalId)
        deepStrictEqual(yield* described, [{ org, user: user.id }])
        deepStrictEqual(yield* store.listDescribed("none"), [])
        yield* transaction.run(org.id, () => store.update({ ...person, active: false }))
        deepStrictEqual(yield* described, [])
        yield* transaction.run(org.id, () => store.update(person))
        yield* transaction.run(org.id, () => store.setHome(user.id, null))
        deepStrictEqual(yield* home, Option.none())
        deepStrictEqual(yield* described, [])
      })
    )
  })
