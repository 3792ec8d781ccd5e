/**
 * Uploads over a real socket: a file over a limit is refused while it arrives, with constant memory, and leaves no
 * file behind (P-PART).
 */
import { mkdtemp, readdir, rm } from "node:fs/promises"
import * as Http from "node:http"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { Login, OrgName } from "@attestry/core/Identifier"
import { Memberships } from "@attestry/core/Memberships"
import { Orgs } from "@attestry/core/Orgs"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import { Effect, Layer, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it, vi } from "vitest"
import * as FileSpool from "../../src/node/FileSpool.js"
import * as NodeServer from "../../src/node/NodeServer.js"
import * as Server from "../../src/Server.js"
import { UploadSpool } from "../../src/shared/UploadSpool.js"

const MIB = 1_048_576
const by = { kind: "system", id: "test", name: "test" } as const
const services = PolicyLab.layer.pipe(
  Layer.provideMerge(UseCases.layer),
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const start = (folder: string) =>
  Effect.gen(function* () {
    const org = yield* (yield* Orgs).create(OrgName.make("acme"), by)
    const user = yield* (yield* Memberships).add({
      org,
      login: Login.make("ada"),
      role: "admin",
      displayName: null,
      email: null,
      by,
      source: "script"
    })
    const { key } = yield* (yield* ApiKeys).issue({
      org: org.id,
      user: user.id,
      by,
      description: "test",
      lifetimeSeconds: null
    })
    const { port } = yield* NodeServer.make(yield* Server.make(), {
      host: "127.0.0.1",
      port: 0,
      drainTimeout: "1 second"
    })
    return { port, key: Redacted.value(key) }
  }).pipe(Effect.provideService(UploadSpool, FileSpool.make(folder)))

const head =
  '--b\r\ncontent-disposition: form-data; name="data_json"\r\n\r\n' +
  '{"attestation_name":"a","is_compliant":true}\r\n--b\r\n' +
  'content-disposition: form-data; name="attachment_file"; filename="f"\r\n\r\n'

describe("uploads over a socket", () => {
  let folder = ""
  let stop = async () => {}
  let server = { port: 0, key: "" }

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "attestry-upload-"))
    const runtime = ManagedRuntime.make(Layer.merge(services, Layer.scope))
    server = await runtime.runPromise(start(folder))
    stop = () => runtime.dispose()
  })
  afterAll(async () => {
    await stop()
    await rm(folder, { recursive: true, force: true })
  })

  const open = (path: string, headers: object = {}) =>
    Http.request({
      host: "127.0.0.1",
      port: server.port,
      method: "POST",
      path: `/api/v2${path}`,
      headers: {
        authorization: `Bearer ${server.key}`,
        "content-type": "multipart/form-data; boundary=b",
        ...headers
      }
    })

  const statusOf = (request: Http.ClientRequest): Promise<number> =>
    new Promise((resolve, reject) => {
      request.once("response", (response) => {
        response.resume()
        resolve(response.statusCode ?? 0)
      })
      request.once("error", reject)
    })

  const write = (request: Http.ClientRequest, bytes: Uint8Array | string): Promise<void> =>
    new Promise((resolve) => void request.write(bytes, () => resolve()))

  it("refuses 100 MiB while they arrive, with flat memory", async () => {
    const request = open("/attestations/acme/flow/trail/big/generic")
    const status = statusOf(request)
    let answered = false
    void status.then(() => {
      answered = true
    })
    const piece = Buffer.alloc(MIB, 7)
    await write(request, head)
    const before = process.memoryUsage().rss
    let sent = 0
    let highest = before
    while (!answered && sent < 100) {
      await write(request, piece)
      sent++
      highest = Math.max(highest, process.memoryUsage().rss)
      await new Promise((resolve) => setTimeout(resolve, 1))
    }
    assert.strictEqual(await status, 413)
    assert.isBelow(sent, 100)
    assert.isBelow(highest - before, 64 * MIB)
    request.destroy()
    assert.deepStrictEqual(await readdir(folder), [])
  })

  it("refuses a Content-Length over the limit before a byte has arrived", async () => {
    const request = open("/attestations/acme/flow/trail/declared/generic", {
      "content-length": String(10_000 * MIB)
    })
    request.flushHeaders()
    assert.strictEqual(await statusOf(request), 413)
    request.destroy()
  })

  it("leaves no file of aborted uploads", async () => {
    for (let time = 0; time < 20; time++) {
      const request = open("/attestations/acme/flow/trail/aborted/generic")
      request.on("error", () => {})
      await write(request, head)
      await write(request, Buffer.alloc(100_000, time))
      request.destroy()
    }
    await vi.waitFor(async () => assert.deepStrictEqual(await readdir(folder), []), 5_000)
  })

  it("accepts a file and returns it unchanged", async () => {
    const content = Buffer.from(Array.from({ length: 700_000 }, (_, index) => index % 251))
    const request = open("/attestations/acme/flow/trail/whole/generic")
    await write(request, head)
    await write(request, content)
    request.end("\r\n--b--\r\n")
    assert.strictEqual(await statusOf(request), 201)
    const base = `http://127.0.0.1:${server.port}/api/v2/attestations/acme`
    const headers = { authorization: `Bearer ${server.key}` }
    const listed = await (await fetch(`${base}?trail_name=whole`, { headers })).json()
    const id = listed.data[0].attestation_id
    const path = `${base}/flow/trail/whole/attestation/${id}/evidence`
    const got = await fetch(path, { headers })
    assert.strictEqual(Buffer.compare(Buffer.from(await got.arrayBuffer()), content), 0)
    assert.strictEqual(got.headers.get("content-length"), String(content.length))
  })
})
