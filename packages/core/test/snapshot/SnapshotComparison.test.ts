import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { FastCheck, Option, Schema, SchemaAST } from "effect"
import { keyOf } from "../../src/environment/RunningRow.js"
import * as SnapshotComparison from "../../src/snapshot/SnapshotComparison.js"
import * as Reports from "../../testing/EnvironmentReport.js"

type Row = SnapshotComparison.ComparableRow

const pod = { namespace: "n", creationTimestamp: 1, owners: [] }
const row: FastCheck.Arbitrary<Row> = FastCheck.record({
  name: Reports.artifactName,
  fingerprint: Reports.reportedFingerprint,
  creationTimestamp: FastCheck.array(Reports.creationTimestamp, { minLength: 1, maxLength: 3 }),
  flow_name: FastCheck.constantFrom("build", null),
  commit_url: FastCheck.constantFrom("https://example.org/c", null),
  pods: FastCheck.constantFrom(null, { one: pod })
})
const snapshot = FastCheck.record({
  environment: FastCheck.constantFrom("prod", "staging"),
  index: FastCheck.integer({ min: 1, max: 9 }),
  running: FastCheck.uniqueArray(row, { selector: keyOf, maxLength: 6 })
})
const { compare } = SnapshotComparison
const keys = (list: { readonly artifacts: ReadonlyArray<SnapshotComparison.ComparedArtifact> }) =>
  list.artifacts.map(keyOf)

describe("SnapshotComparison", () => {
  it.prop("SNAP-38: a snapshot does not differ from itself", { snapshot }, ({ snapshot: one }) => {
    const { changed, snappish1, snappish2, ...rest } = compare(one, one)
    assert.deepStrictEqual(
      [...snappish1.artifacts, ...snappish2.artifacts, ...changed.artifacts],
      []
    )
    assert.deepStrictEqual(keys(rest["not-changed"]).sort(), one.running.map(keyOf).sort())
  })

  it.prop(
    "SNAP-38: swapping the sides mirrors the result",
    { one: snapshot, two: snapshot },
    ({ one, two }) => {
      const there = compare(one, two)
      const back = compare(two, one)
      assert.deepStrictEqual(there.snappish1, back.snappish2)
      assert.deepStrictEqual(there.snappish2, back.snappish1)
      assert.deepStrictEqual(keys(there["not-changed"]), keys(back["not-changed"]))
      assert.deepStrictEqual(
        there.changed.artifacts.map((diff) => [
          keyOf(diff),
          diff.s1_instance_count,
          diff.s2_instance_count
        ]),
        back.changed.artifacts.map((diff) => [
          keyOf(diff),
          diff.s2_instance_count,
          diff.s1_instance_count
        ])
      )
    }
  )

  it.prop("every row is in exactly one list", { one: snapshot, two: snapshot }, ({ one, two }) => {
    const { changed, snappish1, snappish2, ...rest } = compare(one, two)
    const all = [snappish1, snappish2, changed, rest["not-changed"]].flatMap(keys)
    assert.strictEqual(new Set(all).size, all.length)
    assert.deepStrictEqual(new Set(all), new Set([...one.running, ...two.running].map(keyOf)))
  })

  it.prop("fits its schema", { one: snapshot, two: snapshot }, ({ one, two }) => {
    const comparison = compare(one, two)
    assert.deepStrictEqual(
      Schema.decodeUnknownSync(SnapshotComparison.SnapshotComparison)(comparison),
      comparison
    )
  })

  const [a, b, c] = Reports.fingerprints
  const base: Row = {
    name: "shop",
    fingerprint: a,
    creationTimestamp: [1],
    flow_name: "build",
    commit_url: "u",
    pods: null
  }

  it("has the counts of each list", () =>
    assert.deepStrictEqual(
      compare(
        {
          environment: "prod",
          index: 3,
          running: [
            { ...base, creationTimestamp: [1, 9], pods: { p2: pod, p1: pod } },
            { ...base, fingerprint: b },
            { ...base, name: "db" }
          ]
        },
        {
          environment: "staging",
          index: 7,
          running: [
            { ...base, creationTimestamp: [4], flow_name: null },
            { ...base, fingerprint: b, creationTimestamp: [2] },
            { ...base, fingerprint: c, commit_url: null }
          ]
        }
      ),
      {
        snappish1: {
          snapshot_id: "prod#3",
          artifacts: [
            {
              fingerprint: a,
              name: "db",
              most_recent_timestamp: 1,
              flow: "build",
              commit_url: "u",
              instance_count: 1
            }
          ]
        },
        snappish2: {
          snapshot_id: "staging#7",
          artifacts: [
            {
              fingerprint: c,
              name: "shop",
              most_recent_timestamp: 1,
              flow: "build",
              commit_url: "",
              instance_count: 1
            }
          ]
        },
        changed: {
          artifacts: [
            {
              fingerprint: a,
              name: "shop",
              most_recent_timestamp: 9,
              flow: "",
              commit_url: "u",
              s1_instance_count: 2,
              s2_instance_count: 1
            }
          ]
        },
        "not-changed": {
          artifacts: [
            {
              fingerprint: b,
              name: "shop",
              most_recent_timestamp: 2,
              flow: "build",
              commit_url: "u",
              instance_count: 1
            }
          ]
        }
      }
    ))

  it("counts rows of several members together and lists their pods", () => {
    const twice = [
      { ...base, pods: { p2: pod } },
      { ...base, pods: { p1: pod }, creationTimestamp: [2, 3] }
    ]
    assert.deepStrictEqual(
      compare(
        { environment: "all", index: 1, running: twice },
        { environment: "all", index: 2, running: [] }
      ).snappish1.artifacts,
      [
        {
          fingerprint: a,
          name: "shop",
          most_recent_timestamp: 3,
          flow: "build",
          commit_url: "u",
          instance_count: 3,
          pods: ["p1", "p2"]
        }
      ]
    )
  })

  it("lists pods where a member has them, and none where no member has", () => {
    const pods = (...running: ReadonlyArray<Row>) =>
      compare(
        { environment: "all", index: 1, running },
        { environment: "all", index: 2, running: [] }
      ).snappish1.artifacts.map((artifact) => artifact.pods)
    const withPod = { ...base, pods: { p1: pod } }
    assert.deepStrictEqual(pods(withPod, base), [["p1"]])
    assert.deepStrictEqual(pods(base, withPod), [["p1"]])
    assert.deepStrictEqual(pods(base, base), [undefined])
  })

  it("lists rows by name and fingerprint, for any input order", () => {
    const running = [
      { ...base, name: "web" },
      { ...base, fingerprint: c },
      { ...base, fingerprint: b },
      { ...base, name: "db" }
    ]
    const { artifacts } = compare(
      { environment: "prod", index: 1, running },
      { environment: "prod", index: 2, running: [] }
    ).snappish1
    const sorted = [b, c].sort()
    assert.deepStrictEqual(
      artifacts.map(({ fingerprint, name }) => [name, fingerprint]),
      [
        ["db", a],
        ["shop", sorted[0]],
        ["shop", sorted[1]],
        ["web", a]
      ]
    )
  })

  it("is published with its parts, without the counts that a list does not have", () => {
    const { ComparedArtifact, SnapshotComparison: schema } = SnapshotComparison
    const refuses = (value: unknown) => assert.isFalse(Schema.is(schema)(value))
    const comparison = compare(
      { environment: "prod", index: 1, running: [base] },
      { environment: "prod", index: 2, running: [] }
    )
    for (const part of ["snappish1", "snappish2", "changed", "not-changed"])
      refuses({ ...comparison, [part]: {} })
    refuses({ ...comparison, snappish1: { artifacts: [] } })
    const [artifact] = comparison.snappish1.artifacts
    for (const part of ["fingerprint", "name", "most_recent_timestamp", "flow", "commit_url"])
      assert.isFalse(Schema.is(ComparedArtifact)({ ...artifact, [part]: null }), part)
    for (const part of ["instance_count", "s1_instance_count", "s2_instance_count", "pods"])
      assert.isFalse(Schema.is(ComparedArtifact)({ ...artifact, [part]: undefined }), part)
    deepStrictEqual(
      [ComparedArtifact, schema].map(({ ast }) => SchemaAST.getIdentifierAnnotation(ast)),
      [Option.some("ComparedArtifact"), Option.some("SnapshotComparison")]
    )
  })
})
