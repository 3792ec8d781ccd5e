/** Creating, replacing and finding environments. */
import { DEFAULT_SETTINGS } from "@attestry/core/Environment"
import { Environments } from "@attestry/core/Environments"
import { EnvironmentName } from "@attestry/core/Identifier"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, TestClock } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { as, inOrg, journalOf, tagOf } = UseCaseLayer
const name = EnvironmentName.make("prod")
const draft = { name, type: "K8S" as const }

it.layer(UseCaseLayer.layer)("Environments", (it) => {
  it.effect("have not reported when they are new, and do not record scaling", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const environments = yield* Environments
        assert.strictEqual(yield* environments.put(org.name, draft), "created")
        const { environment: stored, included } = yield* environments.get(org.name, name)
        assert.strictEqual(included, null)
        const { id: _, ...environment } = stored
        deepStrictEqual(environment, {
          org_id: org.id,
          name,
          type: "K8S",
          type_alias: null,
          ...DEFAULT_SETTINGS,
          created_at: environment.created_at,
          last_modified_at: environment.created_at,
          last_reported_at: null,
          last_changed_at: null,
          included: null,
          policies: [],
          tags: {},
          verdict: null,
          archived_at: null
        })
      })
    )
  )

  it.effect("keep what a request does not say, an empty description included", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const environments = yield* Environments
        const put = (settings: object) => environments.put(org.name, { ...draft, ...settings })
        yield* put({ description: "where it runs", include_scaling: true })
        const { environment: before } = yield* environments.get(org.name, name)
        yield* TestClock.adjust("1 second")
        const outcomes = yield* Effect.forEach([{}, { description: "" }, { description: "x" }], put)
        deepStrictEqual(outcomes, ["unchanged", "unchanged", "updated"])
        const { environment: after } = yield* environments.get(org.name, name)
        deepStrictEqual(after, {
          ...before,
          description: "x",
          last_modified_at: after.last_modified_at
        })
        assert.strictEqual(after.last_modified_at - before.last_modified_at, 1_000_000)
        deepStrictEqual(yield* journalOf(org), [
          "environment_created environment",
          "environment_updated environment"
        ])
      })
    )
  )

  it.effect("never change their kind", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const environments = yield* Environments
        yield* environments.put(org.name, draft)
        const other = environments.put(org.name, { name, type: "docker", description: "x" })
        assert.strictEqual(yield* tagOf(other), "EnvironmentKindMismatch")
        assert.strictEqual((yield* environments.get(org.name, name)).environment.description, "")
      })
    )
  )

  it.effect("are created by whoever reports, and changed by members only", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const environments = yield* Environments
        const put = environments.put(org.name, draft)
        const change = environments.put(org.name, { ...draft, include_scaling: true })
        assert.strictEqual(yield* as(org, "reader")(tagOf(put)), "AccessDenied")
        assert.strictEqual(yield* as(org, "snapshotter")(put), "created")
        assert.strictEqual(yield* as(org, "snapshotter")(put), "unchanged")
        assert.strictEqual(yield* as(org, "snapshotter")(tagOf(change)), "AccessDenied")
        assert.strictEqual(
          (yield* environments.get(org.name, name)).environment.include_scaling,
          false
        )
        assert.strictEqual(yield* as(org, "member")(change), "updated")
      })
    )
  )

  it.effect("are not found under another name", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const environments = yield* Environments
        yield* environments.put(org.name, draft)
        const other = environments.get(org.name, EnvironmentName.make("Prod"))
        assert.strictEqual(yield* tagOf(other), "EnvironmentNotFound")
      })
    )
  )
})
