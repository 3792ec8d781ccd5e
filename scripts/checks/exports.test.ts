/** What each package offers: its manifest, its generated files and its modules say the same. */
import { spawnSync } from "node:child_process"
import { basename, join } from "node:path"
import { assert, describe, it } from "vitest"
import { parse } from "yaml"
import * as Repository from "./shared/Repository.js"

const published = Repository.published()
const libraries = published.filter((member) => !Repository.isBundledProgram(member))

/** The name under which a module is offered; none for hidden modules and for programs. */
const subpathOf = (file: string): string | undefined => {
  const name = basename(file, ".ts")
  const [root = ""] = file.split("/")
  if (file === "src/index.ts") return "."
  if (/\/internal\/|^testing\/.*\//.test(file) || !/^[A-Z]\w*$/.test(name)) return undefined
  return root === "src" ? `./${name}` : `./${root}/${name}`
}

const targetOf = (file: string) => {
  const built = file.replace(/^src\//, "").replace(/\.ts$/, "")
  return {
    "@attestry/source": `./${file}`,
    types: `./dist/${built}.d.ts`,
    default: `./dist/${built}.js`
  }
}

const expectedExports = (folder: string): object => {
  const modules = ["src", "testing", "webcrypto", "node"]
    .flatMap((root) => Repository.pathsUnder(`${folder}/${root}`))
    .filter((path) => path.endsWith(".ts"))
    .map((path) => path.slice(folder.length + 1))
    .flatMap((file) => {
      const subpath = subpathOf(file)
      return subpath === undefined ? [] : [[subpath, targetOf(file)] as const]
    })
  return { "./package.json": "./package.json", ...Object.fromEntries(modules) }
}

const HOME = "https://github.com/attestry/attestry"
const REPOSITORY = `git+${HOME}.git`

/** What a manifest lacks to be published. */
const lacking = (member: Repository.Member): ReadonlyArray<string> => {
  const { folder, manifest } = member
  const isProgram = Repository.isBundledProgram(member)
  const roots = ["testing", "webcrypto", "node"].filter((root) =>
    Repository.has(`${folder}/${root}`)
  )
  const files = new Set(manifest.files)
  const rules: { readonly [what: string]: boolean } = {
    "a scope": manifest.name === `@attestry/${basename(folder)}`,
    "a description": (manifest.description ?? "").length > 10,
    "the licence": manifest.license === "Apache-2.0",
    "type: module": manifest.type === "module",
    "sideEffects: false": manifest.sideEffects === false,
    "files with dist and every source folder": isProgram
      ? files.has("dist/bundle")
      : ["dist", "src", ...roots].every((each) => files.has(each)),
    "files without build state": isProgram || files.has("!**/*.tsbuildinfo"),
    "public access": manifest.publishConfig?.access === "public",
    "a range of Node": manifest.engines?.node === Repository.rootManifest().engines?.node,
    "its place in the repository":
      manifest.repository?.url === REPOSITORY && manifest.repository.directory === folder,
    "a homepage": manifest.homepage === `${HOME}/tree/main/${folder}#readme`,
    "a place for bugs": manifest.bugs === `${HOME}/issues`,
    keywords: (manifest.keywords ?? []).includes("supply-chain"),
    "files with the changelog": files.has("CHANGELOG.md"),
    // WHY: with two, `npx PACKAGE` runs only the one that has the name of the package.
    "at most one program": Object.keys(manifest.bin ?? {}).length <= 1,
    "a module": isProgram || manifest.exports?.["."] !== undefined
  }
  return Object.entries(rules)
    .filter(([, holds]) => !holds)
    .map(([what]) => `${folder} lacks ${what}`)
}

/** The names in the catalog of peers. */
const PEERS: ReadonlySet<string> = new Set(
  Object.keys(parse(Repository.read("pnpm-workspace.yaml")).catalogs.peers)
)

const isShared = (name: string): boolean => name === "effect" || name.startsWith("@effect/")

/** Dependencies that would give an embedder a second copy, or a version that nobody pinned. */
const misdeclared = ({
  name: member,
  folder,
  manifest
}: Repository.Member): ReadonlyArray<string> => {
  const peers = Object.entries(manifest.peerDependencies ?? {})
  const own = Object.entries(manifest.dependencies ?? {})
  return [
    ...peers
      .filter(([, range]) => range !== "catalog:peers")
      .map(
        ([name, range]) =>
          `${folder} has the peer ${name} at ${range} instead of the peers catalog's`
      ),
    ...peers
      .filter(([name]) => manifest.devDependencies?.[name] !== "catalog:")
      .map(([name]) => `${folder} has the peer ${name} and does not develop against it`),
    ...own
      .filter(([name, range]) => name.startsWith("@attestry/") && range !== "workspace:^")
      .map(([name]) => `${folder} takes ${name} from somewhere else than the workspace`),
    // DECISIONS.md, "Effect is a peer dependency": the server is a program, and `createAttestry` is for hosts without
    // Effect too.
    ...own
      .filter(([name]) => isShared(name) && member !== "server")
      .map(([name]) => `${folder} has ${name} as a dependency instead of a peer`),
    ...own
      .filter(([name, range]) => PEERS.has(name) && range !== "catalog:peers")
      .map(([name]) => `${folder} has another range of ${name} than the packages that it brings`)
  ]
}

describe("packages", () => {
  it("have generated files that are up to date", () => {
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [join(Repository.root, "scripts/generate.mjs"), "--check"],
      { encoding: "utf8" }
    )
    assert.deepStrictEqual({ status, stdout, stderr }, { status: 0, stdout: "", stderr: "" })
  })

  it("offer every module once, and nothing else", () => {
    assert.isNotEmpty(libraries)
    for (const { folder, manifest } of libraries) {
      assert.deepStrictEqual(manifest.exports, expectedExports(folder), folder)
    }
    for (const { folder, manifest } of published.filter(Repository.isBundledProgram)) {
      assert.deepStrictEqual(manifest.exports, { "./package.json": "./package.json" }, folder)
    }
  })

  it("can be published as they are", () => {
    assert.deepStrictEqual(published.flatMap(lacking), [])
  })

  it("share one copy of Effect with whoever embeds them", () => {
    assert.deepStrictEqual(published.flatMap(misdeclared), [])
  })

  it("have a readme each", () => {
    const missing = published.filter(({ folder }) => !Repository.has(`${folder}/README.md`))
    assert.deepStrictEqual(
      missing.map(({ folder }) => folder),
      []
    )
  })
})

describe("the rules notice", () => {
  const manifest: Repository.Manifest = {
    name: "@attestry/core",
    dependencies: { effect: "catalog:", "@attestry/http": "^1.0.0" },
    peerDependencies: { "@effect/sql": "^0.52.0" }
  }
  const member = { name: "core", folder: "packages/core", manifest }

  it("manifests that lack something", () => {
    assert.includeMembers(
      [...lacking(member)],
      [
        "packages/core lacks a description",
        "packages/core lacks sideEffects: false",
        "packages/core lacks files with dist and every source folder"
      ]
    )
  })

  it("second copies and versions of their own", () => {
    assert.lengthOf(misdeclared(member), 5)
  })

  it("hidden modules and programs", () => {
    const files = ["src/index.ts", "src/flow/Flow.ts", "testing/A.ts", "testing/model/B.ts"]
    assert.deepStrictEqual(files.map(subpathOf), [".", "./Flow", "./testing/A", undefined])
    assert.deepStrictEqual(
      ["src/main.ts", "src/a/internal/B.ts", "src/migrations/0001_a.ts"].map(subpathOf),
      [undefined, undefined, undefined]
    )
  })
})
