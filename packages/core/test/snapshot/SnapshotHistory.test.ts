import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import * as Generated from "../../testing/arbitrary/SnapshotHistory.js"
import * as Reports from "../../testing/EnvironmentReport.js"
import type { Command, ModelUnit, Step } from "../../testing/internal/model/EnvironmentWorld.js"
import * as Fold from "../../testing/internal/model/SnapshotHistoryFold.js"
import * as Model from "../../testing/internal/model/SnapshotHistoryModel.js"
import { lengthForRun } from "../shared/Effort.js"

const keyOf = ({ name, fingerprint }: { name: string; fingerprint: string }) =>
  JSON.stringify([name, fingerprint])
const keys = (rows: ReadonlyArray<{ row: Fold.FoldRow }>) =>
  rows.map(({ row }) => keyOf(row)).sort()
const types = (snapshot: Fold.FoldSnapshot) =>
  [...snapshot.running, ...snapshot.exited].map(({ annotation }) => annotation.type)
const then = (steps: ReadonlyArray<Step>, ...commands: ReadonlyArray<Command>) => [
  ...steps,
  ...commands.map((command, at) => ({ at: (steps.at(-1)?.at ?? 0) + at + 1, command }))
]
const report = (units: ReadonlyArray<ModelUnit>): Command => ({ _tag: "Report", units })
const lengthAfter = (steps: ReadonlyArray<Step>) => Fold.fold(steps).snapshots.length
const { history, units } = Generated
const runs = (numRuns: number) => ({ fastCheck: { numRuns } })

describe("snapshot histories: agreement", () => {
  it.prop(
    "makes the snapshots that the model makes",
    { steps: history },
    ({ steps }) =>
      assert.deepStrictEqual(
        Fold.fold(steps).snapshots.map(Fold.toModel),
        Model.fold(steps).snapshots
      ),
    runs(lengthForRun({ quick: 330, full: 1_000, deep: 5_000 }))
  )
})

describe("snapshot histories: laws of reports", () => {
  it.prop("SNAP-1: the same report again makes no snapshot", { history, units }, (given) => {
    const once = then(given.history, report(given.units))
    assert.strictEqual(lengthAfter(then(once, report(given.units))), lengthAfter(once))
  })

  it.prop(
    "SNAP-2: neither the order of units nor that of digests matters",
    { history, units, seed: FastCheck.nat() },
    ({ history: steps, units: reported, seed }) => {
      const shuffled = FastCheck.sample(
        FastCheck.shuffledSubarray([...reported], { minLength: reported.length }),
        { seed, numRuns: 1 }
      ).flat()
      const turned = shuffled.map((unit) => ({
        ...unit,
        digests: Object.fromEntries(Object.entries(unit.digests).reverse())
      }))
      assert.deepStrictEqual(Fold.rowsOf(turned), Fold.rowsOf(reported))
      const once = then(steps, report(reported))
      assert.strictEqual(lengthAfter(then(once, report(turned))), lengthAfter(once))
    }
  )

  it.prop("SNAP-4, SNAP-6: at most one snapshot per step, without gaps", { history }, (given) => {
    const { lengths, snapshots } = Fold.fold(given.history)
    lengths.forEach((length, at) => {
      assert.strictEqual([0, 1].includes(length - (lengths[at - 1] ?? 0)), true)
    })
    assert.deepStrictEqual(
      snapshots.map(({ index }) => index),
      snapshots.map((_, at) => at + 1)
    )
  })

  it.prop("SNAP-5: what runs is what was reported last", { history, units }, (given) => {
    const { snapshots } = Fold.fold(then(given.history, report(given.units)))
    assert.deepStrictEqual(
      keys(snapshots.at(-1)?.running ?? []),
      Fold.rowsOf(given.units).map(keyOf).sort()
    )
  })

  it.prop("SNAP-7: timestamps rise, whatever the clock does", { history }, (given) => {
    const { snapshots } = Fold.fold(given.history)
    snapshots.slice(1).forEach((snapshot, at) => {
      assert.strictEqual(snapshot.timestamp > (snapshots[at]?.timestamp ?? 0), true)
    })
  })

  it.prop("SNAP-8: the time of the last report always moves", { history, units }, (given) => {
    const steps = then(given.history, report(given.units), report(given.units))
    assert.strictEqual(Fold.fold(steps).world.lastReportedAt, steps.at(-1)?.at)
  })

  it.prop(
    "SNAP-15, SNAP-17: counts and times alone make no snapshot",
    { history, units },
    (given) => {
      const later = given.units.map((unit) => ({ ...unit, creationTimestamp: 1 }))
      const once = then(given.history, { _tag: "Scaling", on: false }, report(given.units))
      assert.strictEqual(
        lengthAfter(then(once, report(later), report([...later, ...given.units]))),
        lengthAfter(once)
      )
      const scaling = then(given.history, { _tag: "Scaling", on: true }, report(given.units))
      assert.strictEqual(lengthAfter(then(scaling, report(later))), lengthAfter(scaling))
    }
  )

  it.prop("SNAP-16: with scaling on, a count makes one snapshot", { history, units }, (given) => {
    const rows = Fold.rowsOf(given.units)
    const once = then(given.history, { _tag: "Scaling", on: true }, report(given.units))
    const twice = Fold.fold(then(once, report([...given.units, ...given.units]))).snapshots
    assert.strictEqual(twice.length, lengthAfter(once) + (rows.length === 0 ? 0 : 1))
    if (rows.length > 0)
      assert.strictEqual(
        twice.at(-1)?.running.every(({ annotation }) => annotation.type === "scaled"),
        true
      )
  })

  it.prop("SNAP-19: unknown fingerprints have no flows and settle", { history }, (given) => {
    const unknown = [{ digests: { shop: "" }, creationTimestamp: 1 }]
    const once = then(given.history, report(unknown))
    const { snapshots } = Fold.fold(then(once, report(unknown)))
    assert.strictEqual(snapshots.length, lengthAfter(once))
    assert.deepStrictEqual(snapshots.at(-1)?.running[0]?.row.evaluated.views, [])
  })

  it.prop("SNAP-20: a row is evaluated by itself", { history, units, more: units }, (given) => {
    const verdicts = (reported: ReadonlyArray<ModelUnit>) =>
      new Map(
        Fold.fold(then(given.history, report(reported)))
          .snapshots.at(-1)
          ?.running.map(({ row }) => [keyOf(row), row.verdict] as const)
      )
    const together = verdicts([...given.units, ...given.more])
    for (const [key, verdict] of verdicts(given.units))
      assert.strictEqual(together.get(key), verdict)
  })
})

describe("snapshot histories: laws of annotations", () => {
  it.prop("SNAP-9, SNAP-10: started and exited are the set differences", { history }, (given) => {
    const { snapshots } = Fold.fold(given.history)
    snapshots.forEach((snapshot, at) => {
      const before = new Set(keys(snapshots[at - 1]?.running ?? []))
      const after = keys(snapshot.running)
      const started = snapshot.running.filter(({ annotation }) =>
        annotation.type.startsWith("started-")
      )
      assert.deepStrictEqual(
        keys(started),
        after.filter((key) => !before.has(key))
      )
      assert.deepStrictEqual(
        keys(snapshot.exited),
        [...before].filter((key) => !after.includes(key)).sort()
      )
      const all = [...after, ...keys(snapshot.exited)]
      assert.strictEqual(new Set(all).size, all.length)
      assert.deepStrictEqual(new Set(all), new Set([...before, ...after]))
    })
  })

  it.prop("SNAP-11: something changed, unless policies made the snapshot", { history }, (given) => {
    const { snapshots } = Fold.fold(given.history)
    snapshots.slice(1).forEach((snapshot, at) => {
      const samePolicies =
        JSON.stringify(snapshot.policies) === JSON.stringify(snapshots[at]?.policies)
      if (samePolicies)
        assert.strictEqual(
          types(snapshot).some((type) => type !== "unchanged"),
          true
        )
    })
  })

  it.prop("SNAP-12: what exited is gone from the next, or starts again", { history }, (given) => {
    const { snapshots } = Fold.fold(given.history)
    snapshots.slice(1).forEach((snapshot, at) => {
      const left = new Set(keys(snapshots[at]?.exited ?? []))
      for (const { row, annotation } of snapshot.running) {
        if (!left.has(keyOf(row))) continue
        assert.strictEqual(annotation.type.startsWith("started-"), true)
        assert.strictEqual(annotation.was, 0)
      }
      assert.strictEqual(
        keys(snapshot.exited).some((key) => left.has(key)),
        false
      )
    })
  })

  it.prop("SNAP-13: counts fit the words", { history }, (given) => {
    for (const { running, exited } of Fold.fold(given.history).snapshots) {
      for (const { annotation } of exited)
        assert.strictEqual(annotation.was >= 1 && annotation.now === 0, true)
      for (const { row, annotation } of running) {
        assert.strictEqual(annotation.now, row.creationTimestamp.length)
        assert.strictEqual(annotation.now >= 1, true)
        assert.strictEqual(annotation.was === 0, annotation.type.startsWith("started-"))
      }
    }
  })

  it.prop("SNAP-14: replaying starts and exits rebuilds what runs", { history }, (given) => {
    const replayed = new Set<string>()
    const { snapshots } = Fold.fold(given.history)
    for (const snapshot of snapshots) {
      for (const { row } of snapshot.exited) assert.strictEqual(replayed.delete(keyOf(row)), true)
      for (const { row, annotation } of snapshot.running) {
        if (!annotation.type.startsWith("started-")) continue
        assert.strictEqual(replayed.has(keyOf(row)), false)
        replayed.add(keyOf(row))
      }
    }
    assert.deepStrictEqual([...replayed].sort(), keys(snapshots.at(-1)?.running ?? []))
  })
})

describe("snapshot histories: laws of verdicts", () => {
  it.prop("SNAP-21: counts add up to the running rows", { history }, (given) => {
    for (const { counts, running } of Fold.fold(given.history).snapshots)
      assert.strictEqual(counts.true + counts.false + counts.null, running.length)
  })

  it.prop("SNAP-22: the snapshot is compliant when every row is", { history }, (given) => {
    for (const { policies, running, verdict } of Fold.fold(given.history).snapshots) {
      const all = running.every(({ row }) => row.verdict === "Compliant")
      const expected = all ? "Compliant" : "NonCompliant"
      assert.strictEqual(verdict, policies.length === 0 ? "Unknown" : expected)
    }
  })

  it.prop("SNAP-23: nothing running is compliant under a policy", { history }, (given) => {
    const steps = then(given.history, { _tag: "Attach", policy: "trail" }, report([]))
    assert.strictEqual(Fold.fold(steps).snapshots.at(-1)?.verdict, "Compliant")
  })
})

describe("snapshot histories: worked example 4", () => {
  const [F, G] = Reports.fingerprints
  const shop = (times: ReadonlyArray<number>) =>
    times.map((creationTimestamp) => ({ digests: { shop: F }, creationTimestamp }))
  const mystery = [{ digests: { mystery: G }, creationTimestamp: 9 }]
  const view = (flow: string) => ({
    flow,
    trail: "t",
    slot: "shop",
    artifact: "r",
    status: "COMPLIANT"
  })
  const policy = "provenance"
  const evidence = (flow: string): Command => ({
    _tag: "Evidence",
    fingerprint: F,
    view: view(flow)
  })

  it("makes the nine snapshots of the table and no others", () => {
    const commands: ReadonlyArray<Command> = [
      evidence("build"),
      report([]),
      report(shop([1])),
      report(shop([1, 2, 3])),
      report(shop([4, 5, 6])),
      { _tag: "Attach", policy },
      report([...shop([4, 5, 6]), ...mystery]),
      { _tag: "Allow", fingerprint: G },
      report([...mystery, ...shop([6, 5, 4])]),
      evidence("promote"),
      report([...shop([4, 5, 6]), ...mystery]),
      report(mystery),
      report([]),
      { _tag: "Detach", policy }
    ]
    const { lengths, snapshots } = Fold.fold(then([], ...commands))
    assert.deepStrictEqual(lengths, [0, 1, 2, 2, 2, 3, 4, 5, 5, 5, 6, 7, 8, 9])
    const seen = snapshots.map(({ index, verdict, running, exited }) => [
      index,
      verdict,
      Object.fromEntries(
        [...running, ...exited].map(({ row, annotation }) => [
          row.name,
          `${annotation.type} ${annotation.was} ${annotation.now}`
        ])
      )
    ])
    assert.deepStrictEqual(seen, [
      [1, "Unknown", {}],
      [2, "Unknown", { shop: "started-unknown 0 1" }],
      [3, "Compliant", { shop: "became-compliant 1 1" }],
      [4, "NonCompliant", { shop: "unchanged 1 3", mystery: "started-non-compliant 0 1" }],
      [5, "Compliant", { shop: "unchanged 3 3", mystery: "became-compliant 1 1" }],
      [6, "Compliant", { shop: "updated-provenance 3 3", mystery: "unchanged 1 1" }],
      [7, "Compliant", { shop: "exited 3 0", mystery: "unchanged 1 1" }],
      [8, "Compliant", { mystery: "exited 1 0" }],
      [9, "Unknown", {}]
    ])
  })
})
