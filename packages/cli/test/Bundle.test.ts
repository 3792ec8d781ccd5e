/** The program as it is published: it runs, holds no dependency, is small, and its entry loads nothing of Effect. */
import { spawnSync } from "node:child_process"
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, beforeAll, describe, it } from "vitest"
import { folder } from "./shared/Run.js"

const root = join(import.meta.dirname, "..")
const bundle = join(root, "dist/bundle")
const home = folder()

const GZIP_BYTES_MAX = 2_000_000

/** WHY: a tenth of a small chunk is less than one sentence. */
const CHUNK_BYTES_FREE = 8_192

type Sizes = { readonly [name: string]: number }

/** What is larger than some bytes and than a tenth over its known size. */
const grownIn = (known: Sizes, measured: Sizes, free: number): ReadonlyArray<string> => {
  const before = new Map(Object.entries(known))
  return Object.entries(measured)
    .filter(([name, bytes]) => bytes > Math.max(free, (before.get(name) ?? 0) * 1.1))
    .map(([name, bytes]) => `${name}: ${bytes} bytes, ${before.get(name) ?? 0} known`)
}

const run = (...args: ReadonlyArray<string>) =>
  spawnSync(process.execPath, [join(bundle, "attestry.js"), ...args], {
    encoding: "utf8",
    env: { PATH: process.env.PATH, HOME: home }
  })

describe("the bundle", () => {
  beforeAll(() => {
    const { status, stderr } = spawnSync(process.execPath, [join(root, "build/build.mjs")], {
      encoding: "utf8"
    })
    assert.strictEqual(status, 0, stderr)
  })

  it("runs, and ends with the code of the command", () => {
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.deepInclude(run("--version"), { status: 0, stdout: `${version}\n`, stderr: "" })
    assert.deepInclude(run("attst"), { status: 2, stdout: "" })
    assert.strictEqual(run("fingerprint", join(root, "package.json")).status, 0)
    assert.strictEqual(run("policy", "lint", join(root, "package.json")).status, 1)
    assert.strictEqual(run("whoami").status, 2)
  })

  it("is not made again while no source has changed, and no bundler is loaded to find out", () => {
    const counter = join(home, "loaded.cjs")
    writeFileSync(
      counter,
      `process.on("exit", () => process.stderr.write(
        JSON.stringify(Object.keys(require.cache).filter((name) => name.includes("esbuild")))))`
    )
    const madeAt = () => statSync(join(bundle, "attestry.js")).mtimeMs
    const before = madeAt()
    const again = spawnSync(
      process.execPath,
      ["--require", counter, join(root, "build/build.mjs")],
      { encoding: "utf8" }
    )
    assert.deepStrictEqual([again.status, again.stderr, madeAt()], [0, "[]", before])
  })

  it("is made again when the content of a source has changed, and not when only its time has", () => {
    const sources = join(home, "sources")
    const script = `
      import { mkdirSync, utimesSync, writeFileSync } from "node:fs"
      import { isUnchanged, stateOf } from ${JSON.stringify(join(root, "../../scripts/inputs.mjs"))}
      const root = ${JSON.stringify(sources)}
      const of = { root, kind: "1", inputs: ["a", "b"], stateFile: root + "/state" }
      mkdirSync(root)
      writeFileSync(root + "/a", "one")
      const found = [isUnchanged(of)]
      writeFileSync(of.stateFile, JSON.stringify(stateOf(of)))
      found.push(isUnchanged(of), isUnchanged({ ...of, kind: "2" }))
      utimesSync(root + "/a", 1, 1)
      found.push(isUnchanged(of), isUnchanged(of))
      writeFileSync(root + "/a", "two")
      found.push(isUnchanged(of))
      writeFileSync(root + "/a", "one")
      writeFileSync(root + "/b", "")
      found.push(isUnchanged(of))
      console.log(JSON.stringify(found))`
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ["--input-type=module", "--eval", script],
      { encoding: "utf8" }
    )
    assert.deepStrictEqual([stderr, stdout], ["", "[false,true,false,true,true,false,false]\n"])
  })

  it("has no dependencies, and packs below 2 MB", () => {
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.isUndefined(manifest.dependencies)
    assert.isUndefined(manifest.peerDependencies)
    const files = readdirSync(bundle)
    const size = files.reduce(
      (sum, file) => sum + gzipSync(readFileSync(join(bundle, file))).length,
      0
    )
    assert.isBelow(size, GZIP_BYTES_MAX)
  })

  it("imports only itself and Node", () => {
    const { externals } = JSON.parse(readFileSync(join(root, "dist/bundle-inputs.json"), "utf8"))
    assert.isNotEmpty(externals)
    for (const name of externals) assert.isTrue(isBuiltin(name), name)
  })

  it("is not a tenth larger than bench/cli-size.json says, as a whole and by chunk", () => {
    const file = join(root, "../../bench/cli-size.json")
    const files = readdirSync(bundle).map((name) => readFileSync(join(bundle, name)))
    const { chunks } = JSON.parse(readFileSync(join(root, "dist/bundle-inputs.json"), "utf8"))
    const measured = {
      entry: statSync(join(bundle, "attestry.js")).size,
      minified: files.reduce((sum, bytes) => sum + bytes.length, 0),
      gzipped: files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0),
      chunks
    }
    if (process.env.ATTESTRY_GOLDEN === "write")
      writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
    const known = JSON.parse(readFileSync(file, "utf8"))
    const grown = [
      ...grownIn(known, { ...measured, chunks: 0 }, 0),
      ...grownIn(known.chunks, chunks, CHUNK_BYTES_FREE)
    ]
    assert.deepStrictEqual(grown, [], "look at it, then write the file anew")
  })

  it("names a chunk that has grown by more than a tenth, and a new one of some size", () => {
    const known = { a: 100_000, b: 500 }
    assert.deepStrictEqual(grownIn(known, { a: 110_000, b: 1_500, c: 8_192 }, 8_192), [])
    assert.deepStrictEqual(grownIn(known, { a: 110_001, c: 8_193 }, 8_192), [
      "a: 110001 bytes, 100000 known",
      "c: 8193 bytes, 0 known"
    ])
  })

  it("ends with 2 and one sentence on a Node that is too old", () => {
    const old = join(home, "old.mjs")
    writeFileSync(
      old,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.18.3" } })\n'
    )
    const args = ["--import", old, join(bundle, "attestry.js"), "version"]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [2, ""])
    assert.strictEqual(stderr, "error: attestry needs Node 20.19 or newer\n")
  })

  it("has one least version of Node, in its package and in every document", () => {
    const { engines } = JSON.parse(readFileSync(join(root, "package.json"), "utf8"))
    assert.strictEqual(engines.node, ">=20.19")
    const top = join(root, "../..")
    const documents = [
      "README.md",
      "CONTRIBUTING.md",
      "packages/cli/README.md",
      ...readdirSync(join(top, "docs"))
        .filter((name) => name.endsWith(".md"))
        .map((name) => `docs/${name}`)
    ]
    const said = documents.flatMap((path) =>
      [...readFileSync(join(top, path), "utf8").matchAll(/Node\s(20\.\d+)/g)].map(
        ([, version]) => `${path} ${version}`
      )
    )
    assert.include(said, "docs/CLI.md 20.19")
    assert.deepStrictEqual(
      said.filter((each) => !each.endsWith(" 20.19")),
      []
    )
  })

  it("has an entry of a few kilobytes", () => {
    assert.isBelow(statSync(join(bundle, "attestry.js")).size, 8_000)
  })
})
