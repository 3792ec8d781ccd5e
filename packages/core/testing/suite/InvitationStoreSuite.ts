/** The contract of `InvitationStore`. */
import { InvitationId, Login } from "@attestry/core/Identifier"
import type { Invitation } from "@attestry/core/Invitation"
import { InvitationStore } from "@attestry/core/InvitationStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const PAGE = { page: 1, perPage: 100 }

/** A stored invitation that is open between `AT` and `LATER`. */
const invite = (org: Org, fields: Partial<Invitation> = {}) =>
  Effect.gen(function* () {
    const invitation: Invitation = {
      org_id: org.id,
      id: InvitationId.make(yield* Fixture.freshId),
      role: "member",
      login: null,
      display_name: null,
      email: null,
      digest: "d".repeat(64),
      created_by: "anna",
      created_at: Fixture.AT,
      expires_at: Fixture.LATER,
      accepted_by: null,
      accepted_at: null,
      revoked_by: null,
      revoked_at: null,
      ...fields
    }
    yield* (yield* InvitationStore).insert(invitation)
    return invitation
  })

const ACCEPTED = { accepted_by: "zoe", accepted_at: Fixture.AT }
const REVOKED = { revoked_by: "tom 🦉", revoked_at: Fixture.AT }

const FULL = {
  role: "admin" as const,
  login: Login.make("zoe"),
  display_name: "Zoë 🦉",
  email: "zoe@example.org"
}

/** States the contract of `InvitationStore`. */
export const invitationStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`InvitationStore (${name})`, ports, options, (it) => {
    it.effect("finds an invitation by its id in any org, with the org and the clock", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const transaction = yield* Transaction
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const invitation = yield* invite(org, FULL)
        yield* invite(other)
        const unknown = InvitationId.make(yield* Fixture.freshId)
        deepStrictEqual(yield* store.findAnywhere(unknown), Option.none())
        const found = store.findAnywhere(invitation.id)
        for (const read of [found, transaction.run(other.id, () => found)]) {
          const { now, ...rest } = Option.getOrThrow(yield* read)
          deepStrictEqual(rest, { invitation, org: { id: org.id, name: org.name } })
          assert.isAbove(now, Fixture.AT)
        }
      })
    )

    it.effect("writes acceptance and revocation, and no other field", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const [one, two] = [yield* invite(org, FULL), yield* invite(org)]
        yield* store.end({ ...one, ...ACCEPTED, role: "reader", expires_at: Fixture.AT })
        yield* store.end({ ...two, ...REVOKED })
        const lock = (of: Org, { id }: Invitation) => store.lock({ org: of.id, id })
        deepStrictEqual(yield* lock(org, one), Option.some({ ...one, ...ACCEPTED }))
        deepStrictEqual(yield* lock(org, two), Option.some({ ...two, ...REVOKED }))
        deepStrictEqual(yield* lock(other, one), Option.none())
      })
    )

    it.effect("lists every invitation of one org, newest first, in pages", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        yield* invite(other)
        const early = [yield* invite(org, ACCEPTED), yield* invite(org, REVOKED)]
        const late = yield* invite(org, { ...FULL, created_at: Fixture.LATER })
        const all = [late, ...early.sort((left, right) => (left.id < right.id ? -1 : 1))]
        deepStrictEqual(yield* store.list(org.id, PAGE), { items: all, total: 3 })
        deepStrictEqual(yield* store.list(org.id, { page: 2, perPage: 2 }), {
          items: all.slice(2),
          total: 3
        })
        deepStrictEqual(yield* store.list(org.id, { page: 3, perPage: 2 }), { items: [], total: 3 })
        deepStrictEqual(yield* store.list((yield* Fixture.org).id, PAGE), { items: [], total: 0 })
      })
    )

    it.effect("counts the open invitations of one org at an instant", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const transaction = yield* Transaction
        const [org, other] = yield* Effect.all([Fixture.org, Fixture.org])
        const count = (at: Timestamp.Timestamp) =>
          transaction.run(org.id, () => store.lockOpen(org.id, at))
        assert.strictEqual(yield* count(Fixture.AT), 0)
        yield* invite(other)
        yield* Effect.all([invite(org), invite(org), invite(org, ACCEPTED), invite(org, REVOKED)])
        const last = Timestamp.plusSeconds(Fixture.LATER, -1)
        assert.deepStrictEqual(
          [yield* count(Fixture.AT), yield* count(last), yield* count(Fixture.LATER)],
          [2, 2, 0]
        )
      })
    )

    it.effect("lets one transaction of an org count at a time", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const counts = yield* Effect.forEach(
          [1, 2, 3, 4],
          () =>
            transaction.run(org.id, () =>
              Effect.zipLeft(store.lockOpen(org.id, Fixture.AT), invite(org))
            ),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...counts].sort(), [0, 1, 2, 3])
      })
    )

    it.effect("gives the lock of an invitation to one at a time", () =>
      Effect.gen(function* () {
        const store = yield* InvitationStore
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const { id } = yield* invite(org)
        const results = yield* Effect.forEach(
          ["a", "b", "c", "d"],
          (login) =>
            transaction.run(org.id, () =>
              Effect.gen(function* () {
                const found = Option.getOrThrow(yield* store.lock({ org: org.id, id }))
                if (found.accepted_at !== null) return "late"
                yield* store.end({ ...found, accepted_by: login, accepted_at: Fixture.AT })
                return "first"
              })
            ),
          { concurrency: "unbounded" }
        )
        assert.strictEqual(results.filter((result) => result === "first").length, 1)
      })
    )
  })
