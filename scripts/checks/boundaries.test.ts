/** Which way imports point, by reading them; `bundles.full.test.ts` bundles what a browser would load. */
import { assert, describe, it } from "vitest"
import { barrels, forbidden, undeclared } from "./boundaries/ImportTable.js"
import { DOCUMENT, fromLaterModules, modulesIn } from "./boundaries/Modules.js"
import * as Roles from "./boundaries/Roles.js"
import { except, type Finding } from "./shared/Finding.js"
import * as Repository from "./shared/Repository.js"
import { parse, type SourceFile } from "./shared/SourceFile.js"
import * as Tree from "./shared/Tree.js"

const inPackages = Repository.published().flatMap(({ folder }) =>
  ["src", "testing", "webcrypto", "node", "app"].flatMap((root) =>
    Tree.sourcesUnder(`${folder}/${root}`)
  )
)
const withServices = inPackages.filter(({ path }) =>
  /^packages\/(?:core|policy-lab)\/src\//.test(path)
)
const inCore = inPackages.filter(({ path }) => path.startsWith("packages/core/src/"))

const holds = (
  searched: ReadonlyArray<SourceFile>,
  rule: (file: SourceFile) => ReadonlyArray<Finding>
): void => {
  assert.isNotEmpty(searched)
  assert.deepStrictEqual(searched.flatMap(rule), [])
}

describe("imports", () => {
  it("stay inside the table of the architecture", () => holds(inPackages, forbidden))
  it("name submodules, not barrels", () => holds(inPackages, barrels))
  it("are promised by the manifest", () => {
    for (const member of Repository.published()) {
      const { folder, manifest } = member
      const own = inPackages.filter(({ path }) => path.startsWith(`${folder}/`))
      const isProgram = Repository.isBundledProgram(member)
      const isBundled = (file: SourceFile) => isProgram || file.path.startsWith(`${folder}/app/`)
      const bundled = { ...manifest, dependencies: { ...manifest.devDependencies } }
      holds(own, (file) => undeclared(file, isBundled(file) ? bundled : manifest))
    }
  })
  it("point leftwards between the features of core", () => {
    const modules = modulesIn(Repository.read(DOCUMENT))
    assert.includeMembers(
      modules.flatMap(({ features }) => features),
      ["shared", "policy", "notification"]
    )
    holds(inCore, (file) => fromLaterModules(file, modules))
  })
  it("bring no implementation into a port", () => holds(inCore, Roles.implementedPorts))
  it("bring no effects into vocabulary and decisions", () => {
    assert.isNotEmpty(withServices)
    assert.deepStrictEqual(except(Roles.effectfulDecisions(withServices), Roles.EFFECTFUL), [])
  })
  it("bring no handlers into a contract", () => holds(inPackages, Roles.servedContracts))
})

describe("the rules notice", () => {
  const source = (path: string, ...specifiers: ReadonlyArray<string>) =>
    parse({
      path,
      text: specifiers.map((each, index) => `import * as M${index} from "${each}"`).join("\n")
    })

  it("what a package may not import", () => {
    const refused = (path: string, specifier: string) => forbidden(source(path, specifier)).length
    assert.strictEqual(refused("packages/core/src/flow/Flow.ts", "@effect/platform/HttpApi"), 1)
    assert.strictEqual(refused("packages/core/src/flow/Flow.ts", "node:fs"), 1)
    assert.strictEqual(refused("packages/core/src/flow/Flow.ts", "yaml"), 1)
    assert.strictEqual(refused("packages/core/src/flow/Flow.ts", "effect/Schema"), 0)
    assert.strictEqual(refused("packages/core/testing/model/A.ts", "../../src/flow/Flow.js"), 1)
    assert.strictEqual(refused("packages/sql-store/src/flow/A.ts", "pg-copy-streams"), 1)
    assert.strictEqual(refused("packages/sql-store/src/pg/A.ts", "pg-copy-streams"), 0)
    assert.strictEqual(refused("packages/client/src/Client.ts", "@attestry/http/Server"), 1)
    assert.strictEqual(refused("packages/client/src/Client.ts", "@attestry/api/FlowApi"), 0)
    assert.strictEqual(refused("packages/http/src/flow/A.ts", "node:net"), 1)
    assert.strictEqual(refused("packages/unknown/src/A.ts", "effect/Schema"), 1)
  })

  it("barrels, undeclared packages and imports in other spellings", () => {
    const path = "packages/core/src/flow/Flow.ts"
    assert.lengthOf(barrels(source(path, "effect", "@attestry/core", "effect/Schema")), 2)
    const manifest = { name: "@attestry/a", dependencies: { yaml: "catalog:" } }
    const text = 'export * from "yaml/a"\ntype A = import("pg").A\nconst b = await import("pino")'
    assert.lengthOf(undeclared(parse({ path, text }), manifest), 2)
  })

  it("a feature that imports from a later module", () => {
    const text = [
      "| Module | Features | About |",
      "|---|---|---|",
      "| `kernel` | `shared` | a |",
      "| `evidence` | `flow`, `trail` | b |",
      "| `environments` | `snapshot` | c |",
      ""
    ].join("\n")
    const modules = modulesIn(text)
    assert.deepStrictEqual(modules, [
      { name: "kernel", features: ["shared"] },
      { name: "evidence", features: ["flow", "trail"] },
      { name: "environments", features: ["snapshot"] }
    ])
    const found = (feature: string, ...specifiers: ReadonlyArray<string>) =>
      fromLaterModules(source(`packages/core/src/${feature}/A.ts`, ...specifiers), modules).length
    assert.strictEqual(found("flow", "../snapshot/Snapshot.js", "../UseCases.js"), 2)
    assert.strictEqual(
      found("flow", "./B.js", "../trail/Trail.js", "../shared/A.js", "effect/Schema"),
      0
    )
    assert.strictEqual(found("novelty"), 1)
  })

  it("files that break their role", () => {
    const port = source("packages/core/src/flow/FlowStore.ts", "effect/Context", "effect/Ref")
    assert.lengthOf(Roles.implementedPorts(port), 1)
    const decision = source("packages/core/src/flow/FlowRule.ts", "effect/Effect", "effect/Option")
    assert.lengthOf(Roles.effectfulDecisions([decision]), 1)
    const part = source("packages/core/src/flow/internal/Part.ts", "effect/Effect")
    const caller = source("packages/core/src/flow/FlowRule.ts", "./internal/Part.js")
    assert.lengthOf(Roles.effectfulDecisions([part, caller]), 1)
    const useCase = parse({
      path: "packages/core/src/flow/Flows.ts",
      text: 'import { a } from "./internal/Part.js"\nclass Flows extends Effect.Service()("Flows") {}'
    })
    assert.lengthOf(Roles.effectfulDecisions([part, useCase]), 0)
    const contract = source("packages/api/src/flow/FlowApi.ts", "./FlowHandlers.js")
    assert.lengthOf(Roles.servedContracts(contract), 1)
  })
})
