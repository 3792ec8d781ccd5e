/** Files of attestations, on the wire. */
import { createHash, randomBytes } from "node:crypto"
import { assert, it } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const FILE_MAX = 10_485_760

const digest = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex")

const formOf = (
  data: object | string,
  ...files: ReadonlyArray<readonly [string, Uint8Array<ArrayBuffer>]>
): FormData => {
  const form = new FormData()
  form.append("data_json", typeof data === "string" ? data : JSON.stringify(data))
  for (const [name, bytes] of files) form.append("attachment_file", new Blob([bytes]), name)
  return form
}

const bytesOf = (size: number): Uint8Array<ArrayBuffer> => new Uint8Array(randomBytes(size))

onEveryStore(
  "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
  (server) => {
    const { attest, named, trail } = evidenceOf(server, "files")
    const upload = (on: string, raw: BodyInit, headers = {}) =>
      attest(on, "generic", {}, { raw, headers, body: undefined })
    const said = (name: string) => ({ attestation_name: name, is_compliant: true })
    const download = (on: string, id: string, query = "") =>
      server.call(
        "GET /attestations/{org}/{flow_name}/trail/{trail_name}/attestation/{attestation_id}/evidence",
        { path: { flow_name: "files", trail_name: on, attestation_id: id }, query }
      )

    it("returns every file byte for byte, as a download that no browser renders", async () => {
      const files = [
        ["empty.txt", bytesOf(0)],
        ["one piece.bin", bytesOf(262_144)],
        ["größer.bin", bytesOf(262_145 * 3)]
      ] as const
      const answer = await upload("several", formOf(said("a"), ...files))
      assert.deepStrictEqual([answer.status, answer.body], [201, "OK"])
      const [shown] = await named("several", "a")
      assert.deepStrictEqual(
        shown?.attachments.map(({ filename, fingerprint, size }) => [filename, fingerprint, size]),
        files.map(([name, bytes]) => [name, digest(bytes), bytes.byteLength])
      )
      for (const [name, bytes] of files) {
        const got = await download(
          "several",
          shown?.attestation_id ?? "",
          `?fingerprint=${digest(bytes)}`
        )
        assert.strictEqual(got.status, 200)
        assert.deepStrictEqual(got.body, bytes)
        assert.strictEqual(got.headers.get("x-content-type-options"), "nosniff")
        assert.strictEqual(
          got.headers.get("content-disposition"),
          `attachment; filename*=UTF-8''${encodeURIComponent(name)}`
        )
      }
      const first = await download("several", shown?.attestation_id ?? "")
      assert.deepStrictEqual(first.body, files[0][1])
    })

    it("stores a repeated report with the same file once, and one with another file again", async () => {
      const bytes = bytesOf(1_000)
      for (const content of [bytes, bytes, bytesOf(1_000)]) {
        assert.strictEqual((await upload("twice", formOf(said("a"), ["f", content]))).status, 201)
      }
      assert.strictEqual((await named("twice", "a")).length, 2)
    })

    it("accepts a file at its limit, and refuses one byte more with 413 and stores nothing", async () => {
      const at = await upload("limit", formOf(said("at"), ["f", bytesOf(FILE_MAX)]))
      assert.strictEqual(at.status, 201)
      const over = await upload("over", formOf(said("over"), ["f", bytesOf(FILE_MAX + 1)]))
      assert.strictEqual(over.status, 413)
      assert.deepStrictEqual(Object.keys(over.body as object), ["message"])
      assert.include(JSON.stringify(await trail("over")), "does not exist")
    })

    it("limits the JSON part on its own, on both sides", async () => {
      const padded = (size: number) => {
        const bare = JSON.stringify({ ...said("json"), description: "" })
        return JSON.stringify({ ...said("json"), description: "x".repeat(size - bare.length) })
      }
      assert.strictEqual((await upload("json", formOf(padded(409_600)))).status, 201)
      assert.strictEqual((await upload("json", formOf(padded(409_601)))).status, 413)
    })

    it("refuses a 21st part, an unknown part, a missing part, and a malformed form", async () => {
      const files = Array.from({ length: 20 }, (_, index) => [`${index}`, bytesOf(3)] as const)
      assert.strictEqual((await upload("bad", formOf(said("a"), ...files.slice(1)))).status, 201)
      assert.strictEqual((await upload("bad", formOf(said("b"), ...files))).status, 413)
      const unknown = formOf(said("c"))
      unknown.append("other", "x")
      const missing = new FormData()
      missing.append("attachment_file", new Blob([bytesOf(1)]), "f")
      const field = async (raw: BodyInit, headers = {}) => {
        const { status, body } = await upload("bad", raw, headers)
        return [status, Object.entries((body as { errors: object }).errors)[0]]
      }
      assert.deepStrictEqual(await field(unknown), [
        400,
        ["other", "Extra inputs are not permitted [input: …]"]
      ])
      assert.deepStrictEqual(await field(missing), [
        400,
        ["data_json", "Field required [input: None]"]
      ])
      assert.deepStrictEqual(await field(formOf("{")), [
        400,
        ["data_json", "Input should be valid JSON [input: …]"]
      ])
      for (const type of ["multipart/form-data", "multipart/form-data; boundary=zzz"]) {
        const [status] = await field("--yyy\r\nnothing", { "content-type": type })
        assert.strictEqual(status, 400)
      }
    })

    it("stores nothing of an upload that is cut off", async () => {
      const encoder = new TextEncoder()
      const head =
        '--b\r\ncontent-disposition: form-data; name="data_json"\r\n\r\n' +
        `${JSON.stringify(said("cut"))}\r\n--b\r\n` +
        'content-disposition: form-data; name="attachment_file"; filename="f"\r\n\r\n'
      let sent = 0
      const raw = new ReadableStream<Uint8Array>({
        pull: (controller) => {
          if (sent++ === 0) controller.enqueue(encoder.encode(head))
          else if (sent < 5) controller.enqueue(bytesOf(65_536))
          else controller.error(new Error("gone"))
        }
      })
      const headers = { "content-type": "multipart/form-data; boundary=b" }
      assert.strictEqual((await upload("cut", raw, headers)).status, 400)
      const ended = `${head}half a file`
      assert.strictEqual((await upload("cut", ended, headers)).status, 400)
      assert.include(JSON.stringify(await trail("cut")), "does not exist")
    })

    it("is 404 for an attestation of another trail, or without a file", async () => {
      await upload("here", formOf(said("a"), ["f", bytesOf(3)]))
      await upload("there", formOf(said("b")))
      const [a] = await named("here", "a")
      const [b] = await named("there", "b")
      const statuses = [
        await download("there", a?.attestation_id ?? ""),
        await download("there", b?.attestation_id ?? ""),
        await download("here", a?.attestation_id ?? "", "?fingerprint=00"),
        await download("here", "nobody")
      ].map(({ status }) => status)
      assert.deepStrictEqual(statuses, [404, 404, 404, 404])
    })
  }
)
