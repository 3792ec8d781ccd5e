/** Provenance of SLSA 1 and 0.2, and the source that it names. */
import { assert, describe, it } from "@effect/vitest"
import { IMAGES_MAX } from "../../src/internal/statement/BuildImages.js"
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

describe("images among the dependencies", () => {
  const [A, B] = ["ab".repeat(32), "cd".repeat(32)]
  const imagesOf = (resolvedDependencies: unknown) =>
    Files.documentOf(
      Files.provenanceStatement({ buildDefinition: { resolvedDependencies } })
    ).components.map(({ name, purl, type, version }) => [purl, type, name, version].join(" "))
  const image = (uri: string, sha256?: unknown) => ({ uri, digest: { sha256 } })

  it("are components, by tag and by digest, as BuildKit writes them", () => {
    assert.deepStrictEqual(
      imagesOf([
        image(`pkg:docker/node@20-alpine?digest=sha256:${A}&platform=linux%2Famd64`, A),
        image(`pkg:docker/node@20-alpine?digest=sha256:${B}&platform=linux%2Farm64`, B),
        image("pkg:docker/ghcr.io/acme/base@1?platform=linux%2Famd64", A.toUpperCase()),
        image("pkg:docker/localhost:5000/acme/tool@2"),
        { uri: "git+https://github.com/acme/shop", digest: { gitCommit: Files.COMMIT } }
      ]),
      [
        "pkg:docker/ghcr.io/acme/base@1 docker ghcr.io/acme/base 1",
        "pkg:docker/localhost:5000/acme/tool@2 docker localhost:5000/acme/tool 2",
        "pkg:docker/node@20-alpine docker node 20-alpine",
        `pkg:oci/base@sha256:${A} oci base sha256:${A}`,
        `pkg:oci/node@sha256:${A} oci node sha256:${A}`,
        `pkg:oci/node@sha256:${B} oci node sha256:${B}`
      ]
    )
  })

  it("do not depend on the order of dependencies", () => {
    const dependencies = ["a@1", "b@1", "a@1", "a@2"].map((each) =>
      image(`pkg:docker/${each}`, each === "b@1" ? B : A)
    )
    assert.deepStrictEqual(imagesOf([...dependencies].reverse()), imagesOf(dependencies))
  })

  it("have the name of the type `oci`, once each", () => {
    const uri = "pkg:oci/Debian?repository_url=docker.io/library/debian&tag=12"
    assert.deepStrictEqual(imagesOf([image(uri, A), image(`pkg:oci/debian@sha256%3A${A}`, A)]), [
      "pkg:oci/debian oci debian ",
      `pkg:oci/debian@sha256:${A} oci debian sha256:${A}`
    ])
  })

  it("are nothing else, and nothing malformed is a reason to refuse provenance", () => {
    const long = `pkg:docker/${"a".repeat(5_000)}`
    for (const dependencies of [
      1,
      [null, "pkg:docker/a", { uri: 1 }, { name: "pkg:docker/a" }],
      [
        "pkg:npm/a@1",
        "docker-image://node",
        "pkg:docker/",
        "pkg:docker/%zz",
        "pkg:oci/a/b",
        long
      ].map((uri) => image(uri, A))
    ])
      assert.deepStrictEqual(imagesOf(dependencies), [])
    for (const sha256 of [undefined, 1, "", A.slice(1), `${A}a`, "x".repeat(64)])
      assert.deepStrictEqual(imagesOf([image("pkg:docker/a@1", sha256)]), [
        "pkg:docker/a@1 docker a 1"
      ])
  })

  it("are read from materials of SLSA 0.2", () => {
    const { components } = Files.documentOf(
      earlier({ materials: [image("pkg:docker/a@1", A), image("pkg:docker/b")] })
    )
    assert.deepStrictEqual(
      components.map(({ purl }) => purl),
      ["pkg:docker/a@1", "pkg:docker/b", `pkg:oci/a@sha256:${A}`]
    )
  })

  it("are read up to a limit, in the order of the document", () => {
    const many = (size: number) =>
      imagesOf(Array.from({ length: size }, (_, at) => image(`pkg:docker/a@${10_000 + at}`)))
    assert.lengthOf(many(IMAGES_MAX), IMAGES_MAX)
    assert.deepStrictEqual(many(IMAGES_MAX + 1), many(IMAGES_MAX))
  })
})
