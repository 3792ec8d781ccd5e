/** What every `MembershipStore` must do. Which orgs a user belongs to is read through `ApiKeyStore`. */
import { UserId } from "@attestry/core/Identifier"
import type { Membership } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import type { Ports } from "@attestry/core/Ports"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import { type SuiteOptions, suite } from "./Suite.js"

/** States the contract of `MembershipStore`. */
export const membershipStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`MembershipStore (${name})`, ports, options, (it) => {
    it.effect("finds a user by login, with and without what is optional", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const plain = yield* Fixture.newUser
        const full = {
          ...(yield* Fixture.newUser),
          display_name: "Anna 🦉",
          email: "anna@example.org"
        }
        for (const user of [plain, full]) {
          deepStrictEqual(yield* store.findUser(user.login), Option.none())
          assert.strictEqual(yield* store.insertUser(user), true)
          deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
        }
      })
    )

    it.effect("adds no second user under one login", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const user = yield* Fixture.user
        const id = UserId.make(yield* Fixture.freshId)
        assert.strictEqual(yield* store.insertUser({ ...user, id, email: "x" }), false)
        deepStrictEqual(yield* store.findUser(user.login), Option.some(user))
      })
    )

    it.effect("adds a user once to each org", () =>
      Effect.gen(function* () {
        const store = yield* MembershipStore
        const user = yield* Fixture.user
        const [one, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const member: Membership = {
          org_id: one.id,
          user_id: user.id,
          role: "reader",
          created_at: Fixture.AT
        }
        assert.strictEqual(yield* store.insert(member), true)
        assert.strictEqual(yield* store.insert({ ...member, role: "admin" }), false)
        assert.strictEqual(yield* store.insert({ ...member, org_id: other.id }), true)
      })
    )
  })
