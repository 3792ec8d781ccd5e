/** Provenance of SLSA 1 and 0.2, and the source that it names. */
import { assert, describe, it } from "@effect/vitest"
import * as Files from "../shared/EvidenceFiles.js"

type Value = { readonly [member: string]: unknown }

const factsOf = (file: unknown) => {
  const { facts } = Files.documentOf(file)
  if (facts.kind !== "provenance") throw new Error(facts.kind)
  return facts
}

const sourceOf = (buildDefinition: Value) =>
  factsOf(Files.provenanceStatement({ buildDefinition })).source

const earlier = (changes: Value = {}) =>
  Files.statement({
    _type: "https://in-toto.io/Statement/v0.1",
    predicateType: "https://slsa.dev/provenance/v0.2",
    predicate: {
      builder: { id: "https://example.org/builder" },
      buildType: "https://example.org/type",
      invocation: {
        configSource: {
          uri: "git+https://github.com/acme/shop@refs/heads/main",
          digest: { sha1: Files.COMMIT.toUpperCase() },
          entryPoint: "release.yml"
        },
        parameters: { b: "1", a: "2" }
      },
      metadata: { buildInvocationId: "42", buildFinishedOn: "2026-01-02T04:04:05+01:00" },
      materials: [{ uri: "git+https://github.com/acme/shop" }, { uri: "pkg:docker/a" }],
      ...changes
    }
  })

describe("provenance of SLSA 1", () => {
  it("has the facts of the build", () => {
    const { digest, size, subjects, parameters_sha256, ...facts } = factsOf(
      Files.provenanceStatement()
    )
    assert.deepStrictEqual(facts, {
      kind: "provenance",
      format: { name: "in-toto-statement", version: "1" },
      tool: null,
      created_at: Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000,
      subject_count: 1,
      truncated: [],
      builder_id: "https://github.com/acme/shop/.github/workflows/release.yml@refs/tags/v1.0",
      build_type: "https://actions.github.io/buildtypes/workflow/v1",
      build_level: null,
      source: { uri: "https://github.com/acme/shop", ref: "refs/tags/v1.0", commit: Files.COMMIT },
      invocation: "https://github.com/acme/shop/actions/runs/1/attempts/1",
      parameters: ["workflow"],
      dependencies: 2
    })
    assert.match(parameters_sha256 ?? "", /^[0-9a-f]{64}$/)
  })

  it("keeps the external parameters, whose digest no order changes", () => {
    const digestOf = (externalParameters: Value) => {
      const file = Files.provenanceStatement({ buildDefinition: { externalParameters } })
      assert.deepStrictEqual(Files.documentOf(file).parameters, externalParameters)
      return factsOf(file).parameters_sha256
    }
    assert.strictEqual(digestOf({ a: 1, b: { c: 2, d: 3 } }), digestOf({ b: { d: 3, c: 2 }, a: 1 }))
    assert.notStrictEqual(digestOf({ a: 1 }), digestOf({ a: 2 }))
  })

  it("is refused with parameters that are not an object", () => {
    for (const externalParameters of [[], "a", 1])
      assert.strictEqual(
        Files.messageOf(Files.provenanceStatement({ buildDefinition: { externalParameters } })),
        "predicate: externalParameters of the predicate is not an object"
      )
  })

  it("of nothing has no builder and no source", () => {
    const facts = factsOf(Files.provenanceStatement({ buildDefinition: 1, runDetails: [] }))
    assert.deepStrictEqual(
      [facts.builder_id, facts.build_type, facts.source, facts.dependencies],
      [null, null, { uri: null, commit: null, ref: null }, 0]
    )
  })
})

describe("the source", () => {
  const shop = "https://github.com/acme/shop"
  const dependency = (uri: string, digest: Value = { gitCommit: Files.COMMIT }) => ({ uri, digest })

  it("is the one that the parameters name, not the first dependency", () => {
    for (const externalParameters of [
      { workflow: { repository: shop, ref: "refs/heads/main" } },
      { sourceToBuild: { repository: `git+${shop}`, ref: "refs/heads/main" } },
      { source: `git+${shop}@refs/heads/main` },
      { source: { uri: `git+${shop}@refs/heads/main` } }
    ])
      assert.deepStrictEqual(
        sourceOf({
          externalParameters,
          resolvedDependencies: [
            dependency("git+https://github.com/other/tool@refs/heads/main"),
            dependency(`git+${shop}@refs/heads/main`)
          ]
        }),
        { uri: shop, ref: "refs/heads/main", commit: Files.COMMIT }
      )
  })

  it("has no commit of another repository or ref", () => {
    for (const uri of [
      "git+https://github.com/other/shop@refs/heads/main",
      `git+${shop}@refs/heads/evil`,
      `git+${shop}.evil@refs/heads/main`
    ])
      assert.deepStrictEqual(
        sourceOf({
          externalParameters: { workflow: { repository: shop, ref: "refs/heads/main" } },
          resolvedDependencies: [dependency(uri)]
        }),
        { uri: shop, ref: "refs/heads/main", commit: null }
      )
  })

  it("is the first dependency in Git where the parameters name none", () => {
    assert.deepStrictEqual(
      sourceOf({
        externalParameters: { other: 1 },
        resolvedDependencies: [
          dependency("pkg:npm/a@1", { sha256: Files.SHA256 }),
          dependency(`git+${shop}@refs/tags/v1`),
          dependency("git+https://github.com/other/tool")
        ]
      }),
      { uri: shop, ref: "refs/tags/v1", commit: Files.COMMIT }
    )
  })

  it("has no commit that is none", () => {
    assert.deepStrictEqual(
      sourceOf({ resolvedDependencies: [dependency(`git+${shop}`, { gitCommit: "main" })] }),
      { uri: shop, ref: null, commit: null }
    )
  })
})

describe("provenance of SLSA 0.2", () => {
  it("has the facts of the build", () => {
    const facts = factsOf(earlier())
    assert.deepStrictEqual(
      [facts.builder_id, facts.build_type, facts.invocation, facts.created_at],
      [
        "https://example.org/builder",
        "https://example.org/type",
        "42",
        Date.UTC(2026, 0, 2, 3, 4, 5) / 1_000
      ]
    )
    assert.deepStrictEqual(facts.source, {
      uri: "https://github.com/acme/shop",
      ref: "refs/heads/main",
      commit: Files.COMMIT
    })
    assert.deepStrictEqual([facts.parameters, facts.dependencies], [["a", "b"], 2])
    assert.deepStrictEqual(Files.documentOf(earlier()).parameters, { a: "2", b: "1" })
  })

  it("has the source of its materials without a source of its configuration", () => {
    const material = {
      uri: "git+https://github.com/acme/shop@refs/heads/main",
      digest: { sha1: Files.COMMIT }
    }
    assert.deepStrictEqual(
      factsOf(earlier({ invocation: {}, materials: [{ uri: "pkg:docker/a" }, material] })).source,
      { uri: "https://github.com/acme/shop", ref: "refs/heads/main", commit: Files.COMMIT }
    )
  })
})
