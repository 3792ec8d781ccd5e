/** V-18 on the wire: bytes are read back as they were sent, and equal bytes of an org are stored once. */
import { randomUUID } from "node:crypto"
import { type AttachmentKey, AttachmentStore } from "@attestry/core/AttachmentStore"
import { Effect, FastCheck, Layer, Stream } from "effect"
import { assert, describe, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { check, requests, sha256, TIMEOUT } from "./EvidenceRequests.js"

/** How often the content of each file was stored. */
const stored = new Map<string, number>()

const keyOf = ({ fingerprint, org }: AttachmentKey): string => `${org} ${fingerprint}`

const counting = Layer.effect(
  AttachmentStore,
  Effect.map(AttachmentStore, (store) => ({
    ...store,
    put: (key, content) =>
      store.put(
        key,
        Stream.concat(
          Stream.drain(
            Stream.fromEffect(
              Effect.sync(() => stored.set(keyOf(key), (stored.get(keyOf(key)) ?? 0) + 1))
            )
          ),
          content
        )
      )
  }))
)

/** Files of lines with texts of every script, white space where JSON allows it, and perhaps a large text. */
const files = FastCheck.record({
  texts: FastCheck.array(FastCheck.string({ unit: "grapheme", maxLength: 20 }), {
    minLength: 1,
    maxLength: 3
  }),
  space: FastCheck.constantFrom("", " ", "\r", "\t "),
  padding: FastCheck.constantFrom(0, 0, 0, 262_143, 262_144, 600_000)
}).map(({ padding, space, texts }) =>
  texts
    .map((text, at) => {
      const salt = `${randomUUID()}${text}${"x".repeat(at === 0 ? padding : 0)}`
      return `${space}${JSON.stringify({ salt })}${space}`
    })
    .join("\n")
)

onEveryStore(
  "the bytes of evidence",
  (server) => {
    const { send } = requests(server)
    const rawOf = (digest: string, options: CallOptions = {}) =>
      server.call("GET /evidence/{org}/{digest}/raw", { path: { digest }, ...options })
    const total = (digest: string) =>
      [...stored].flatMap(([key, count]) => (key.endsWith(` ${digest}`) ? [count] : []))

    it(
      "V-18: bytes that are read back are those that were sent, and equal bytes are stored once",
      () =>
        check(files, async (file) => {
          const digest = sha256(file)
          const place = (trail: string) => `?flow_name=v18&trail_name=${trail}`
          const answers = await Promise.all([
            send(file, place("one")),
            send(file, place("one")),
            send(file, place("two"))
          ])
          for (const { body, status } of answers)
            assert.oneOf(status, [200, 201], JSON.stringify(body))
          const form = new FormData()
          form.set("file", new Blob([file]), "again.json")
          form.set("flow_name", "v18")
          form.set("trail_name", "three")
          assert.strictEqual((await server.call("POST /evidence/{org}", { raw: form })).status, 201)
          const { body, status } = await rawOf(digest, { as: "reader" })
          assert.strictEqual(status, 200)
          assert.isTrue(Buffer.from(file).equals(Buffer.from(body as Uint8Array)))
          assert.deepStrictEqual(total(digest), [1])
        }),
      TIMEOUT
    )

    it("V-18: the same bytes from two orgs are two files, and neither org learns of the other", async () => {
      const file = JSON.stringify({ salt: randomUUID() })
      const digest = sha256(file)
      const theirs = { org: "globex" }
      const query = "?flow_name=v18&trail_name=orgs"
      const foreign = (path: { readonly [name: string]: string } = {}) =>
        ({ path: { ...theirs, ...path }, as: "foreigner" }) as const
      const first = await send(file, query)
      const shownToOthers = async () => [
        await server.call("GET /evidence/{org}/{digest}", foreign({ digest })),
        await rawOf(digest, foreign({ digest }))
      ]
      for (const { status } of await shownToOthers()) assert.strictEqual(status, 404)
      const second = await send(file, query, foreign())
      assert.deepStrictEqual([first.status, second.status], [201, 201])
      const withoutIds = (body: unknown) =>
        JSON.stringify(body, (key, value: unknown) =>
          key === "attestation_id" ? null : value
        ).replaceAll("globex", "acme")
      assert.strictEqual(withoutIds(second.body), withoutIds(first.body))
      const [document, raw] = await shownToOthers()
      assert.deepInclude(document?.body, { digest, accepted_by: "fay" })
      assert.strictEqual(new TextDecoder().decode(raw?.body as Uint8Array), file)
      assert.deepStrictEqual(total(digest), [1, 1])
    })
  },
  // WHY: the type of an override says that it needs nothing, and layers of stores are given to it.
  { override: counting as unknown as Layer.Layer<never> }
)

describe("generated files", () => {
  it("are told apart by their bytes", () => {
    const found = FastCheck.sample(files, 50)
    assert.strictEqual(new Set(found.map(sha256)).size, 50)
  })
})
