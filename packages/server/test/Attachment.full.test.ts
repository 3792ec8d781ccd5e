/** The server accepts attachments up to the configured size and refuses one more byte. */
import { assert, describe, it } from "vitest"
import { type ServerProcess, start } from "./shared/ServerProcess.js"

const attest = ({ url, org, key }: ServerProcess, bytes: number) => {
  const form = new FormData()
  form.set("data_json", JSON.stringify({ attestation_name: `of-${bytes}`, is_compliant: true }))
  form.append("attachment_file", new Blob([new Uint8Array(bytes)]), "scan.bin")
  return fetch(`${url}/api/v2/attestations/${org}/shop/trail/build-1/generic`, {
    method: "POST",
    headers: { authorization: `Bearer ${key}` },
    body: form
  })
}

describe("ATTESTRY_ATTACHMENT_BYTES_MAX", () => {
  for (const [limit, given] of [
    [1_000, "1000"],
    [10_485_760, undefined],
    [11_000_000, "11000000"]
  ] as const) {
    it(`accepts ${limit} bytes and refuses one more when it is ${given ?? "not set"}`, async () => {
      const server = await start({
        ATTESTRY_STORE: "memory",
        ...(given === undefined ? {} : { ATTESTRY_ATTACHMENT_BYTES_MAX: given })
      })
      try {
        assert.strictEqual((await attest(server, limit)).status, 201)
        const refused = await attest(server, limit + 1)
        assert.strictEqual(refused.status, 413)
        assert.deepStrictEqual(Object.keys(await refused.json()), ["message"])
      } finally {
        await server.stop("SIGTERM")
      }
    })
  }
})
