import { assert, describe, it } from "@effect/vitest"
import { Either, FastCheck, JSONSchema, ParseResult, Schema } from "effect"
import type { PhysicalKind } from "../../src/environment/EnvironmentKind.js"
import { keyOf, RunningRow } from "../../src/environment/RunningRow.js"
import * as EnvironmentReport from "../../src/report/EnvironmentReport.js"
import * as FieldErrors from "../../src/shared/FieldErrors.js"
import * as Generated from "../../testing/EnvironmentReport.js"
import * as Model from "../../testing/internal/model/SnapshotHistoryModel.js"

const kinds: ReadonlyArray<PhysicalKind> = [
  "K8S",
  "container-tasks",
  "object-store",
  "functions",
  "server",
  "docker",
  "cloudx-apps",
  "serverless-run"
]
/** What a unit of a kind says beside its digests and its time. */
const placements: { readonly [K in PhysicalKind]: object } = {
  K8S: { podName: "p", namespace: "n" },
  "container-tasks": { taskArn: "t" },
  "object-store": {},
  functions: {},
  server: {},
  docker: {},
  "cloudx-apps": { app_name: "a", app_kind: "k", digests_source: "registry" },
  "serverless-run": { kind: "job" }
}
const { kindAndReport } = Generated
const { decode, rows } = EnvironmentReport
const byKey = (given: ReadonlyArray<unknown>) =>
  [...given].sort((left, right) => (JSON.stringify(left) < JSON.stringify(right) ? -1 : 1))

const ok = (kind: PhysicalKind, ...artifacts: ReadonlyArray<unknown>) =>
  rows(kind, Either.getOrThrow(decode(kind, { artifacts })))

describe("EnvironmentReport: properties", () => {
  it.prop("decodes every report, and changes nothing", { given: kindAndReport }, ({ given }) => {
    const sent = JSON.parse(JSON.stringify(given.report))
    assert.deepStrictEqual(decode(given.kind, sent), Either.right(sent))
  })

  it.prop("has the rows that the model has", { given: kindAndReport }, ({ given }) =>
    assert.deepStrictEqual(
      byKey(
        rows(given.kind, given.report).map(({ name, fingerprint, creationTimestamp }) => ({
          name,
          fingerprint,
          creationTimestamp
        }))
      ),
      byKey(Model.rowsOf(given.report.artifacts))
    )
  )

  it.prop(
    "SNAP-2: the order of units and of digests makes no difference, contexts included",
    { given: kindAndReport, seed: FastCheck.nat() },
    ({ given, seed }) => {
      const { artifacts } = given.report
      const shuffled = FastCheck.sample(
        FastCheck.shuffledSubarray([...artifacts], { minLength: artifacts.length }),
        { seed, numRuns: 1 }
      ).flat()
      const turned = shuffled.map((unit) => ({
        ...unit,
        digests: Object.fromEntries(Object.entries(unit.digests).reverse())
      }))
      assert.deepStrictEqual(ok(given.kind, ...turned), rows(given.kind, given.report))
    }
  )

  it.prop(
    "SNAP-3: one unit with many digests is many units with one",
    { given: kindAndReport },
    (one) => {
      const { kind, report } = one.given
      const split = report.artifacts.flatMap((unit) =>
        Object.entries(unit.digests).map((entry) => ({
          ...unit,
          digests: Object.fromEntries([entry])
        }))
      )
      assert.deepStrictEqual(ok(kind, ...split), rows(kind, report))
    }
  )

  it.prop(
    "SNAP-18: times are sorted, one per pair of unit and digest",
    { given: kindAndReport },
    (one) => {
      const { kind, report } = one.given
      const found = rows(kind, report)
      for (const { creationTimestamp } of found)
        assert.deepStrictEqual(
          [...creationTimestamp].sort((left, right) => left - right),
          creationTimestamp
        )
      assert.strictEqual(
        found.reduce((sum, { creationTimestamp }) => sum + creationTimestamp.length, 0),
        report.artifacts.reduce((sum, { digests }) => sum + Object.keys(digests).length, 0)
      )
      assert.strictEqual(new Set(found.map(keyOf)).size, found.length)
    }
  )

  it.prop(
    "rows fit their schema and have the context of their kind",
    { given: kindAndReport },
    (one) => {
      const { kind, report } = one.given
      for (const row of rows(kind, report)) {
        assert.deepStrictEqual(Schema.decodeUnknownSync(RunningRow)(row), row)
        assert.deepStrictEqual(
          [
            row.pods !== null,
            row.container_task_context !== null,
            row.cloudx_app_context !== null,
            row.serverless_run_context !== null
          ],
          ["K8S", "container-tasks", "cloudx-apps", "serverless-run"].map((word) => word === kind)
        )
      }
    }
  )

  it.prop("never throws, whatever the body", { body: FastCheck.jsonValue() }, ({ body }) => {
    for (const kind of kinds) {
      const result = decode(kind, body)
      if (Either.isLeft(result))
        assert.strictEqual(
          Object.keys(FieldErrors.fromParseIssue(result.left.issue)).length > 0,
          true
        )
    }
  })
})

const [a, b] = Generated.fingerprints
const errorsOf = (kind: PhysicalKind, body: unknown) => {
  const schema = Schema.make<unknown>(EnvironmentReport.schemaOf(kind).ast)
  const decoded = ParseResult.decodeUnknownEither(schema, { errors: "all" })(body)
  assert.strictEqual(Either.isLeft(decode(kind, body)), true)
  return FieldErrors.fromParseIssue(Either.getOrThrow(Either.flip(decoded)))
}
const plain = { digests: { shop: a }, creationTimestamp: 7 }

describe("EnvironmentReport: examples", () => {
  it("groups by name and fingerprint, newest first", () =>
    assert.deepStrictEqual(
      ok(
        "docker",
        { digests: { shop: a, web: b }, creationTimestamp: 5 },
        { digests: { shop: b }, creationTimestamp: 9 },
        { digests: { shop: a }, creationTimestamp: 3 },
        { digests: {}, creationTimestamp: 100 }
      ).map(({ name, fingerprint, creationTimestamp }) => [name, fingerprint, creationTimestamp]),
      [
        ["shop", b, [9]],
        ["shop", a, [3, 5]],
        ["web", b, [5]]
      ]
    ))

  it("keeps every pod of a row by name", () => {
    const pod = (podName: string, creationTimestamp: number, owners?: unknown) => ({
      podName,
      namespace: "pay",
      creationTimestamp,
      digests: { shop: a },
      ...(owners === undefined ? {} : { owners })
    })
    const owner = { apiVersion: "apps/v1", kind: "ReplicaSet", name: "api-5c", uid: "u-1" }
    assert.deepStrictEqual(
      ok("K8S", pod("p1", 2, null), pod("p2", 1, [owner]), pod("p1", 1)).map(({ pods }) => pods),
      [
        {
          p1: { namespace: "pay", creationTimestamp: 1, owners: [] },
          p2: { namespace: "pay", creationTimestamp: 1, owners: [owner] }
        }
      ]
    )
  })

  it("shows the task, app or run of the earliest instance, ties by id", () => {
    const task = { ...plain, taskArn: "arn:b", cluster_name: "c" }
    assert.deepStrictEqual(
      ok("container-tasks", task, { ...task, taskArn: "arn:a", service_name: "s" })[0]
        ?.container_task_context,
      { task_arn: "arn:a", cluster_name: "c", service_name: "s" }
    )
    assert.deepStrictEqual(
      ok("container-tasks", { ...task, creationTimestamp: 1 }, { ...task, taskArn: "arn:a" })[0]
        ?.container_task_context,
      { task_arn: "arn:b", cluster_name: "c", service_name: null }
    )
    const app = { ...plain, app_name: "x", app_kind: "functionapp", digests_source: "logs" }
    assert.deepStrictEqual(ok("cloudx-apps", app)[0]?.cloudx_app_context, {
      app_name: "x",
      app_kind: "functionapp",
      digests_source: "logs"
    })
    assert.deepStrictEqual(
      ok("serverless-run", { ...plain, kind: "service", serviceName: "s", revisionName: "r" })[0]
        ?.serverless_run_context,
      { kind: "service", service_name: "s", revision_name: "r", job_name: null }
    )
  })

  it("groups unknown digests by name", () =>
    assert.deepStrictEqual(
      ok("cloudx-apps", {
        digests: { shop: "", web: "" },
        creationTimestamp: 1,
        app_name: "x",
        app_kind: "y",
        digests_source: "logs"
      }).map(({ name, fingerprint }) => [name, fingerprint]),
      [
        ["shop", ""],
        ["web", ""]
      ]
    ))

  it("does not lose an artifact called `__proto__`", () =>
    assert.deepStrictEqual(
      ok("docker", JSON.parse(`{"digests":{"__proto__":"${a}"},"creationTimestamp":1}`)).map(
        ({ name }) => name
      ),
      ["__proto__"]
    ))

  it("takes 5,000 units in its stride", () => {
    const artifacts = Array.from({ length: 5_000 }, (_, at) => ({
      digests: { [`image-${at % 2_500}`]: a },
      creationTimestamp: at
    }))
    assert.strictEqual(ok("server", ...artifacts).length, 2_500)
  })
})

describe("EnvironmentReport: rejects", () => {
  it("names every problem by its field", () =>
    assert.deepStrictEqual(
      errorsOf("docker", {
        artifacts: [
          { digests: { shop: "A".repeat(64) }, creationTimestamp: 1.5 },
          { creationTimestamp: 1, podName: "p" },
          7
        ],
        more: true
      }),
      {
        more: "Extra inputs are not permitted [input: true]",
        "artifacts[0].digests.shop": `String should match pattern '^[a-f0-9]{64}$' [input: ${"A".repeat(64)}]`,
        "artifacts[0].creationTimestamp": "Input should be a valid integer [input: 1.5]",
        "artifacts[1].podName": "Extra inputs are not permitted [input: p]",
        "artifacts[1].digests": "Field required [input: None]",
        "artifacts[2]":
          "Input should be a valid dictionary or object to extract fields from [input: 7]"
      }
    ))

  it.each(kinds)("%s wants `artifacts` and nothing beside it", (kind) => {
    assert.deepStrictEqual(errorsOf(kind, {}), { artifacts: "Field required [input: None]" })
    assert.deepStrictEqual(Object.keys(errorsOf(kind, { artifacts: [], type: "other" })), ["type"])
    assert.deepStrictEqual(ok(kind), [])
  })

  it("takes a type only where the runtime sends one", () => {
    const body = { artifacts: [], type: "serverless-run" }
    assert.strictEqual(Either.isRight(decode("serverless-run", body)), true)
    assert.deepStrictEqual(Object.keys(errorsOf("cloudx-apps", body)), ["type"])
  })

  it.each(kinds)("%s may say that a digest is not known, and nothing else in its place", (kind) => {
    const named = (value: unknown) => ({
      artifacts: [{ ...plain, ...placements[kind], digests: { shop: value } }]
    })
    assert.strictEqual(Either.isRight(decode(kind, named(""))), true)
    for (const value of [" ", "unknown", "A".repeat(64), "a".repeat(63), null])
      assert.deepStrictEqual(Object.keys(errorsOf(kind, named(value))), [
        "artifacts[0].digests.shop"
      ])
  })

  it.each([
    ["K8S", ["namespace", "podName"]],
    ["container-tasks", ["taskArn"]],
    ["cloudx-apps", ["app_kind", "app_name", "digests_source"]],
    ["serverless-run", ["kind"]]
  ] as const)("%s wants %j", (kind, fields) =>
    assert.deepStrictEqual(
      Object.keys(errorsOf(kind, { artifacts: [plain] })).sort(),
      fields.map((field) => `artifacts[0].${field}`)
    )
  )

  it("limits artifact names to 1,024 characters, and wants at least one", () => {
    const named = (name: string) => ({ artifacts: [{ ...plain, digests: { [name]: a } }] })
    assert.strictEqual(Either.isRight(decode("docker", named("x".repeat(1024)))), true)
    assert.deepStrictEqual(Object.keys(errorsOf("docker", named("x".repeat(1025)))), [
      "artifacts[0].digests"
    ])
    assert.deepStrictEqual(errorsOf("docker", named("")), {
      "artifacts[0].digests": "String should have at least 1 character [input: ]"
    })
  })

  it.each(["a\0b", "\uD800", "a\uDC00"])("refuses the name %j, which no store can keep", (name) =>
    assert.strictEqual(
      errorsOf("docker", { artifacts: [{ ...plain, digests: { [name]: a } }] })[
        "artifacts[0].digests"
      ]?.startsWith("String should be Unicode text without NUL characters"),
      true
    )
  )

  it("publishes a JSON Schema for every kind", () => {
    for (const kind of kinds)
      assert.strictEqual(
        JSON.stringify(JSONSchema.make(Schema.make(EnvironmentReport.schemaOf(kind).ast))).includes(
          "artifacts"
        ),
        true
      )
  })
})
