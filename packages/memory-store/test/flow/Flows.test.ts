/** Creating, replacing and finding flows. */
import { EMPTY_TEMPLATE } from "@attestry/core/Flow"
import { Flows } from "@attestry/core/Flows"
import { FlowName } from "@attestry/core/Identifier"
import { assert, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Effect, TestClock } from "effect"
import * as UseCaseLayer from "../shared/UseCaseLayer.js"

const { as, inOrg, journalOf, tagOf } = UseCaseLayer
const name = FlowName.make("build")
const template = "version: 1\ntrail:\n  attestations:\n    - name: unit\n      type: junit\n"

it.layer(UseCaseLayer.layer)("Flows", (it) => {
  it.effect("are private and expect nothing by default", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const flows = yield* Flows
        assert.strictEqual(yield* flows.put(org.name, { name, description: "" }), "created")
        const { id: _, ...flow } = yield* flows.get(org.name, name)
        deepStrictEqual(flow, {
          org_id: org.id,
          name,
          description: "",
          visibility: "private",
          template: EMPTY_TEMPLATE,
          template_id: flow.template_id,
          tags: {},
          archived_at: null,
          created_at: flow.created_at,
          last_modified_at: flow.created_at
        })
      })
    )
  )

  it.effect("keep what a request does not say, and their id and first time", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const flows = yield* Flows
        yield* flows.put(org.name, { name, description: "one", visibility: "public", template })
        const before = yield* flows.get(org.name, name)
        yield* TestClock.adjust("1 second")
        assert.strictEqual(yield* flows.put(org.name, { name, description: "two" }), "updated")
        const after = yield* flows.get(org.name, name)
        deepStrictEqual(after, {
          ...before,
          description: "two",
          last_modified_at: after.last_modified_at
        })
        assert.strictEqual(after.last_modified_at - before.last_modified_at, 1_000_000)
      })
    )
  )

  it.effect("record each change once, and nothing for a request that changes nothing", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const flows = yield* Flows
        const put = (description: string) => flows.put(org.name, { name, description })
        const outcomes = yield* Effect.forEach(["one", "one", "two", "two"], put)
        deepStrictEqual(outcomes, ["created", "unchanged", "updated", "unchanged"])
        deepStrictEqual(yield* journalOf(org), ["flow_created flow", "flow_updated flow"])
      })
    )
  )

  it.effect("refuse a template that is none, and then do nothing", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const flows = yield* Flows
        const put = flows.put(org.name, { name, description: "", template: "version: 2\n" })
        assert.strictEqual(yield* tagOf(put), "InvalidFlowTemplate")
        assert.strictEqual(yield* tagOf(flows.get(org.name, name)), "FlowNotFound")
        deepStrictEqual(yield* journalOf(org), [])
      })
    )
  )

  it.effect("are written by members and read by readers", () =>
    inOrg((org) =>
      Effect.gen(function* () {
        const flows = yield* Flows
        const put = flows.put(org.name, { name, description: "" })
        assert.strictEqual(yield* as(org, "snapshotter")(tagOf(put)), "AccessDenied")
        assert.strictEqual(yield* as(org, "member")(put), "created")
        assert.strictEqual((yield* as(org, "reader")(flows.get(org.name, name))).name, name)
      })
    )
  )
})
