import { assert, describe, it } from "@effect/vitest"
import { FastCheck, Option } from "effect"
import type { EvaluatedResult } from "../../src/snapshot/SnapshotAnnotation.js"
import * as SnapshotDiff from "../../src/snapshot/SnapshotDiff.js"
import * as Reports from "../../testing/EnvironmentReport.js"

const fingerprint = Reports.fingerprints[0]
const row = (name: string, over: Partial<EvaluatedResult> = {}): EvaluatedResult => ({
  name,
  fingerprint,
  creationTimestamp: [1],
  verdict: "Compliant",
  decisionKey: "d",
  provenanceKey: "p",
  ...over
})
const state = (
  running: ReadonlyArray<EvaluatedResult>,
  policies: ReadonlyArray<SnapshotDiff.AppliedPolicy> = []
) => ({ running, policies })
const diff = (
  before: SnapshotDiff.EvaluatedState<EvaluatedResult>,
  after: SnapshotDiff.EvaluatedState<EvaluatedResult>,
  options: Partial<Parameters<typeof SnapshotDiff.diff>[2]> = {}
) =>
  SnapshotDiff.diff(Option.some(before), after, {
    cause: "report",
    includeScaling: false,
    ...options
  })
const isDue = (...given: Parameters<typeof diff>) => diff(...given)._tag === "Changes"
const p1 = { name: "p", version: 1 }

describe("SnapshotDiff: when a snapshot is appended", () => {
  it("rule 1: the first report appends one, even when it is empty", () =>
    assert.deepStrictEqual(
      SnapshotDiff.diff(Option.none(), state([]), { cause: "report", includeScaling: false }),
      { _tag: "Changes", running: [], exited: [] }
    ))

  it.each(["attachment", "reevaluation"] as const)(
    "without a snapshot, an %s makes none",
    (cause) =>
      assert.deepStrictEqual(
        SnapshotDiff.diff(Option.none(), state([row("a")], [p1]), { cause, includeScaling: true }),
        { _tag: "Nothing" }
      )
  )

  it("rule 2: another set of row keys", () => {
    assert.strictEqual(isDue(state([row("a")]), state([row("a"), row("b")])), true)
    assert.strictEqual(isDue(state([row("a"), row("b")]), state([row("a")])), true)
    assert.strictEqual(isDue(state([row("a")]), state([row("a", { fingerprint: "" })])), true)
  })

  it.each([
    ["3: a verdict", { verdict: "Unknown" }],
    ["3: statuses or reasons", { decisionKey: "e" }],
    ["4: provenance", { provenanceKey: "q" }]
  ] as const)("rule %s", (_, over) =>
    assert.strictEqual(isDue(state([row("a")]), state([row("a", over)])), true)
  )

  it("rule 5: another set of applied policies", () => {
    assert.strictEqual(isDue(state([], [p1]), state([], [{ name: "p", version: 2 }])), true)
    assert.strictEqual(isDue(state([], [p1]), state([])), true)
    const q2 = { name: "q", version: 2 }
    assert.strictEqual(isDue(state([], [p1, q2]), state([], [q2, p1])), false)
  })

  it("rule 6: a count, where scaling is recorded", () => {
    const after = state([row("a", { creationTimestamp: [1, 2] })])
    assert.strictEqual(isDue(state([row("a")]), after, { includeScaling: true }), true)
    assert.strictEqual(isDue(state([row("a")]), after, { includeScaling: false }), false)
  })

  it("rule 7: attaching or detaching, even when nothing differs", () => {
    const both = state([row("a")], [p1])
    assert.strictEqual(isDue(both, both, { cause: "attachment" }), true)
    assert.strictEqual(isDue(both, both, { cause: "reevaluation" }), false)
  })

  it("nothing else: times and order", () =>
    assert.strictEqual(
      isDue(
        state([row("a", { creationTimestamp: [1] }), row("b")]),
        state([row("b"), row("a", { creationTimestamp: [9] })]),
        { includeScaling: true }
      ),
      false
    ))
})

describe("SnapshotDiff: the rows of a snapshot", () => {
  it("lists the newest first, then by name, and exited rows unchanged", () => {
    const gone = row("gone", { verdict: "NonCompliant", creationTimestamp: [5, 7] })
    const result = diff(
      state([gone, row("a"), row("z", { creationTimestamp: [9] })]),
      state([
        row("b", { creationTimestamp: [3] }),
        row("a"),
        row("c", { creationTimestamp: [1, 3] })
      ])
    )
    assert.deepStrictEqual(result, {
      _tag: "Changes",
      running: [
        {
          row: row("b", { creationTimestamp: [3] }),
          annotation: { type: "started-compliant", was: 0, now: 1 }
        },
        {
          row: row("c", { creationTimestamp: [1, 3] }),
          annotation: { type: "started-compliant", was: 0, now: 2 }
        },
        { row: row("a"), annotation: { type: "unchanged", was: 1, now: 1 } }
      ],
      exited: [
        {
          row: row("z", { creationTimestamp: [9] }),
          annotation: { type: "exited", was: 1, now: 0 }
        },
        { row: gone, annotation: { type: "exited", was: 2, now: 0 } }
      ]
    })
  })

  it("distinguishes names that look like keys of each other", () => {
    const before = state([row("a:b", { fingerprint: "" })])
    const after = state([row(":a:b", { fingerprint: "" })])
    const result = diff(before, after)
    assert.strictEqual(result._tag === "Changes" && result.exited.length, 1)
  })

  it("handles 5,000 rows", () => {
    const rows = (offset: number) =>
      Array.from({ length: 5_000 }, (_, at) =>
        row(`image-${at + offset}`, { creationTimestamp: [at] })
      )
    const result = diff(state(rows(0)), state(rows(50)))
    assert.strictEqual(result._tag === "Changes" && result.exited.length, 50)
  })
})

describe("SnapshotDiff: keys", () => {
  const statuses = [
    { policy_name: "p", status: "COMPLIANT" },
    { policy_name: "q", status: "NON-COMPLIANT" }
  ]
  const reasons = [
    { type: "missing_provenance", policy_name: "q" },
    { policy_name: "q", rule_index: 1 }
  ]
  const view = { flow: "f", trail: "t", slot: "s", artifact: "r", status: "COMPLIANT" }

  it.prop(
    "a decision does not depend on the order of policies or reasons",
    { turnStatuses: FastCheck.boolean(), turnReasons: FastCheck.boolean() },
    ({ turnStatuses, turnReasons }) =>
      assert.strictEqual(
        SnapshotDiff.decisionKey({
          statuses: turnStatuses ? [...statuses].reverse() : statuses,
          reasons: turnReasons ? [...reasons].reverse() : reasons
        }),
        SnapshotDiff.decisionKey({ statuses, reasons })
      )
  )

  it("a decision depends on every status and every reason", () => {
    const key = SnapshotDiff.decisionKey({ statuses, reasons })
    assert.notStrictEqual(SnapshotDiff.decisionKey({ statuses: statuses.slice(1), reasons }), key)
    assert.notStrictEqual(SnapshotDiff.decisionKey({ statuses, reasons: reasons.slice(1) }), key)
    for (const part of ["policy_name", "status"])
      assert.notStrictEqual(
        SnapshotDiff.decisionKey({
          statuses: statuses.map((status) => ({ ...status, [part]: "other" })),
          reasons
        }),
        key
      )
  })

  it("provenance depends on each of its five parts and on the order of flows", () => {
    const key = SnapshotDiff.provenanceKey([view])
    for (const part of ["flow", "trail", "slot", "artifact", "status"])
      assert.notStrictEqual(SnapshotDiff.provenanceKey([{ ...view, [part]: "x" }]), key)
    const other = { ...view, flow: "g" }
    assert.notStrictEqual(
      SnapshotDiff.provenanceKey([view, other]),
      SnapshotDiff.provenanceKey([other, view])
    )
    assert.notStrictEqual(SnapshotDiff.provenanceKey([]), key)
  })
})
