/** Files along with an attestation: as they come out of the server, and as they go over the wire. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, describe, it } from "@effect/vitest"
import { Effect, Redacted, Stream } from "effect"
import * as FileAttachment from "../node/FileAttachment.js"
import * as PromiseEvidence from "../node/PromiseEvidence.js"
import * as Attachments from "../src/Attachments.js"
import * as Client from "../src/Client.js"
import { AttestryError, attestry } from "../src/PromiseClient.js"
import * as TestDeployment from "./shared/TestDeployment.js"
import { BASE_URL } from "./shared/TestDeployment.js"

const root = mkdtempSync(join(tmpdir(), "attestry-attachments-"))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const connect = async (options: { readonly validate?: boolean } = {}) => {
  const { adminKey, fetch } = await Effect.runPromise(TestDeployment.make)
  return attestry({ baseUrl: BASE_URL, apiKey: Redacted.value(adminKey), fetch, ...options })
}

const path = { org: "acme", flow_name: "shop", trail_name: "build-1" }
const payload = { attestation_name: "scan", is_compliant: true }

const stored = async (client: Awaited<ReturnType<typeof connect>>) => {
  const [attestation] = await client.attestation.listOnTrail({
    path: { ...path, attestation_name: "scan" }
  })
  const id = String(attestation?.attestation_id)
  return {
    content: () =>
      client.attestation.evidence({
        path: { ...path, attestation_id: id }
      })
  }
}

describe("attachments", () => {
  it("arrive byte for byte, from memory, from a blob and from a disk", async () => {
    const bytes = new Uint8Array(200_000).map((_, index) => (index * 7) % 256)
    const file = join(root, 'scan "1".bin')
    writeFileSync(file, bytes)
    for (const attachment of [
      Attachments.fromBytes("scan.bin", bytes),
      Attachments.fromBlob("scan.bin", new Blob([bytes])),
      { filename: "scan.bin", size: bytes.byteLength, content: Stream.make(bytes) },
      await PromiseEvidence.attachment(file)
    ]) {
      const client = await connect()
      assert.strictEqual(
        await client.attestation.generic({ path, payload }, { attachments: [attachment] }),
        "OK"
      )
      assert.deepStrictEqual(await (await stored(client)).content(), bytes)
    }
  })

  it("say how far they have come, up to the whole", async () => {
    const client = await connect()
    const seen: Array<Attachments.Progress> = []
    const attachments = [Attachments.fromBytes("a.bin", new Uint8Array(150_000))]
    await client.attestation.generic(
      { path, payload },
      { attachments, onProgress: (progress) => seen.push(progress) }
    )
    const sent = seen.map((progress) => progress.sent)
    assert.deepStrictEqual(
      sent,
      [...sent].sort((left, right) => left - right)
    )
    assert.isAbove(seen.length, 3)
    assert.strictEqual(sent.at(-1), seen[0]?.total)
  })

  it("take nothing away from how calls are checked and refused", async () => {
    const client = await connect({ validate: true })
    const attachments = [Attachments.fromBytes("a.bin", new Uint8Array(1))]
    const calls = [
      client.attestation.generic(
        { path, payload: { ...payload, attestation_name: "a.b" } },
        { attachments }
      ),
      client.attestation.generic(
        { path, payload },
        { attachments: [Attachments.fromBytes("a.bin", new Uint8Array(10_485_761))] }
      )
    ]
    const [unsendable, tooLarge] = await Promise.all(
      calls.map((call) => call.then(assert.fail, (reason: unknown) => reason))
    )
    assert.instanceOf(unsendable, AttestryError)
    assert.deepInclude(unsendable, { _tag: "ClientError", reason: "Encode" })
    assert.instanceOf(tooLarge, AttestryError)
    assert.strictEqual(tooLarge.status, 413)
  })

  it("go along with the calls inside only, also as Effects", () =>
    Effect.gen(function* () {
      const { adminKey, fetch } = yield* TestDeployment.make
      const types: Array<string> = []
      const seeing: typeof globalThis.fetch = (input, init) => {
        const request = new Request(input, init)
        types.push(request.headers.get("content-type") ?? "")
        return fetch(request)
      }
      const client = yield* Client.make({ baseUrl: BASE_URL, apiKey: adminKey }).pipe(
        Effect.provide(TestDeployment.layerFetch(seeing))
      )
      const call = (index: number) =>
        client.attestation.generic({
          path: path as never,
          payload: { ...payload, user_data: { index } } as never
        })
      const file = join(root, "a.bin")
      writeFileSync(file, "a")
      const files = [
        Attachments.fromBytes("a", new Uint8Array([1])),
        yield* FileAttachment.fromFile(file)
      ]
      yield* call(1).pipe(Attachments.attach({ files }))
      yield* call(2)
      assert.match(types[0] ?? "", /^multipart\/form-data; boundary=attestry-/)
      assert.strictEqual(types[1], "application/json")
    }).pipe(Effect.runPromise))

  it("are the body as they are where a write has no payload, as Promises and as Effects", () =>
    Effect.gen(function* () {
      const sent: Array<{ readonly type: string; readonly bytes: ReadonlyArray<number> }> = []
      const seeing: typeof globalThis.fetch = async (input, init) => {
        const request = new Request(input, init)
        const type = request.headers.get("content-type") ?? ""
        sent.push({ type, bytes: [...new Uint8Array(await request.arrayBuffer())] })
        return Response.json({ documents: [], ignored: [] }, { status: 201 })
      }
      const bytes = new Uint8Array([123, 0, 255])
      const attachments = [Attachments.fromBytes("a.json", bytes)]
      const plain = attestry({ baseUrl: BASE_URL, apiKey: "key", fetch: seeing })
      const org = "acme" as never
      yield* Effect.promise(() => plain.evidence.submit({ path: { org } }, { attachments }))
      yield* Effect.promise(() =>
        plain.evidence.submit({ path: { org } }, { attachments, onProgress: () => {} })
      )
      const client = yield* Client.make({
        baseUrl: BASE_URL,
        apiKey: Redacted.make("key")
      }).pipe(Effect.provide(TestDeployment.layerFetch(seeing)))
      const call = client.evidence.submit({ path: { org } })
      yield* call.pipe(Attachments.attach({ files: attachments }))
      yield* call.pipe(Attachments.attach({ files: [...attachments, ...attachments] }))
      const whole = { type: "application/octet-stream", bytes: [...bytes] }
      assert.deepStrictEqual(sent.slice(0, 3), [whole, whole, whole])
      assert.deepStrictEqual(sent[3]?.bytes, [])
    }).pipe(Effect.runPromise))
})
