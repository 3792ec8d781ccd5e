/** Filters and orders of rows. */
import * as Route from "@attestry/web/Route"
import { assert, describe, it } from "vitest"
import * as RowFilter from "../../app/snapshot/RowFilter.js"
import { rowOf, ruleOf } from "../fixture/Rows.js"

const rows = [
  rowOf("shop:10", { flow_name: "shop", trail_name: "build-10", git_commit: "abcabca" }),
  rowOf("redis:7", { verdict: "NonCompliant", failing: [0, 1], instances: 3 }),
  rowOf("search:9", {
    verdict: "NonCompliant",
    failing: [1],
    annotation: { type: "became-non-compliant", was: 1, now: 1 },
    started_at: 1_790_000_500
  }),
  rowOf("probe:3", { is_allowed: true }),
  rowOf("batch:1", { verdict: "Unknown", annotation: { type: "started-unknown", was: 0, now: 1 } }),
  rowOf("search:8", {
    verdict: "NonCompliant",
    failing: [1],
    annotation: { type: "exited", was: 1, now: 0 }
  })
]
const rules = [
  ruleOf({ policy_name: "a.b", rule_index: 0 }),
  ruleOf({ policy_name: "p", rule_index: 3 }),
  ruleOf({ policy_name: "q", rule_index: null, type: "policy_error" })
]

const names = (filter: RowFilter.RowFilter) =>
  RowFilter.apply(rows, rules, filter).map(({ name }) => name)

describe("rows of a snapshot", () => {
  it("come with the worst verdict first, and those that exited last", () => {
    assert.deepStrictEqual(names({}), [
      "redis:7",
      "search:9",
      "batch:1",
      "probe:3",
      "shop:10",
      "search:8"
    ])
  })

  it("are ordered by their ends, those without one last", () => {
    const ending = [
      rowOf("a", {}),
      rowOf("b", { expires_at: 20 }),
      rowOf("c", {}),
      rowOf("d", { expires_at: 10 })
    ]
    const order = (sort: string) => RowFilter.apply(ending, rules, { sort }).map(({ name }) => name)
    assert.deepStrictEqual(order("expires"), ["d", "b", "a", "c"])
    assert.deepStrictEqual(order("-expires"), ["a", "c", "b", "d"])
  })

  it("are found by name, fingerprint, flow, trail and commit, in any case", () => {
    assert.deepStrictEqual(names({ q: " SHOP " }), ["shop:10"])
    assert.deepStrictEqual(names({ q: "build-10" }), ["shop:10"])
    assert.deepStrictEqual(names({ q: "abcabc" }), ["shop:10"])
    assert.deepStrictEqual(names({ q: "abcabcabcabc" }), ["shop:10"])
    assert.deepStrictEqual(names({ q: rowOf("probe:3").fingerprint.slice(0, 12) }), ["probe:3"])
    assert.deepStrictEqual(names({ q: "nothing" }), [])
  })

  it("are filtered by verdict and rule as they are counted: what runs, allowed ones with compliant ones", () => {
    assert.deepStrictEqual(names({ verdict: "non-compliant" }), ["redis:7", "search:9"])
    assert.deepStrictEqual(names({ verdict: "compliant" }), ["probe:3", "shop:10"])
    assert.deepStrictEqual(names({ verdict: "allowed" }), ["probe:3"])
    assert.deepStrictEqual(names({ rule: "a.b.0" }), ["redis:7"])
    assert.deepStrictEqual(names({ rule: "p.3" }), ["redis:7", "search:9"])
    assert.deepStrictEqual(names({ rule: "p.3", change: "exited" }), ["search:8"])
    assert.deepStrictEqual(names({ rule: "q.error" }), [])
    assert.deepStrictEqual(names({ rule: "unknown" }), [])
  })

  it("are filtered by change and flow", () => {
    assert.deepStrictEqual(names({ change: "started" }), ["batch:1"])
    assert.deepStrictEqual(names({ change: "changed" }), ["search:9"])
    assert.deepStrictEqual(names({ change: "exited" }), ["search:8"])
    assert.deepStrictEqual(names({ flow: "shop" }), ["shop:10"])
    assert.lengthOf(names({ flow: RowFilter.NO_PROVENANCE }), 5)
    assert.deepStrictEqual(RowFilter.flowsOf(rows), ["no provenance", "shop"])
  })

  it("are ordered by any column, in both directions", () => {
    assert.deepStrictEqual(names({ sort: "name" }), [...names({})].sort())
    assert.deepStrictEqual(names({ sort: "-name" }), [...names({})].sort().reverse())
    assert.strictEqual(names({ sort: "instances" })[0], "redis:7")
    assert.strictEqual(names({ sort: "started" })[0], "search:9")
    assert.strictEqual(names({ sort: "flow" })[0], "shop:10")
    assert.deepStrictEqual(names({ sort: "constructor" }), names({}))
  })

  it("turn the order with each click on a column", () => {
    assert.strictEqual(RowFilter.nextSort(undefined, "name"), "name")
    assert.strictEqual(RowFilter.nextSort("name", "name"), "-name")
    assert.strictEqual(RowFilter.nextSort("-name", "name"), "name")
    assert.strictEqual(RowFilter.nextSort(undefined, "verdict"), "-verdict")
    assert.isUndefined(RowFilter.nextSort("name", "verdict"))
  })

  it("have a key for the address, which the names of members end", () => {
    assert.strictEqual(RowFilter.keyOf(rowOf("a~b", { fingerprint: "" })), "~a~b")
    assert.strictEqual(RowFilter.keyOf(rowOf("a", { fingerprint: "", environment: "eu" })), "~a~eu")
  })

  it("ask the server with the words of the wire", () => {
    const route = Route.parse("/acme/environments/e?q=x&verdict=allowed&rule=p.3&flow=shop")
    assert.deepStrictEqual(RowFilter.toQuery(RowFilter.fromRoute(route)), {
      search: "x",
      verdict: "Compliant",
      flow_name: "shop",
      rule: "p.3"
    })
    assert.isUndefined(RowFilter.toQuery({ rule: "p" }).rule)
    assert.isTrue(RowFilter.isFiltered(RowFilter.fromRoute(route)))
    assert.isFalse(RowFilter.isFiltered({ sort: "name", q: "" }))
  })
})
