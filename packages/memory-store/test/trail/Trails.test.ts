/** Beginning trails, and saying more about them. */
import { FlowStore } from "@attestry/core/FlowStore"
import { FlowName, TrailName } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import { NO_DETAILS } from "@attestry/core/Trail"
import { TrailStore } from "@attestry/core/TrailStore"
import { Trails } from "@attestry/core/Trails"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { as, inOrg, journalOf, tagOf } = UseCaseLayer
const flow = FlowName.make("build")
const name = TrailName.make("run-1")

const stored = (org: Org) =>
  Effect.gen(function* () {
    const found = yield* yield* (yield* FlowStore).findByName({ org: org.id, name: flow })
    return yield* yield* (yield* TrailStore).findByName(
      { org: org.id, flow: found.id, name },
      { lock: true }
    )
  })

it.layer(UseCaseLayer.layer)("Trails", (it) => {
  it.effect("create their flow where there is none", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const trails = yield* Trails
        assert.strictEqual(yield* trails.begin(org.name, flow, { name }), "created")
        deepStrictEqual(yield* journalOf(org), ["flow_created flow", "trail_reported trail"])
        const trail = yield* stored(org)
        deepStrictEqual(trail, { ...trail, ...NO_DETAILS, name, created_by: "anna" })
      })
    )
  )

  it.effect("keep what a request does not say, and record which fields changed", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const trails = yield* Trails
        const begin = (draft: object) => trails.begin(org.name, flow, { name, ...draft })
        const outcomes = yield* Effect.forEach(
          [
            { description: "first", user_data: { a: 1, b: 2 } },
            { user_data: { b: 2, a: 1 } },
            { description: "second", origin_url: "https://ci.example.org/1" },
            {}
          ],
          begin
        )
        deepStrictEqual(outcomes, ["created", "unchanged", "updated", "unchanged"])
        const trail = yield* stored(org)
        deepStrictEqual(
          [trail.description, trail.origin_url, trail.user_data],
          ["second", "https://ci.example.org/1", { a: 1, b: 2 }]
        )
        const journal = yield* JournalStore
        const [, , updated] = yield* journal.listAfter({ org: org.id, after: 0, limit: 9 })
        deepStrictEqual(JSON.parse(updated?.content ?? "{}").changes, ["description", "origin_url"])
      })
    )
  )

  it.effect("have names of their own in each flow", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const trails = yield* Trails
        yield* trails.begin(org.name, flow, { name })
        const other = trails.begin(org.name, FlowName.make("release"), { name })
        assert.strictEqual(yield* other, "created")
      })
    )
  )

  it.effect("are begun by members, and nothing is created for others", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const trails = yield* Trails
        const begin = trails.begin(org.name, flow, { name })
        assert.strictEqual(yield* as(org, "snapshotter")(tagOf(begin)), "AccessDenied")
        deepStrictEqual(yield* journalOf(org), [])
        assert.strictEqual(yield* as(org, "member")(begin), "created")
      })
    )
  )
})
