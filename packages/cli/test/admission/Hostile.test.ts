/** Bodies and requests that no API server sends: each is answered at once, with a refusal and without a failure. */
import { gzipSync } from "node:zlib"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as AdmissionStage from "./AdmissionStage.js"

const MEGABYTE = 1_024 * 1_024

const reviewWith = (request: unknown): string =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request })

const podOf = (spec: unknown): string =>
  reviewWith({
    uid: "u",
    kind: { group: "", version: "v1", kind: "Pod" },
    namespace: "shop",
    operation: "CREATE",
    object: { metadata: {}, spec }
  })

const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth)

/** WHY closed: a pod that is not understood must not pass in the mode enforce. */
const FLAGS = ["--environment", "prod", "--mode", "enforce", "--fail", "closed", "-o", "jsonl"]

describe("a hostile request", () => {
  const made: { admit?: AdmissionStage.Admitting } = {}
  const admit = () => made.admit ?? assert.fail("the command has not started")
  beforeAll(async () => {
    const env = {
      ATTESTRY_URL: "http://127.0.0.1:1",
      ATTESTRY_API_KEY: "key",
      ATTESTRY_ORG: "acme",
      ATTESTRY_RETRIES: "0"
    }
    made.admit = await AdmissionStage.start({ flags: FLAGS, env })
  })
  afterAll(() => made.admit?.stop())

  const statusOf = async (
    body: string | Uint8Array,
    headers?: Readonly<Record<string, string>>
  ): Promise<number> => (await admit().post("/admit", body, headers)).status

  it("is refused for a body that is no review", async () => {
    const bodies: ReadonlyArray<string> = [
      "",
      "{",
      "null",
      "[]",
      "\u0000",
      "{}",
      nested(500_000),
      `{"a":${nested(200_000)}}`,
      JSON.stringify({ apiVersion: "admission.k8s.io/v1beta1", kind: "AdmissionReview" }),
      reviewWith(null),
      reviewWith([]),
      reviewWith({ uid: 7, kind: { kind: "Pod" }, operation: "CREATE" }),
      reviewWith({ uid: "", kind: { kind: "Pod" }, operation: "CREATE" }),
      reviewWith({ uid: "u".repeat(257), kind: { kind: "Pod" }, operation: "CREATE" }),
      reviewWith({ uid: "u", kind: "Pod", operation: "CREATE" }),
      reviewWith({ uid: "u", kind: { kind: "Pod" }, operation: 1 })
    ]
    for (const body of bodies) assert.strictEqual(await statusOf(body), 400, body.slice(0, 80))
  })

  it("is refused for a form, a method or a path that is not served", async () => {
    const zipped = gzipSync(podOf({}))
    assert.strictEqual(await statusOf(zipped, { "content-encoding": "gzip" }), 415)
    assert.strictEqual(await statusOf(podOf({}), { "content-type": "text/plain" }), 415)
    assert.strictEqual((await admit().get("/admit")).status, 405)
    for (const path of ["/", "/admit/x", "/__proto__", "/constructor", "//x//"])
      assert.strictEqual((await admit().post(path, podOf({}))).status, 404, path)
  })

  it("is refused above 3 MiB, and read up to there", async () => {
    const whole = podOf({ containers: [], filler: "" })
    const filled = (bytes: number) =>
      whole.replace('"filler":""', `"filler":"${"x".repeat(bytes - whole.length)}"`)
    assert.strictEqual(await statusOf(filled(3 * MEGABYTE)), 200)
    const above = await admit()
      .post("/admit", filled(3 * MEGABYTE + 1))
      .catch(() => ({ status: 413 }))
    assert.strictEqual(above.status, 413)
    const chunked = await admit()
      .post("/admit", filled(8 * MEGABYTE), { "transfer-encoding": "chunked" })
      // The server has closed the connection, while the rest was on its way.
      .catch(() => ({ status: 413 }))
    assert.strictEqual(chunked.status, 413)
  })

  it("denies an object with 100,000 images, and asks about none of them", async () => {
    const containers = Array.from({ length: 100_000 }, (_, at) => ({ image: `i${at}` }))
    const { allowed, status } = await admit().review(podOf({ containers }))
    assert.isFalse(allowed)
    assert.include(status?.message, "at most 256 images")
    const same = Array.from({ length: 100_000 }, () => ({ image: "" }))
    assert.isTrue((await admit().review(podOf({ containers: same }))).allowed)
  })

  it("is no failure for parts of wrong types, and denies what is no reference", async () => {
    const specs: ReadonlyArray<unknown> = [
      null,
      7,
      "x",
      [],
      { containers: "x" },
      { containers: [null, 7, "x", [], {}, { image: 7 }, { image: null }] },
      { initContainers: { image: "x" }, volumes: [null, { image: "x" }] }
    ]
    for (const spec of specs)
      assert.isTrue((await admit().review(podOf(spec))).allowed, JSON.stringify(spec))
    const references = [
      "A",
      "a@sha256:x",
      "a b",
      "-",
      "localhost/a:1",
      "127.0.0.1:80/a:1",
      "\u001b[2J"
    ]
    for (const image of references) {
      const { allowed, status } = await admit().review(podOf({ containers: [{ image }] }))
      assert.isFalse(allowed, image)
      // biome-ignore lint/suspicious/noControlCharactersInRegex: no control character reaches a terminal
      assert.notMatch(status?.message ?? "", /[\u0000-\u0009\u000b-\u001f]/)
    }
  })

  it("is answered by the rule when the deployment cannot be reached", async () => {
    const image = `registry.example.org/a@sha256:${"a".repeat(64)}`
    const { allowed, status } = await admit().review(podOf({ containers: [{ image }] }))
    assert.isFalse(allowed)
    assert.include(status?.message, "did not answer")
    assert.strictEqual((await admit().get("/live")).status, 200)
    assert.match((await admit().get("/metrics")).text, /unread_total\{reason="malformed"\} [1-9]/)
  })
})
