/**
 * Flows by their latest activity are in order whatever writers do at the same time: none waits for another, and what is
 * undone leaves nothing behind.
 */

import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import * as FlowTemplate from "@attestry/core/FlowTemplate"
import { TemplateId } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Trail } from "@attestry/core/Trail"
import * as TrailCompliance from "@attestry/core/TrailCompliance"
import { TrailStore } from "@attestry/core/TrailStore"
import * as Fixture from "@attestry/core/testing/Fixture"
import { assert, describe, it } from "@effect/vitest"
import { Effect, Option } from "effect"
import * as PgLayer from "./shared/PgLayer.js"

const put = ({ org_id, flow_id, id }: Trail, seconds: number) =>
  Effect.flatMap(TrailStore, (store) =>
    store.putEvaluation({
      org_id,
      flow_id,
      trail_id: id,
      template_id: TemplateId.make("t"),
      evaluated_at: Timestamp.plusSeconds(Fixture.AT, seconds),
      ...TrailCompliance.evaluate({ template: FlowTemplate.empty, artifacts: [], attestations: [] })
    })
  )

/** The names of flows on pages of one each, newest first. */
const names = (org: Org) =>
  Effect.gen(function* () {
    const store = yield* FlowStore
    const pages = yield* Effect.forEach([1, 2, 3], (page) =>
      store.list(
        org.id,
        { sort: "latest_activity", direction: "desc" },
        Option.some({ page, perPage: 1 })
      )
    )
    return pages.flatMap(({ items }) => items.map(({ flow }) => flow.name))
  })

const unsettled = Effect.flatMap(PgLayer.TestDatabase, ({ query }) =>
  Effect.map(query("select flow_id from attestry.flow_unsettled"), (rows) => rows.length)
)

/** Three flows with a trail each, active in the order of their names, minutes apart. */
const prepared = Effect.gen(function* () {
  const org = yield* Fixture.org
  const trails: Array<Trail> = []
  const flows: Array<Flow> = []
  for (const [index, name] of ["one", "two", "three"].entries()) {
    const flow = yield* Fixture.flow(org, name)
    const trail = yield* Fixture.trail(flow)
    yield* put(trail, index * 120)
    flows.push(flow)
    trails.push(trail)
  }
  const [first, second] = trails
  const [flow] = flows
  if (first === undefined || second === undefined || flow === undefined) throw new Error("no flow")
  return { org, flow, first, second }
})

describe("flows by their latest activity", () => {
  it.scopedLive("are in order while a change holds the flow, and settle with the next minute", () =>
    Effect.gen(function* () {
      const { org, flow, first } = yield* prepared
      assert.deepStrictEqual(yield* names(org), ["three", "two", "one"])
      const holder = yield* PgLayer.connect((yield* PgLayer.TestDatabase).url)
      const hold = (text: string) => Effect.promise(() => holder.query(text))
      yield* hold("begin")
      yield* hold(`select from flow where flow_id = '${flow.id}' for no key update`)
      yield* put(first, 600)
      assert.deepStrictEqual(yield* names(org), ["one", "three", "two"])
      yield* hold("rollback")
      assert.deepStrictEqual([yield* names(org), yield* unsettled], [["one", "three", "two"], 1])
      yield* put(first, 700)
      assert.deepStrictEqual([yield* names(org), yield* unsettled], [["one", "three", "two"], 0])
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.scopedLive("are in order when another writer of the same minute is undone", () =>
    Effect.gen(function* () {
      const { org, flow, first } = yield* prepared
      const other = yield* Fixture.trail(flow, "run-2")
      const writer = yield* PgLayer.connect((yield* PgLayer.TestDatabase).url)
      const write = (text: string) => Effect.promise(() => writer.query(text))
      yield* write("begin")
      yield* write(`update trail_evaluation set evaluated_at = ${Timestamp.plusSeconds(Fixture.AT, 600)}
        where trail_id = '${first.id}'`)
      yield* put(other, 601)
      yield* write("rollback")
      assert.deepStrictEqual(yield* names(org), ["one", "three", "two"])
    }).pipe(Effect.provide(PgLayer.layer))
  )

  it.live("are in order after a clock was set back", () =>
    Effect.gen(function* () {
      const { org, first, second } = yield* prepared
      yield* put(first, 600)
      assert.deepStrictEqual(yield* names(org), ["one", "three", "two"])
      yield* put(first, 30)
      assert.deepStrictEqual(yield* names(org), ["three", "two", "one"])
      yield* put(second, 610)
      assert.deepStrictEqual([yield* names(org), yield* unsettled], [["two", "three", "one"], 1])
    }).pipe(Effect.provide(PgLayer.layer))
  )
})
