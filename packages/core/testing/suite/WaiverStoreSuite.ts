/** The contract of `WaiverStore`. */
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Login } from "@attestry/core/Identifier"
import type { Policy } from "@attestry/core/Policy"
import type { Ports } from "@attestry/core/Ports"
import * as Timestamp from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as Waiver from "@attestry/core/Waiver"
import { DEFAULTS } from "@attestry/core/WaiverSettings"
import { stateAt, WaiverState } from "@attestry/core/WaiverState"
import { type WaiverQuery, WaiverStore } from "@attestry/core/WaiverStore"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteIt, type SuiteOptions, suite } from "../Suite.js"

const DAY = 86_400
const after = (days: number) => Timestamp.plusSeconds(Fixture.AT, days * DAY)

const PAGE = { page: 1, perPage: 100 }

/** A request for ten days that is not stored yet. */
const draft = ({ name, org_id }: Policy, fields: Partial<Waiver.WaiverDraft> = {}) =>
  ({
    org_id,
    policy_name: name,
    rule: null,
    environment_id: null,
    condition: null,
    reason: "the scanner is down: ü\u{1f600}",
    owner: Login.make("mia"),
    owner_id: "user-mia",
    ticket_url: null,
    starts_at: Fixture.AT,
    expires_at: after(10),
    extends: null,
    approvals_required: 1,
    approver_role: "admin",
    self_approval: false,
    requested_by: "anna",
    requester_id: "user-anna",
    requested_at: Fixture.AT,
    approvals: [],
    rejected: null,
    revoked: null,
    activated_at: null,
    settled: null,
    ...fields
  }) satisfies Waiver.WaiverDraft

const decision = (at: Timestamp.Timestamp) => ({
  user_id: "user-tom",
  user: "tom",
  at,
  comment: "fine"
})

const revocation = (at: Timestamp.Timestamp) => ({
  user_id: "user-tom",
  user: "tom",
  at,
  reason: "fixed"
})

/** One waiver in each state on the fifth day. */
const everyState = (policy: Policy) =>
  Effect.gen(function* () {
    const store = yield* WaiverStore
    const active = { activated_at: Fixture.AT, approvals: [decision(Fixture.AT)] }
    const drafts = [
      draft(policy),
      draft(policy, { ...active, starts_at: after(7) }),
      draft(policy, active),
      draft(policy, { ...active, expires_at: after(5) }),
      draft(policy, { rejected: decision(after(1)) }),
      draft(policy, { ...active, revoked: revocation(after(2)) }),
      draft(policy, { expires_at: after(4) })
    ]
    return yield* Effect.forEach(drafts, store.append)
  })

const numbersOf = (waivers: ReadonlyArray<Waiver.Waiver>) => waivers.map(({ number }) => number)

const lists = (it: SuiteIt) => {
  it.effect("lists by state, policy, environment, owner and end, newest first", () =>
    Effect.gen(function* () {
      const store = yield* WaiverStore
      const org = yield* Fixture.org
      const policy = yield* Fixture.policy(org)
      const other = yield* Fixture.policy(org, "other")
      const prod = yield* Fixture.environment(org)
      const all = yield* everyState(policy)
      yield* store.append(
        draft(other, { environment_id: prod.id, owner: Login.make("zoe"), expires_at: after(3) })
      )
      const list = (query: Omit<WaiverQuery, "now">, page = PAGE) =>
        Effect.map(store.list(org.id, { now: after(5), ...query }, page), ({ items, total }) => [
          numbersOf(items),
          total
        ])
      for (const state of WaiverState.literals) {
        const expected = all.filter((waiver) => stateAt(waiver, after(5)) === state)
        assert.strictEqual(expected.length, 1, state)
        assert.deepStrictEqual(yield* list({ states: [state], policy_name: policy.name }), [
          numbersOf(expected),
          1
        ])
      }
      assert.deepStrictEqual(yield* list({}), [[8, 7, 6, 5, 4, 3, 2, 1], 8])
      assert.deepStrictEqual(yield* list({}, { page: 2, perPage: 3 }), [[5, 4, 3], 8])
      assert.deepStrictEqual(yield* list({}, { page: 9, perPage: 3 }), [[], 8])
      assert.deepStrictEqual(yield* list({ states: [] }), [[], 0])
      assert.deepStrictEqual(yield* list({ policy_name: other.name }), [[8], 1])
      assert.deepStrictEqual(yield* list({ environment: prod.id }), [[8], 1])
      assert.deepStrictEqual(yield* list({ environment: null, states: ["requested"] }), [[1], 1])
      assert.deepStrictEqual(yield* list({ owner: "zoe" }), [[8], 1])
      // AC-8: those of environments, and those of policies that are for every environment.
      const [everywhere, nowhere] = [[7, 6, 5, 4, 3, 2, 1], []] as const
      for (const [environments, names, expected] of [
        [[prod.id], [], [8]],
        [[], [policy.name], everywhere],
        [[], [other.name], nowhere],
        [[prod.id], [policy.name], [8, ...everywhere]],
        [[], [], nowhere]
      ] as const) {
        const within = { environments, policies: names }
        assert.deepStrictEqual(yield* list({ within }), [[...expected], expected.length])
      }
      assert.deepStrictEqual(yield* list({ expires_before: after(4) }), [[8], 1])
      assert.deepStrictEqual(
        (yield* store.list((yield* Fixture.org).id, { now: after(5) }, PAGE)).items,
        []
      )
    })
  )

  it.effect(
    "lists those in force, those that were approved, and those whose end is not recorded",
    () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const org = yield* Fixture.org
        const policy = yield* Fixture.policy(org)
        const prod = yield* Fixture.environment(org)
        const all = yield* everyState(policy)
        const active = { activated_at: Fixture.AT }
        yield* store.append(draft(policy, { ...active, environment_id: prod.id }))
        const inForce = (at: Timestamp.Timestamp, environment?: typeof prod.id) =>
          Effect.map(store.listInForce(org.id, at, environment), numbersOf)
        assert.deepStrictEqual(yield* inForce(after(5)), [2, 3, 8])
        assert.deepStrictEqual(yield* inForce(after(1)), [2, 3, 4, 6, 8])
        assert.deepStrictEqual(yield* inForce(after(2)), [2, 3, 4, 8])
        assert.deepStrictEqual(yield* inForce(after(10)), [])
        const dev = yield* Fixture.environment(org, "dev")
        assert.deepStrictEqual(yield* inForce(after(5), dev.id), [2, 3])
        assert.deepStrictEqual(yield* inForce(after(5), prod.id), [2, 3, 8])
        const approved = (which: Parameters<typeof store.listApproved>[1]) =>
          Effect.map(store.listApproved(org.id, which), numbersOf)
        assert.deepStrictEqual(yield* approved({}), [2, 3, 4, 6, 8])
        assert.deepStrictEqual(yield* approved({ environment: dev.id }), [2, 3, 4, 6])
        assert.deepStrictEqual(yield* approved({ since: after(5) }), [2, 3, 6, 8])
        const unsettled = (at: Timestamp.Timestamp) =>
          Effect.map(store.listUnsettled(org.id, at), numbersOf)
        assert.deepStrictEqual(yield* unsettled(after(5)), [4, 7])
        for (const waiver of all) yield* store.decide({ ...waiver, settled: "expired" })
        assert.deepStrictEqual(yield* unsettled(after(9)), [])
        assert.deepStrictEqual(yield* unsettled(after(99)), [8])
      })
  )
}

const uses = (it: SuiteIt) =>
  it.effect("records the times in which a waiver waives the same number of rows", () =>
    Effect.gen(function* () {
      const store = yield* WaiverStore
      const org = yield* Fixture.org
      const policy = yield* Fixture.policy(org)
      const prod = yield* Fixture.environment(org)
      const dev = yield* Fixture.environment(org, "dev")
      yield* everyState(policy)
      const put = (
        environment: Environment.Environment,
        days: number,
        rows: ReadonlyArray<readonly [number, number]>
      ) => store.putUse(Environment.ref(environment), { at: after(days), rows: new Map(rows) })
      yield* put(prod, 1, [[1, 2]])
      yield* put(prod, 2, [[1, 2]])
      yield* put(prod, 3, [
        [1, 5],
        [2, 1]
      ])
      yield* put(dev, 3, [[1, 1]])
      yield* put(prod, 4, [])
      yield* put(prod, 4, [[1, 1]])
      yield* put(prod, 3, [[1, 2]])
      const found = yield* store.listUse(org.id, Fixture.AT)
      const ofProd = found.filter(({ environment_id }) => environment_id === prod.id)
      const time = (number: number, from: number, to: number | null, rows: number) => ({
        number,
        environment_id: prod.id,
        from_at: Timestamp.fromMicros(after(0) + from),
        to_at: to === null ? null : Timestamp.fromMicros(after(0) + to),
        rows
      })
      const day = DAY * 1_000_000
      deepStrictEqual(ofProd, [
        time(1, day, 3 * day, 2),
        time(1, 3 * day, 4 * day, 5),
        time(1, 4 * day, 4 * day + 1, 1),
        time(1, 4 * day + 1, null, 2),
        time(2, 3 * day, 4 * day, 1)
      ])
      assert.strictEqual(found.length, 6)
      const later = yield* store.listUse(org.id, after(4))
      assert.deepStrictEqual(later.map(({ rows }) => rows).sort(), [1, 1, 2])
      assert.deepStrictEqual(yield* store.listUse((yield* Fixture.org).id, Fixture.AT), [])
    })
  )

/** States the contract of `WaiverStore`. */
export const waiverStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`WaiverStore (${name})`, ports, options, (it) => {
    it.effect("numbers waivers from 1 in each org, and returns them unchanged", () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const org = yield* Fixture.org
        const policy = yield* Fixture.policy(org)
        const foreign = yield* Fixture.policy(yield* Fixture.org)
        const prod = yield* Fixture.environment(org)
        const first = yield* store.append(draft(policy))
        const second = yield* store.append(
          draft(policy, {
            rule: { type: "attestation", attestation_type: "snyk", attestation_name: "scan" },
            environment_id: prod.id,
            condition: 'flow.name == "shop"',
            ticket_url: "https://tickets.example.org/1",
            extends: 1
          })
        )
        assert.strictEqual((yield* store.append(draft(foreign))).number, 1)
        assert.deepStrictEqual(numbersOf([first, second]), [1, 2])
        for (const waiver of [first, second]) {
          deepStrictEqual(yield* store.find(Waiver.keyOf(waiver)), Option.some(waiver))
          deepStrictEqual(
            yield* store.find(Waiver.keyOf(waiver), { lock: true }),
            Option.some(waiver)
          )
        }
        deepStrictEqual(yield* store.find({ org: org.id, number: 3 }), Option.none())
      })
    )

    it.effect("gives concurrent requests different numbers", () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const { run } = yield* Transaction
        const policy = yield* Fixture.policy(yield* Fixture.org)
        const made = yield* Effect.forEach(
          Array.from({ length: 8 }, () => draft(policy)),
          (one) => run(policy.org_id, () => store.append(one)),
          { concurrency: "unbounded" }
        )
        assert.deepStrictEqual([...numbersOf(made)].sort(), [1, 2, 3, 4, 5, 6, 7, 8])
      })
    )

    it.effect("replaces what was decided, and nothing else", () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const waiver = yield* store.append(draft(yield* Fixture.policy(yield* Fixture.org)))
        const decided: Waiver.Waiver = {
          ...waiver,
          approvals: [decision(after(1)), { ...decision(after(2)), user_id: "user-zoe" }],
          rejected: decision(after(3)),
          revoked: revocation(after(4)),
          activated_at: after(2),
          settled: "expired"
        }
        yield* store.decide({ ...decided, reason: "another", owner: Login.make("another") })
        deepStrictEqual(yield* store.find(Waiver.keyOf(waiver)), Option.some(decided))
      })
    )

    it.effect("marks the consumers of a policy as pending, or one of them", () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const environments = yield* EnvironmentStore
        const org = yield* Fixture.org
        const policy = yield* Fixture.policy(org)
        const attached = (name: string) =>
          Effect.gen(function* () {
            const made = { ...(yield* Fixture.newEnvironment(org, name)), policies: [policy.id] }
            yield* environments.insert(made)
            return made
          })
        const [prod, dev] = [yield* attached("prod"), yield* attached("dev")]
        const free = yield* Fixture.environment(org, "free")
        const pending = Effect.map(environments.listPending(org.id), (refs) =>
          refs.map(({ ref }) => ref.environment)
        )
        deepStrictEqual(yield* store.markConsumers(org.id, policy.id, free.id), [])
        deepStrictEqual(yield* store.markConsumers(org.id, policy.id, prod.id), [prod.id])
        deepStrictEqual(yield* pending, [prod.id])
        const all = yield* store.markConsumers(org.id, policy.id, null)
        deepStrictEqual([...all].sort(), [prod.id, dev.id].sort())
        deepStrictEqual(yield* pending, [prod.id, dev.id].sort())
      })
    )

    it.effect("keeps the settings of each org", () =>
      Effect.gen(function* () {
        const store = yield* WaiverStore
        const [org, other] = [yield* Fixture.org, yield* Fixture.org]
        deepStrictEqual(yield* store.findSettings(org.id), Option.none())
        yield* store.putSettings(org.id, DEFAULTS)
        const strict = { ...DEFAULTS, max_days: 7, approvals_required: 2 }
        yield* store.putSettings(org.id, strict)
        deepStrictEqual(yield* store.findSettings(org.id), Option.some(strict))
        deepStrictEqual(yield* store.findSettings(other.id), Option.none())
      })
    )

    lists(it)
    uses(it)
  })
