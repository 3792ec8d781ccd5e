/** The program as it is published: it runs, holds no dependency, is small, and its entry loads nothing of Effect. */
import { spawnSync } from "node:child_process"
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { gzipSync } from "node:zlib"
import { assert, beforeAll, describe, it } from "vitest"

const root = join(import.meta.dirname, "..")
const bundle = join(root, "dist/bundle")
const home = mkdtempSync(join(tmpdir(), "attestry-cli-"))

const GZIP_BYTES_MAX = 2_000_000

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

  it("is not a tenth larger than bench/cli-size.json says", () => {
    const file = join(root, "../../bench/cli-size.json")
    const files = readdirSync(bundle).map((name) => readFileSync(join(bundle, name)))
    const measured = {
      entry: statSync(join(bundle, "attestry.js")).size,
      minified: files.reduce((sum, bytes) => sum + bytes.length, 0),
      gzipped: files.reduce((sum, bytes) => sum + gzipSync(bytes).length, 0)
    }
    if (process.env.ATTESTRY_GOLDEN === "write")
      writeFileSync(file, `${JSON.stringify(measured, null, 2)}\n`)
    const known = JSON.parse(readFileSync(file, "utf8"))
    for (const [name, bytes] of Object.entries(measured))
      assert.isAtMost(bytes, known[name] * 1.1, `${name}: look at it, then write the file anew`)
  })

  it("ends with 2 and one sentence on a Node that is too old", () => {
    const old = join(home, "old.mjs")
    writeFileSync(
      old,
      'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.11.1" } })\n'
    )
    const args = ["--import", old, join(bundle, "attestry.js"), "version"]
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: "utf8" })
    assert.deepStrictEqual([status, stdout], [2, ""])
    assert.strictEqual(stderr, "error: attestry needs Node 20.12 or newer\n")
  })

  it("has an entry of a few kilobytes", () => {
    assert.isBelow(statSync(join(bundle, "attestry.js")).size, 8_000)
  })
})
