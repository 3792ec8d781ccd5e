import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import type { PhysicalKind } from "../../src/environment/EnvironmentKind.js"
import type { Pod, RunningRow } from "../../src/environment/RunningRow.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import * as CanonicalJson from "../../src/shared/CanonicalJson.js"
import * as RowComparison from "../../src/snapshot/internal/RowComparison.js"
import * as Generated from "../../testing/EnvironmentReport.js"

const rowsOf = <K extends PhysicalKind>(kind: K) =>
  Generated.environmentReport(kind).map((report) => EnvironmentReport.rows(kind, report))

const rows = FastCheck.oneof(
  rowsOf("K8S"),
  rowsOf("container-tasks"),
  rowsOf("cloudx-apps"),
  rowsOf("serverless-run"),
  rowsOf("docker")
)

/** What `runsAlike` must tell by the values alone. */
const context = ({ name: _name, fingerprint: _fingerprint, ...rest }: RunningRow) => rest

const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "web", uid: "1" }
const pod: Pod = { namespace: "shop", creationTimestamp: 7, owners: [owner] }

const running = (pods: RunningRow["pods"]): RunningRow => ({
  name: "web",
  fingerprint: "",
  creationTimestamp: [7],
  pods,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
})

describe("RowComparison.runsAlike", () => {
  it.prop("means that all but name and fingerprint is the same value", [rows, rows], (given) => {
    const all = given.flat()
    for (const one of all)
      for (const other of all)
        assert.strictEqual(
          RowComparison.runsAlike(one, other),
          CanonicalJson.equals(context(one), context(other))
        )
  })

  it.each<[string, RunningRow["pods"]]>([
    ["no pods", null],
    ["no pod", {}],
    ["another name", { other: pod }],
    ["one more", { one: pod, two: pod }],
    ["another namespace", { one: { ...pod, namespace: "other" } }],
    ["another time", { one: { ...pod, creationTimestamp: 8 } }],
    ["no owner", { one: { ...pod, owners: [] } }],
    ["one more owner", { one: { ...pod, owners: [owner, owner] } }],
    ["an owner of another version", { one: { ...pod, owners: [{ ...owner, apiVersion: "v2" }] } }],
    ["an owner of another kind", { one: { ...pod, owners: [{ ...owner, kind: "Job" }] } }],
    ["an owner of another name", { one: { ...pod, owners: [{ ...owner, name: "api" }] } }],
    ["an owner of another id", { one: { ...pod, owners: [{ ...owner, uid: "2" }] } }],
    ["an owner that controls", { one: { ...pod, owners: [{ ...owner, controller: true }] } }],
    ["an owner that blocks", { one: { ...pod, owners: [{ ...owner, blockOwnerDeletion: false }] } }]
  ])("sees %s", (_, pods) => {
    assert.isTrue(RowComparison.runsAlike(running({ one: pod }), running({ one: { ...pod } })))
    assert.isFalse(RowComparison.runsAlike(running({ one: pod }), running(pods)))
    assert.isFalse(RowComparison.runsAlike(running(pods), running({ one: pod })))
  })

  it("sees one pod of several that runs otherwise, whichever it is", () => {
    const moved = { ...pod, namespace: "other" }
    const two = running({ one: pod, two: pod })
    assert.isFalse(RowComparison.runsAlike(two, running({ one: moved, two: pod })))
    assert.isFalse(RowComparison.runsAlike(two, running({ one: pod, two: moved })))
  })

  it("sees pods in any order, and none where another object has a member by nature", () => {
    const [one, two] = [pod, { ...pod, namespace: "other" }]
    assert.isTrue(RowComparison.runsAlike(running({ one, two }), running({ two, one })))
    assert.isFalse(RowComparison.runsAlike(running({ constructor: pod }), running({ other: pod })))
  })
})

describe("RowComparison.unshared", () => {
  it.prop(
    "leaves what both states have as the same value",
    [FastCheck.uniqueArray(FastCheck.nat(20)), FastCheck.uniqueArray(FastCheck.nat(20))],
    ([one, two]) => {
      const values = Array.from({ length: 21 }, (_, number) => ({ number }))
      const pick = (numbers: ReadonlyArray<number>) => numbers.flatMap((at) => values[at] ?? [])
      const [before, after] = [pick(one), pick(two)]
      const places = two.map((number) => one.indexOf(number))
      assert.deepStrictEqual(RowComparison.unshared({ before, after, places }), {
        removed: before.filter((row) => !after.includes(row)),
        added: after.filter((row) => !before.includes(row))
      })
    }
  )

  it("takes a row that was made anew for another", () => {
    const before = [{ name: "a" }]
    const after = [{ name: "a" }]
    const { removed, added } = RowComparison.unshared({ before, after, places: [0] })
    assert.strictEqual(removed[0], before[0])
    assert.strictEqual(added[0], after[0])
  })
})
