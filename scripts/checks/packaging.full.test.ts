/** Packages as they would be published; `tsc -b` must have run, as it has when `pnpm test` comes here. */
import { spawnSync } from "node:child_process"
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, beforeAll, describe, it } from "vitest"
import { install, startServer } from "./packaging/Installed.js"
import { open, packAll, type Tarball } from "./packaging/Tarball.js"
import {
  fileProblems,
  lintProblems,
  manifestOf,
  manifestProblems,
  rangeProblems,
  releaseProblems,
  typeProblems
} from "./packaging/Verdict.js"
import * as Repository from "./shared/Repository.js"

let tarballs: ReadonlyArray<Tarball> = []

beforeAll(() => {
  tarballs = packAll()
})

const ofEach = async (
  problems: (tarball: Tarball) => ReadonlyArray<string> | Promise<ReadonlyArray<string>>
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  for (const tarball of tarballs) {
    // WHY: a check computes for seconds, and meanwhile the runner waits for a sign of this worker.
    await setImmediate()
    found.push(...(await problems(tarball)).map((problem) => `${tarball.name} ${problem}`))
  }
  return found
}

const versionOf = ([first]: ReadonlyArray<Tarball>): string =>
  (first === undefined ? undefined : manifestOf(first).version) ?? ""

const changelogOf = ({ name, paths, contents }: Tarball): string | undefined =>
  paths.includes("CHANGELOG.md")
    ? contents.readFile(`/node_modules/${name}/CHANGELOG.md`)
    : undefined

describe("a packed package", () => {
  it("exists for every published package", () => {
    const names = Repository.published().map(({ manifest }) => manifest.name)
    assert.sameMembers(
      tarballs.map(({ name }) => name),
      names
    )
  })

  it("holds what a user needs, and no tests or build state", async () => {
    assert.deepStrictEqual(await ofEach(fileProblems), [])
  })

  it("names versions that exist outside the workspace", async () => {
    const found = await ofEach(({ name, contents }) =>
      manifestProblems(contents.readFile(`/node_modules/${name}/package.json`))
    )
    assert.deepStrictEqual(found, [])
  })

  it("asks for caret ranges, so that an embedder has one copy of each", async () => {
    assert.deepStrictEqual(await ofEach((tarball) => rangeProblems(manifestOf(tarball))), [])
  })

  it("has the version and the changelog of the next release", async () => {
    const version = versionOf(tarballs)
    assert.match(version, /^\d+\.[1-9]\d*\.\d+$|^[1-9]/)
    const found = await ofEach((tarball) =>
      releaseProblems(manifestOf(tarball), { version, changelog: changelogOf(tarball) })
    )
    assert.deepStrictEqual(found, [])
  })

  it("satisfies the linter of packages", async () => {
    assert.deepStrictEqual(await ofEach(lintProblems), [])
  })

  it("has types that every modern compiler finds", async () => {
    assert.deepStrictEqual(await ofEach(typeProblems), [])
  })
})

describe("the packed server", () => {
  it("serves its pages and their files, with nothing of the workspace beside it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-installed-"))
    try {
      install(tarballs, folder)
      const server = await startServer(folder)
      try {
        const page = await fetch(`${server.url}/acme/flows`)
        const text = await page.text()
        assert.strictEqual(page.status, 200)
        assert.include(page.headers.get("content-security-policy") ?? "", "default-src 'none'")
        const assets = [...text.matchAll(/(?:src|href)="(\/_\/assets\/[^"]+)"/g)]
        assert.isAtLeast(assets.length, 2)
        for (const [, path = ""] of assets) {
          const asset = await fetch(`${server.url}${path}`)
          assert.strictEqual(asset.status, 200, path)
          assert.isAbove((await asset.arrayBuffer()).byteLength, 0, path)
          assert.include(asset.headers.get("cache-control") ?? "", "immutable")
        }
        const missing = await fetch(`${server.url}/no/such/page`)
        assert.strictEqual(missing.status, 404)
      } finally {
        await server.stop()
      }
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

describe("the rules notice", () => {
  it("missing and unwanted files", () => {
    const paths = ["package.json", "README.md", "LICENSE", "dist/index.js", "src/index.ts"]
    assert.deepStrictEqual(fileProblems({ paths }), ["lacks dist/index.d.ts"])
    const wanted = [...paths, "dist/index.d.ts", "testing/suite/Suite.ts", "dist/latest/A.js"]
    assert.deepStrictEqual(fileProblems({ paths: wanted }), [])
    const unwanted = [
      "dist/test/A.d.ts",
      "dist/test/B.d.ts",
      "src/A.test.ts",
      "dist/src.tsbuildinfo"
    ]
    assert.lengthOf(fileProblems({ paths: [...wanted, ...unwanted] }), 3)
  })

  it("ranges of the workspace", () => {
    assert.lengthOf(manifestProblems('{ "a": "workspace:*", "b": "catalog:", "c": "1.0.0" }'), 2)
  })

  it("exact ranges, except where one version alone works", () => {
    const dependencies = { yaml: "2.9.1", pg: "^8.23.1", "jq-wasm": "1.0.1", ajv: ">=8" }
    assert.lengthOf(rangeProblems({ dependencies, peerDependencies: { effect: "3.22.4" } }), 3)
  })

  it("versions, changelogs and ranges of another release", () => {
    const manifest = {
      version: "0.2.0",
      dependencies: { "@attestry/core": "^0.1.0", pg: "^8.0.0" }
    }
    const release = { version: "0.2.0", changelog: "# a\n\n## 0.2.0\n" }
    assert.lengthOf(releaseProblems(manifest, release), 1)
    assert.lengthOf(releaseProblems(manifest, { version: "0.3.0", changelog: undefined }), 3)
  })

  it("entry points without a file and types of another kind", async () => {
    const folder = mkdtempSync(join(tmpdir(), "attestry-broken-"))
    try {
      mkdirSync(join(folder, "package"))
      const entry = { types: "./a.d.cts", default: "./a.js" }
      const manifest = {
        name: "broken",
        version: "1.0.0",
        type: "module",
        exports: { ".": entry, "./b": "./b.js" }
      }
      writeFileSync(join(folder, "package/package.json"), JSON.stringify(manifest))
      writeFileSync(join(folder, "package/a.js"), "export const a = 1\n")
      writeFileSync(join(folder, "package/a.d.cts"), "export declare const a: number\n")
      assert.strictEqual(
        spawnSync("tar", ["czf", "broken.tgz", "package"], { cwd: folder }).status,
        0
      )
      const tarball = open(readFileSync(join(folder, "broken.tgz")))
      assert.isNotEmpty(await lintProblems(tarball))
      assert.isNotEmpty(await typeProblems(tarball))
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
