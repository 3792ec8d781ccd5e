/** The contract of `ServiceAccountStore`. */
import type { ApiKey } from "@attestry/core/ApiKey"
import { CredentialStore } from "@attestry/core/CredentialStore"
import { ServiceAccountId, ServiceAccountName } from "@attestry/core/Identifier"
import type { Ports } from "@attestry/core/Ports"
import { ServiceAccountStore } from "@attestry/core/ServiceAccountStore"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

/** States the contract of `ServiceAccountStore`. */
export const serviceAccountStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`ServiceAccountStore (${name})`, ports, options, (it) => {
    it.effect("finds an account by its name, in its org only", () =>
      Effect.gen(function* () {
        const store = yield* ServiceAccountStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const account = yield* Fixture.newServiceAccount(org)
        const key = { org: org.id, name: account.name }
        deepStrictEqual(yield* store.findByName(key), Option.none())
        assert.strictEqual(yield* store.insert(account), true)
        deepStrictEqual(yield* store.findByName(key), Option.some(account))
        deepStrictEqual(yield* store.findByName({ ...key, org: other.id }), Option.none())
        const transaction = yield* Transaction
        deepStrictEqual(
          yield* transaction.run(org.id, () => store.findByName(key, { lock: true })),
          Option.some(account)
        )
      })
    )

    it.effect("adds no second account of one name in an org, but one in each org", () =>
      Effect.gen(function* () {
        const store = yield* ServiceAccountStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const account = yield* Fixture.serviceAccount(org)
        const id = ServiceAccountId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...account, id, description: "x" }), false)
        assert.strictEqual(yield* store.insert({ ...account, id, org_id: other.id }), true)
        deepStrictEqual(
          yield* store.findByName({ org: org.id, name: account.name }),
          Option.some(account)
        )
      })
    )

    it.effect("lists the accounts of one org by name", () =>
      Effect.gen(function* () {
        const store = yield* ServiceAccountStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const names = ["b", "a", "B", "a-1"].map((text) => ServiceAccountName.make(text))
        for (const named of names) yield* Fixture.serviceAccount(org, named)
        yield* Fixture.serviceAccount(other)
        assert.deepStrictEqual(
          (yield* store.list(org.id)).map((account) => account.name),
          ["B", "a", "a-1", "b"]
        )
        assert.deepStrictEqual(yield* store.list((yield* Fixture.org).id), [])
      })
    )

    it.effect("replaces privilege and description", () =>
      Effect.gen(function* () {
        const store = yield* ServiceAccountStore
        const account = yield* Fixture.serviceAccount(yield* Fixture.org)
        const next = { ...account, privilege: "admin", description: "raised" } as const
        yield* store.update(next)
        deepStrictEqual(
          yield* store.findByName({ org: account.org_id, name: account.name }),
          Option.some(next)
        )
      })
    )

    it.effect("removes an account with its keys, and no others", () =>
      Effect.gen(function* () {
        const store = yield* ServiceAccountStore
        const keys = yield* CredentialStore
        const org = yield* Fixture.org
        const [one, other] = yield* Effect.all([
          Fixture.serviceAccount(org, ServiceAccountName.make("one")),
          Fixture.serviceAccount(org, ServiceAccountName.make("other"))
        ])
        const key: ApiKey = yield* Fixture.newKey(Fixture.accountOwner(one))
        const kept: ApiKey = yield* Fixture.newKey(Fixture.accountOwner(other))
        yield* keys.insertKey(key)
        yield* keys.insertKey(kept)
        yield* store.remove(one)
        deepStrictEqual(yield* store.findByName({ org: org.id, name: one.name }), Option.none())
        deepStrictEqual(yield* keys.findCredential(key.id), Option.none())
        assert.strictEqual(Option.isSome(yield* keys.findCredential(kept.id)), true)
        yield* store.remove(one)
      })
    )
  })
