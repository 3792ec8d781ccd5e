/** The contract of `OrgStore`. */
import { OrgId } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const eight = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.all(
    Array.from({ length: 8 }, () => work),
    { concurrency: "unbounded" }
  )

const countTrue = (answers: ReadonlyArray<boolean>): number =>
  answers.filter((answer) => answer).length

/** States the contract of `OrgStore`. */
export const orgStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`OrgStore (${name})`, ports, options, (it) => {
    it.effect("adds a first org once, and only to an empty store", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const wasEmpty = (yield* store.list).length === 0
        const added = yield* eight(
          Effect.flatMap(Fixture.newOrg, (org) => store.insert(org, { onlyFirst: true }))
        )
        assert.strictEqual(countTrue(added), wasEmpty ? 1 : 0)
        assert.isAbove((yield* store.list).length, 0)
      })
    )

    it.effect("finds an org by its name and by its id", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const org = yield* Fixture.newOrg
        deepStrictEqual(yield* store.find({ name: org.name }), Option.none())
        deepStrictEqual(yield* store.find({ id: org.id }), Option.none())
        assert.strictEqual(yield* store.insert(org), true)
        deepStrictEqual(yield* store.find({ name: org.name }), Option.some(org))
        deepStrictEqual(yield* store.find({ id: org.id }), Option.some(org))
      })
    )

    it.effect("lists every org by name", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const names = (yield* store.list).map((org) => org.name)
        assert.includeMembers(names, [one.name, other.name])
        assert.deepStrictEqual(names, [...names].sort())
      })
    )

    it.effect("adds nothing under a name that is taken", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const org = yield* Fixture.org
        const id = OrgId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insert({ ...org, id }), false)
        deepStrictEqual(yield* store.find({ name: org.name }), Option.some(org))
      })
    )

    it.effect("adds one of many concurrent orgs of one name", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const { name: wanted } = yield* Fixture.newOrg
        const added = yield* eight(
          Effect.flatMap(Fixture.newOrg, (org) => store.insert({ ...org, name: wanted }))
        )
        assert.strictEqual(countTrue(added), 1)
      })
    )

    it.effect("returns the same within another org's transaction", () =>
      Effect.gen(function* () {
        const store = yield* OrgStore
        const transaction = yield* Transaction
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        deepStrictEqual(
          yield* transaction.run(one.id, () => store.find({ name: other.name })),
          Option.some(other)
        )
      })
    )
  })
