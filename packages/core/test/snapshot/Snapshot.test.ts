/** The changes of rows from one snapshot to the next: unchanged rows continue. */
import { assert, describe, it } from "@effect/vitest"
import { FastCheck } from "effect"
import { keyOf } from "../../src/environment/RunningRow.js"
import { EnvironmentName, OrgName } from "../../src/shared/Identifier.js"
import * as Snapshot from "../../src/snapshot/Snapshot.js"
import { snapshotHistory } from "../../testing/Snapshot.js"

/** Two states of one environment, near each other or far apart. */
const states = FastCheck.tuple(snapshotHistory(5), FastCheck.nat(4), FastCheck.nat(4)).map(
  ([history, one, other]) => ({
    before: history[one]?.running ?? [],
    after: history[other]?.running ?? []
  })
)

const sorted = (rows: ReadonlyArray<Snapshot.SnapshotRow>) =>
  [...rows].sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

describe("Snapshot.rowChanges", () => {
  it.prop("lead from one state to the other", { states }, ({ states: { before, after } }) => {
    const { ended, begun } = Snapshot.rowChanges(before, after)
    const over = new Set(ended.map(keyOf))
    const rows = [...before.filter((row) => !over.has(keyOf(row))), ...begun]
    assert.deepStrictEqual(sorted(rows), sorted(after))
  })

  it.prop("end only running rows, and begin none twice", { states }, ({ states: given }) => {
    const { ended, begun } = Snapshot.rowChanges(given.before, given.after)
    const keys = given.before.map(keyOf)
    assert.deepStrictEqual(
      ended.filter((row) => !keys.includes(keyOf(row))),
      []
    )
    assert.strictEqual(new Set(begun.map(keyOf)).size, begun.length)
    assert.strictEqual(new Set(ended.map(keyOf)).size, ended.length)
  })

  it.prop("do not depend on the order of the rows before", { states }, ({ states: given }) =>
    assert.deepStrictEqual(
      Snapshot.rowChanges([...given.before].reverse(), given.after),
      Snapshot.rowChanges(given.before, given.after)
    )
  )

  it.prop("are empty when nothing changed, in any order", { states }, ({ states: given }) =>
    assert.deepStrictEqual(Snapshot.rowChanges(given.before, [...given.before].reverse()), {
      ended: [],
      begun: []
    })
  )
})

describe("Snapshot", () => {
  it("names the missing snapshot", () => {
    const environment = EnvironmentName.make("prod")
    const missing = { org: OrgName.make("acme"), environment, expression: "~9" }
    assert.strictEqual(
      new Snapshot.SnapshotNotFound({ ...missing, index: -3, latestIndex: 6 }).message,
      "no snapshot `~9` in environment `prod`"
    )
  })
})
