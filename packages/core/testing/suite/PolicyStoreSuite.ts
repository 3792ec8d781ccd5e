/** The contract of `PolicyStore`. */
import { archive, type Environment, ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { PolicyId, PolicyName } from "@attestry/core/Identifier"
import type { Policy, PolicyVersionRecord } from "@attestry/core/Policy"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const keyOf = ({ org_id, name }: Policy) => ({ org: org_id, name })

const next = (policy: Policy, text: string): Policy => ({
  ...policy,
  version: policy.version + 1,
  policy_yaml: text,
  last_modified_at: Fixture.LATER
})

const version = (number: number, policy: Policy): PolicyVersionRecord => ({
  ...Fixture.policyVersion(policy),
  version: number
})

const MARK = { bodyDigest: "1".repeat(64), rowsDigest: "2".repeat(64) }

const save = (policy: Policy): Effect.Effect<PolicyVersionRecord, unknown, PolicyStore> =>
  Effect.gen(function* () {
    const store = yield* PolicyStore
    const version = Fixture.policyVersion(policy)
    yield* store.update(policy, version)
    return version
  })

/** States the contract of `PolicyStore`. */
export const policyStoreSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`PolicyStore (${name})`, ports, options, (it) => {
    it.effect("returns a policy unchanged, with its first version", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const policy = yield* Fixture.newPolicy(yield* Fixture.org)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.none())
        deepStrictEqual(yield* store.findByName(keyOf(policy), { lock: true }), Option.none())
        const version = Fixture.policyVersion(policy)
        assert.strictEqual(yield* store.insert(policy, version), true)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.some(policy))
        deepStrictEqual(yield* store.findByName(keyOf(policy), { lock: true }), Option.some(policy))
        deepStrictEqual(yield* store.listVersions(policy.org_id, { policies: [policy.id] }), [
          version
        ])
        deepStrictEqual(yield* store.listConsumers(policy.org_id, [policy.id]), [])
      })
    )

    it.effect("returns every character of a text, of a comment and of a description", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const made = yield* Fixture.newPolicy(yield* Fixture.org)
        const text = "a: 'ü\u{1f600}\t\\u0000 $1 {{x}}'\r\n"
        const policy = { ...made, description: text, policy_yaml: text }
        const version = { ...Fixture.policyVersion(policy), comment: text }
        yield* store.insert(policy, version)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.some(policy))
        deepStrictEqual(yield* store.listVersions(policy.org_id, { policies: [policy.id] }), [
          version
        ])
      })
    )

    it.effect("adds nothing under a name that is taken, not even a version", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const policy = yield* Fixture.policy(yield* Fixture.org)
        const other = { ...policy, id: PolicyId.make(yield* Fixture.freshId), description: "other" }
        assert.strictEqual(yield* store.insert(other, Fixture.policyVersion(other)), false)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.some(policy))
        deepStrictEqual(yield* store.listVersions(policy.org_id, { policies: [other.id] }), [])
      })
    )

    it.effect("returns the latest version of a policy and lists all, oldest first", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const policy = yield* Fixture.policy(yield* Fixture.org)
        const second = next(policy, "two")
        const third = next(second, "three")
        yield* save(second)
        yield* save(third)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.some(third))
        deepStrictEqual(
          yield* store.listVersions(policy.org_id, { policies: [policy.id] }),
          [policy, second, third].map(Fixture.policyVersion)
        )
        const keys = [
          { id: policy.id, version: 2 },
          { id: policy.id, version: 9 }
        ]
        deepStrictEqual(yield* store.listVersions(policy.org_id, { keys: keys }), [
          Fixture.policyVersion(second)
        ])
      })
    )

    it.effect("replaces no version, and fails instead", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const policy = yield* Fixture.policy(yield* Fixture.org)
        const again = { ...Fixture.policyVersion(policy), policy_yaml: "another" }
        const failure = yield* Effect.flip(store.update(policy, again))
        assert.strictEqual(failure._tag, "StoreError")
        deepStrictEqual(yield* store.listVersions(policy.org_id, { policies: [policy.id] }), [
          Fixture.policyVersion(policy)
        ])
      })
    )

    it.effect("replaces a description and keeps versions", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const policy = yield* Fixture.policy(yield* Fixture.org)
        const next = { ...policy, description: "other", last_modified_at: Fixture.LATER }
        yield* store.update(next)
        deepStrictEqual(yield* store.findByName(keyOf(policy)), Option.some(next))
        deepStrictEqual(yield* store.listVersions(policy.org_id, { policies: [policy.id] }), [
          Fixture.policyVersion(policy)
        ])
      })
    )

    it.effect("makes exactly the environments with the policy pending, and lists them", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const environments = yield* EnvironmentStore
        const org = yield* Fixture.org
        const policy = yield* Fixture.policy(org, "watched")
        const other = yield* Fixture.policy(org, "other")
        const put = (name: string, ...policies: ReadonlyArray<Policy>) =>
          Effect.gen(function* () {
            const made = yield* Fixture.newEnvironment(org, name)
            const environment = { ...made, policies: policies.map(({ id }) => id) }
            yield* environments.insert(environment)
            yield* environments.setReportDigests(ref(environment), MARK, Option.none())
            return environment
          })
        const both = yield* put("both", other, policy)
        const one = yield* put("a-one", policy)
        const left = yield* put("left", policy)
        const away = yield* put("away", policy)
        const not = yield* put("not", other)
        yield* environments.update({ ...left, policies: [] })
        yield* environments.rename(archive(away, Fixture.LATER), away.name)
        deepStrictEqual(yield* store.listConsumers(org.id, [policy.id]), [
          { policy_id: policy.id, environment: one.name },
          { policy_id: policy.id, environment: both.name }
        ])
        assert.strictEqual(yield* store.update(next(policy, "2"), version(2, policy)), 2)
        const look = (environment: Environment) =>
          Effect.map(environments.lock(ref(environment)), (found) => {
            const { isPending, reportDigests } = Option.getOrThrow(found)
            return [isPending, Option.isSome(reportDigests)]
          })
        deepStrictEqual(yield* Effect.forEach([both, one, left, not], look), [
          [true, false],
          [true, false],
          [false, false],
          [false, true]
        ])
        const pending = yield* environments.listPending(org.id)
        deepStrictEqual(
          new Set(pending.map((each) => each.ref.environment)),
          new Set([both.id, one.id])
        )
        yield* environments.clearPending(ref(one))
        deepStrictEqual(yield* environments.listPending(org.id), [{ ref: ref(both), dueAt: null }])
        yield* environments.setReportDigests(ref(both), MARK, Option.none())
        deepStrictEqual(yield* environments.listPending(org.id), [])
      })
    )

    it.effect("lists by name, by ids and by names, and separates orgs", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const org = yield* Fixture.org
        const other = yield* Fixture.org
        const b = yield* Fixture.policy(org, "b")
        const a = yield* Fixture.policy(org, "a")
        const c = yield* Fixture.policy(org, "C")
        const foreign = yield* Fixture.policy(other, "a")
        deepStrictEqual(yield* store.list(org.id), [c, a, b])
        deepStrictEqual(yield* store.list(org.id, [b.id, a.id, foreign.id]), [a, b])
        deepStrictEqual(yield* store.list(org.id, []), [])
        const names = ["b", "nobody", "C"].map((text) => PolicyName.make(text))
        deepStrictEqual(yield* store.holdByNames(org.id, names), [c, b])
        deepStrictEqual(yield* store.listVersions(org.id, { policies: [foreign.id] }), [])
        deepStrictEqual(yield* store.findByName({ org: other.id, name: b.name }), Option.none())
      })
    )

    it.effect("serialises writers of one policy, each after the commit of the one before", () =>
      Effect.gen(function* () {
        const store = yield* PolicyStore
        const transaction = yield* Transaction
        const policy = yield* Fixture.policy(yield* Fixture.org)
        yield* Effect.forEach(
          Array.from({ length: 16 }, (_, index) => `text ${index}`),
          (text) =>
            transaction.run(policy.org_id, () =>
              Effect.flatMap(store.findByName(keyOf(policy), { lock: true }), (found) =>
                save(next(Option.getOrThrow(found), text))
              )
            ),
          { concurrency: "unbounded" }
        )
        const versions = yield* store.listVersions(policy.org_id, { policies: [policy.id] })
        assert.deepStrictEqual(
          versions.map(({ version }) => version),
          Array.from({ length: 17 }, (_, index) => index + 1)
        )
        const latest = Option.getOrThrow(yield* store.findByName(keyOf(policy)))
        assert.strictEqual(latest.policy_yaml, versions.at(-1)?.policy_yaml)
      })
    )
  })
