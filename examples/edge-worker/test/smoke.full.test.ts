/** The worker as one bundle without Node, called with requests. */
import { mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { build } from "esbuild"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"

interface Worker {
  readonly fetch: (request: Request) => Promise<Response>
}

let folder = ""
let worker: Worker
let external: ReadonlyArray<string> = []
let bytes = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-edge-"))
  const { outputFiles, metafile } = await build({
    entryPoints: [join(import.meta.dirname, "../main.ts")],
    bundle: true,
    write: false,
    metafile: true,
    minify: true,
    platform: "browser",
    format: "esm",
    conditions: ["@attestry/source"]
  })
  external = Object.values(metafile.inputs).flatMap(({ imports }) =>
    imports.flatMap((imported) => (imported.external === true ? [imported.path] : []))
  )
  const program = join(folder, "worker.mjs")
  await writeFile(program, outputFiles[0]?.contents ?? "")
  bytes = outputFiles[0]?.contents.byteLength ?? 0
  worker = (await import(pathToFileURL(program).href)).default
})

afterAll(() => rm(folder, { recursive: true }))

describe("edge-worker", () => {
  it("bundles without a module of Node, below the size limit of edge runtimes", () => {
    assert.deepStrictEqual(external, [])
    assert.isBelow(bytes, 3_000_000)
  })

  it("starts with its first request and serves with the key that it logged", async () => {
    const logged: Array<string> = []
    const log = vi.spyOn(console, "log").mockImplementation((line) => void logged.push(line))
    const live = await worker.fetch(new Request("https://edge.example.com/live"))
    log.mockRestore()
    assert.strictEqual(live.status, 200)
    const key = logged.find((line) => line.startsWith("key "))?.slice(4)
    const call = (method: string, path: string, body?: object) =>
      worker.fetch(
        new Request(`https://edge.example.com/api/v2${path}`, {
          method,
          headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
          ...(body === undefined ? {} : { body: JSON.stringify(body) })
        })
      )
    const put = await call("PUT", "/environments/acme", { name: "production", type: "docker" })
    assert.deepStrictEqual([put.status, await put.json()], [201, "OK"])
    const digests = { "shop:1.0": "9f".repeat(32) }
    const report = { artifacts: [{ digests, creationTimestamp: 1 }] }
    const path = "/environments/acme/production/report/docker"
    assert.strictEqual((await call("PUT", path, report)).status, 200)
    const snapshot = await (await call("GET", "/snapshots/acme/production/~0")).json()
    assert.deepInclude(snapshot, {
      index: 1,
      html_url: "https://edge.example.com/acme/environments/production/snapshots/1"
    })
    const document = await worker.fetch(new Request("https://edge.example.com/api/v2/openapi.json"))
    assert.strictEqual((await document.json()).openapi, "3.1.0")
  })
})
