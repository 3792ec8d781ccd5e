/** Which way imports point, by bundling what a browser would load. */
import { assert, describe, it } from "vitest"
import { bundle } from "./boundaries/Bundle.js"
import * as Roles from "./boundaries/Roles.js"
import * as Tree from "./shared/Tree.js"

const withServices = ["core", "policy-lab"].flatMap((name) =>
  Tree.sourcesUnder(`packages/${name}/src`)
)

describe("bundles for a browser", () => {
  const kilobytes = (bytes: number) => `${(bytes / 1000).toFixed(1)} kB gzipped`
  const servicesOf = (paths: ReadonlyArray<string>) =>
    withServices
      .filter((file) => paths.includes(file.path) && Roles.declaresService(file))
      .map(({ path }) => path)

  it("hold nothing but core, effect, yaml, re2js and SHA-256 for core", async () => {
    const { packages, external } = await bundle("packages/core", 'export * from "./src/index.js"')
    const bundled = [
      "@noble/hashes",
      "effect",
      "packages/core",
      "packages/transparency-log",
      "re2js",
      "yaml"
    ]
    assert.deepStrictEqual(packages, bundled)
    assert.deepStrictEqual(external, [])
  })

  it("hold no handler, no store and no Node for the client", async () => {
    const client = await bundle("packages/client", 'export * from "./src/index.js"')
    assert.deepStrictEqual(client.packages, [
      "@effect/platform",
      "effect",
      "find-my-way-ts",
      "multipasta",
      "packages/api",
      "packages/client",
      "packages/core",
      "packages/policy-lab"
    ])
    assert.deepStrictEqual(client.external, [])
    assert.deepStrictEqual(servicesOf(client.ours), [])
    assert.deepStrictEqual(
      client.ours.filter((path) => /Handlers\.ts$|\/node\//.test(path)),
      []
    )
    console.log(`client: ${kilobytes(client.atOnce.gzipBytes)}`)
  })

  it("hold less than 40 kB for the Promise client, without schemas and without the contract", async () => {
    const text = 'export { attestry, AttestryError } from "./src/PromiseClient.js"'
    const { atOnce } = await bundle("packages/client", text)
    assert.deepStrictEqual(atOnce.packages, ["effect", "packages/api", "packages/client"])
    assert.deepStrictEqual(
      atOnce.ours.filter((path) => path.startsWith("packages/api/")),
      ["packages/api/src/OperationIndex.ts", "packages/api/src/journal/WrittenEntries.ts"]
    )
    assert.isBelow(atOnce.gzipBytes, 40_000)
    console.log(`Promise client: ${kilobytes(atOnce.gzipBytes)}`)
  })

  it("hold no use case and no port for the evaluator of policies", async () => {
    const evaluator = await bundle(
      "packages/core/src/policy",
      'export * from "./PolicyDocument.js"\nexport * from "./PolicyEvaluation.js"'
    )
    assert.deepStrictEqual(evaluator.packages, ["effect", "packages/core", "re2js", "yaml"])
    assert.deepStrictEqual(servicesOf(evaluator.ours), [])
    console.log(`policy evaluator: ${kilobytes(evaluator.gzipBytes)}`)
  })
})
