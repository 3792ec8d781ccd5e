/** What a crash leaves pending is evaluated by the worker, by readers, and by the next report. */

import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName, PolicyName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { Policies } from "@attestry/core/Policies"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { Reports } from "@attestry/core/Reports"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as ReportFixture from "@attestry/core/testing/ReportFixture"
import { assert, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const prod = EnvironmentName.make("prod")
const policy = PolicyName.make("policy")

const report = (org: Org, bodyDigest: string) =>
  Effect.flatMap(Reports, (reports) =>
    reports.accept(org.name, prod, ReportFixture.submitted("server", bodyDigest, []))
  )

/** An environment with one snapshot, whose policy has gained a version that nobody has evaluated. */
const interrupted = (org: Org) =>
  Effect.gen(function* () {
    const draft = { name: policy, description: "", comment: "", policy_yaml: Fixture.POLICY_YAML }
    yield* (yield* Policies).put(org.name, draft)
    const environments = yield* Environments
    yield* environments.put(org.name, { name: prod, type: "server", policies: [policy] })
    yield* report(org, "one")
    const store = yield* PolicyStore
    const before = Option.getOrThrow(yield* store.findByName({ org: org.id, name: policy }))
    const next = { ...before, version: 2, policy_yaml: `${Fixture.POLICY_YAML}# two\n` }
    assert.strictEqual(yield* store.update(next, Fixture.policyVersion(next)), 1)
  })

/** Which version the latest snapshot was evaluated by, as the store has it, and what is still pending. */
const look = (org: Org) =>
  Effect.gen(function* () {
    const environments = yield* EnvironmentStore
    const [environment] = yield* environments.list(org.id)
    const found = yield* Option.fromNullable(environment)
    const latest = yield* (yield* SnapshotStore).latest(ref(found))
    const { index, policies } = Option.getOrThrow(latest)
    const pending = yield* environments.listPending(org.id)
    return [index, policies.map(({ version }) => version), pending.length]
  })

it.layer(UseCaseLayer.layer)("A pending environment", (it) => {
  it.effect("is evaluated by the worker, once", () =>
    UseCaseLayer.inOrg((org) =>
      Effect.gen(function* () {
        yield* interrupted(org)
        assert.deepStrictEqual(yield* look(org), [1, [1], 1])
        yield* PendingWorker.drainAll
        assert.deepStrictEqual(yield* look(org), [2, [2], 0])
        yield* PendingWorker.drainAll
        assert.deepStrictEqual(yield* look(org), [2, [2], 0])
      })
    )
  )

  it.effect("is evaluated before anybody reads it or lists it", () =>
    Effect.gen(function* () {
      yield* UseCaseLayer.inOrg((org) =>
        Effect.gen(function* () {
          yield* interrupted(org)
          yield* (yield* Environments).get(org.name, prod)
          assert.deepStrictEqual(yield* look(org), [2, [2], 0])
        })
      )
      yield* UseCaseLayer.inOrg((org) =>
        Effect.gen(function* () {
          yield* interrupted(org)
          yield* (yield* Environments).list(org.name, { descending: false }, Option.none())
          assert.deepStrictEqual(yield* look(org), [2, [2], 0])
        })
      )
      yield* UseCaseLayer.inOrg((org) =>
        Effect.gen(function* () {
          yield* interrupted(org)
          yield* (yield* Environments).list(org.name, {}, Option.some({ page: 1, perPage: 1 }))
          assert.deepStrictEqual(yield* look(org), [2, [2], 0])
        })
      )
    })
  )

  it.effect("is evaluated with its next report, whatever that says", () =>
    UseCaseLayer.inOrg((org) =>
      Effect.gen(function* () {
        yield* interrupted(org)
        assert.strictEqual(yield* report(org, "one"), "changed")
        assert.deepStrictEqual(yield* look(org), [2, [2], 0])
        assert.strictEqual(yield* report(org, "one"), "unchanged")
      })
    )
  )
})
