/** Pairs of rows: each row once, and the sets of the server's own comparison. */
import * as SnapshotComparison from "@attestry/core/SnapshotComparison"
import * as FastCheck from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import type { ShortRow } from "../../app/shared/Contract.js"
import {
  countsOf,
  type Pair,
  type PairKind,
  pairsOf,
  parseSide,
  plainName,
  turns
} from "../../app/snapshot/SnapshotPairs.js"
import { rowOf } from "../fixture/Rows.js"

const NAMES = ["shop:1", "shop:2", "search:1", "redis", "a/b:1", "a/b:2"]

const row: FastCheck.Arbitrary<ShortRow> = FastCheck.record({
  name: FastCheck.constantFrom(...NAMES),
  letter: FastCheck.constantFrom("a", "b", "c"),
  instances: FastCheck.integer({ min: 1, max: 3 }),
  flow: FastCheck.constantFrom(null, "shop", "search"),
  environment: FastCheck.constantFrom("eu", "us"),
  isExited: FastCheck.boolean(),
  verdict: FastCheck.constantFrom("Compliant", "NonCompliant", "Unknown")
}).map(({ name, letter, instances, flow, environment, isExited, verdict }) =>
  rowOf(name, {
    fingerprint: letter.repeat(64),
    instances,
    flow_name: flow,
    template_reference_name: flow === null ? null : "app",
    environment,
    verdict,
    annotation: { type: isExited ? "exited" : "unchanged", was: instances, now: instances }
  })
)

const rows = FastCheck.array(row, { maxLength: 12 })

/** Rows as core compares them. */
const comparable = (list: ReadonlyArray<ShortRow>): SnapshotComparison.ComparableSnapshot => ({
  environment: "e",
  index: 1,
  running: list
    .filter(({ annotation }) => annotation.type !== "exited")
    .map((each) => ({
      name: each.name as SnapshotComparison.ComparableRow["name"],
      fingerprint: each.fingerprint as SnapshotComparison.ComparableRow["fingerprint"],
      creationTimestamp: Array.from({ length: each.instances }, () => 7),
      flow_name: each.flow_name,
      commit_url: null,
      pods: null
    }))
})

type Named = { readonly name: string; readonly fingerprint: string }
const printed = (list: ReadonlyArray<Named>) =>
  list.map(({ name, fingerprint }) => `${name} ${fingerprint.slice(0, 1)}`).sort()

const sideOf = (
  pairs: ReadonlyArray<Pair>,
  side: "left" | "right",
  kinds: ReadonlyArray<PairKind>
) =>
  printed(
    pairs
      .filter(({ kind }) => kinds.includes(kind))
      .flatMap((pair) => {
        const found = pair[side]
        return found === undefined ? [] : [found]
      })
  )

describe("pairs of two snapshots", () => {
  it("are the sets of the server's comparison, on random snapshots", () =>
    FastCheck.assert(
      FastCheck.property(rows, rows, (left, right) => {
        const pairs = pairsOf(left, right)
        const compared = SnapshotComparison.compare(comparable(left), comparable(right))
        assert.deepStrictEqual(
          sideOf(pairs, "left", ["version", "stopped"]),
          printed(compared.snappish1.artifacts)
        )
        assert.deepStrictEqual(
          sideOf(pairs, "right", ["version", "started"]),
          printed(compared.snappish2.artifacts)
        )
        assert.deepStrictEqual(
          sideOf(pairs, "right", ["scaled"]),
          printed(compared.changed.artifacts)
        )
        assert.deepStrictEqual(
          sideOf(pairs, "right", ["same"]),
          printed(compared["not-changed"].artifacts)
        )
      }),
      { numRuns: 500 }
    ))

  it("contain each running row once, and nothing else", () =>
    FastCheck.assert(
      FastCheck.property(rows, rows, (left, right) => {
        const pairs = pairsOf(left, right)
        const every: ReadonlyArray<PairKind> = ["version", "scaled", "started", "stopped", "same"]
        for (const [side, list] of [
          ["left", left],
          ["right", right]
        ] as const) {
          const running = list.filter(({ annotation }) => annotation.type !== "exited")
          assert.deepStrictEqual(sideOf(pairs, side, every), [...new Set(printed(running))])
        }
        assert.lengthOf([...new Set(pairs.map(({ key }) => key))], pairs.length)
        const counts = countsOf(pairs)
        assert.strictEqual(
          Object.values(counts).reduce((sum, count) => sum + count, 0),
          pairs.length
        )
      }),
      { numRuns: 300 }
    ))

  it("put the versions of one flow and slot together, else those of one name without its tag", () => {
    const slot = { flow_name: "shop", template_reference_name: "app" }
    const left = [
      rowOf("registry:5000/shop:9", slot),
      rowOf("redis:6"),
      rowOf("old:1"),
      rowOf("same:1", { verdict: "NonCompliant" })
    ]
    const right = [
      rowOf("renamed:10", slot),
      rowOf("redis:7"),
      rowOf("new:1"),
      rowOf("same:1", { instances: 2 })
    ]
    const pairs = pairsOf(left, right)
    assert.deepStrictEqual(
      pairs.map(({ kind, left: one, right: two }) => [kind, one?.name, two?.name]),
      [
        ["version", "redis:6", "redis:7"],
        ["version", "registry:5000/shop:9", "renamed:10"],
        ["scaled", "same:1", "same:1"],
        ["started", undefined, "new:1"],
        ["stopped", "old:1", undefined]
      ]
    )
    assert.deepStrictEqual(
      pairs.filter(turns).map(({ kind }) => kind),
      ["scaled"]
    )
  })

  it("know the name of an image without its tag or digest", () => {
    assert.strictEqual(plainName("shop"), "shop")
    assert.strictEqual(plainName("host:5000/shop"), "host:5000/shop")
    assert.strictEqual(plainName("host:5000/shop:1"), "host:5000/shop")
    assert.strictEqual(plainName("shop:1@sha256:abc"), "shop")
  })

  it("read both sides in every qualified form", () => {
    const forms: ReadonlyArray<readonly [string, string]> = [
      ["prod", "-1"],
      ["prod#41", "41"],
      ["prod#-1", "-1"],
      ["prod~2", "~2"],
      ["prod@{2.days.ago}", "@{2.days.ago}"]
    ]
    for (const [text, expression] of forms)
      assert.deepStrictEqual(parseSide(text), { environment: "prod", expression }, text)
    for (const text of ["", "#1", "~1", "prod#"]) assert.isUndefined(parseSide(text), text)
  })
})
