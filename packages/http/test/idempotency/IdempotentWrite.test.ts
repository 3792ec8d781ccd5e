/** Writes under an `Idempotency-Key` on the wire. */
import { IdempotencyStore } from "@attestry/core/IdempotencyStore"
import { StoreError } from "@attestry/core/StoreError"
import { Effect, Layer } from "effect"
import { assert, it } from "vitest"
import { evidenceOf, F } from "../shared/Evidence.js"
import { type Answer, type CallOptions, onBothStores } from "../shared/TestServer.js"

const REPLAYED = "idempotency-replayed"

const keyed = (key: string) => ({ headers: { "idempotency-key": key } })

/** The parts of a response that a repetition must return unchanged. */
const sent = ({ status, body, headers }: Answer) => ({
  status,
  body,
  type: headers.get("content-type")
})

const REUSED = "this key was used for a request that said something else"

const assertReused = ({ status, body }: Answer) => {
  assert.strictEqual(status, 422)
  assert.deepStrictEqual(body, {
    message: REUSED,
    errors: { "Idempotency-Key": `${REUSED}: choose another key for it [input: …]` }
  })
}

onBothStores("Idempotency-Key", (server) => {
  const { call, journal, keyOf } = server
  const { artifact, attest, named } = evidenceOf(server, "keyed")
  const approve = (key: string, description: string, more: CallOptions = {}) =>
    call("POST /approvals/{org}/{flow_name}", {
      path: { flow_name: "keyed" },
      body: { artifact_fingerprint: F, description },
      ...keyed(key),
      ...more
    })
  const approvals = async (description: string) => {
    const path = { flow_name: "keyed" }
    const { body } = await call("GET /approvals/{org}/{flow_name}", {
      path,
      query: "?per_page=100"
    })
    const all = body as ReadonlyArray<{ readonly description: string }>
    return all.filter((each) => each.description === description).length
  }

  it("handles a write once and replays its response", async () => {
    await artifact("t", "app", F, "c1".repeat(20))
    const first = await approve("k-1", "once")
    const entries = (await journal()).length
    const second = await approve("k-1", "once")
    assert.strictEqual(first.status, 201)
    assert.isNull(first.headers.get(REPLAYED))
    assert.deepStrictEqual(sent(second), sent(first))
    assert.strictEqual(second.headers.get(REPLAYED), "true")
    assert.notStrictEqual(second.headers.get("x-request-id"), first.headers.get("x-request-id"))
    assert.strictEqual(await approvals("once"), 1)
    assert.strictEqual((await journal()).length, entries)
  })

  it("treats another order of fields as the same request, and refuses any other content", async () => {
    const ordered = { description: "d", artifact_fingerprint: F }
    await approve("k-2", "d")
    assert.strictEqual((await approve("k-2", "", { body: ordered })).headers.get(REPLAYED), "true")
    assertReused(await approve("k-2", "another"))
    assert.strictEqual((await approve("k-2", "d", { query: "?other=1" })).status, 400)
    assert.strictEqual(await approvals("d"), 1)
    assert.strictEqual(await approvals("another"), 0)
  })

  it("separates keys by actor and by route", async () => {
    await approve("k-3", "apart")
    const other = await approve("k-3", "apart", { as: "member" })
    assert.deepStrictEqual([other.status, other.headers.get(REPLAYED)], [201, null])
    assert.strictEqual(await approvals("apart"), 2)
    const elsewhere = await call("PUT /flows/{org}", {
      body: { name: "other", description: "" },
      ...keyed("k-3")
    })
    assert.strictEqual(elsewhere.status, 201)
  })

  it("accepts a key of 1 to 255 visible characters, and refuses every other", async () => {
    for (const key of ["!", "~".repeat(255)]) {
      assert.strictEqual((await approve(key, "shape")).status, 201)
    }
    for (const key of ["", "k".repeat(256), "two words", "clé", "a\tb"]) {
      const { status, body } = await approve(key, "shape")
      assert.strictEqual(status, 400, JSON.stringify(key))
      assert.deepStrictEqual(body, {
        message: "Input payload validation failed",
        errors: {
          "Idempotency-Key":
            "Input should be one key of 1 to 255 visible ASCII characters [input: …]"
        }
      })
    }
    const twice = await Effect.runPromise(
      server.serve({
        method: "PUT",
        url: "/api/v2/flows/acme/keyed/archive",
        headers: (name) =>
          name === "idempotency-key"
            ? ["a", "b"]
            : name === "authorization"
              ? [`Bearer ${keyOf("admin")}`]
              : [],
        remoteAddress: "",
        body: (async function* () {})()
      })
    )
    assert.strictEqual(twice.status, 400)
    assert.strictEqual(await approvals("shape"), 2)
  })

  it("handles one of many concurrent requests, and is 503 for the others", async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => approve("k-race", "race")))
    const done = answers.filter(({ status }) => status === 201)
    assert.strictEqual(done.filter(({ headers }) => headers.get(REPLAYED) === null).length, 1)
    for (const { status, body, headers } of answers.filter((each) => each.status !== 201)) {
      assert.strictEqual(status, 503)
      assert.deepStrictEqual(body, {
        message: "the same request is being carried out: please try again"
      })
      assert.strictEqual(headers.get("retry-after"), "1")
    }
    assert.strictEqual((await approve("k-race", "race")).headers.get(REPLAYED), "true")
    assert.strictEqual(await approvals("race"), 1)
  })

  it("stores permanent error responses, and no temporary ones", async () => {
    const lost = () => approve("k-4", "lost", { path: { flow_name: "nowhere" } })
    const refused = await lost()
    assert.strictEqual(refused.status, 404)
    assert.strictEqual((await lost()).headers.get(REPLAYED), "true")
    assert.deepStrictEqual(sent(await lost()), sent(refused))
    assert.strictEqual((await approve("k-5", "x", { body: { unknown: 1 } })).status, 400)
    assert.strictEqual((await approve("k-5", "x", { as: "reader" })).status, 403)
    assert.strictEqual((await approve("k-5", "x", { as: "nobody" })).status, 401)
    assert.strictEqual((await approve("k-5", "x")).status, 201)
  })

  it("compares a form by its parts, whatever its boundary", async () => {
    const form = (bytes: string) => {
      const made = new FormData()
      made.append("data_json", JSON.stringify({ attestation_name: "a", is_compliant: true }))
      made.append("attachment_file", new Blob([bytes]), "report.txt")
      return made
    }
    const upload = (bytes: string) =>
      attest("t", "generic", {}, { raw: form(bytes), body: undefined, ...keyed("k-form") })
    const first = await upload("one")
    assert.deepStrictEqual([first.status, first.headers.get(REPLAYED)], [201, null])
    const second = await upload("one")
    assert.deepStrictEqual([second.status, second.headers.get(REPLAYED)], [201, "true"])
    assertReused(await upload("two"))
    assert.strictEqual((await named("t", "a")).length, 1)
  })

  it("compares a report by its bytes, and a write without a body by its path", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "docker" } })
    const report = (artifacts: ReadonlyArray<object>) =>
      call("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "prod" },
        body: { artifacts },
        ...keyed("k-report")
      })
    assert.isNull((await report([])).headers.get(REPLAYED))
    const again = await report([])
    assert.deepStrictEqual([again.body, again.headers.get(REPLAYED)], ["OK", "true"])
    assertReused(await report([{ digests: { app: F }, creationTimestamp: 1 }]))
    const archive = () =>
      call("PUT /environments/{org}/{env_name}/archive", {
        path: { env_name: "prod" },
        ...keyed("k-report")
      })
    const archived = await archive()
    assert.strictEqual(archived.status, 200)
    assert.deepStrictEqual(sent(await archive()), sent(archived))
  })

  it("shows a secret once: a repetition is refused without it", async () => {
    await call("POST /service-accounts/{org}", { body: { name: "ci", privilege: "reader" } })
    const path = { name: "ci" }
    const create = () =>
      call("POST /service-accounts/{org}/{name}/api-keys", {
        path,
        body: { description: "ci" },
        ...keyed("k-secret")
      })
    assert.strictEqual((await create()).status, 201)
    const second = await create()
    const message = "the request was carried out, and its answer is not shown twice"
    assert.strictEqual(second.status, 422)
    assert.deepStrictEqual(second.body, {
      message,
      errors: { "Idempotency-Key": `${message} [input: …]` }
    })
    const { body } = await call("GET /service-accounts/{org}/{name}/api-keys", { path })
    assert.strictEqual((body as ReadonlyArray<unknown>).length, 1)
  })
})

const broken = () => new StoreError({ operation: "test", cause: new Error("gone") })

let claims = 0

/** A store whose claims work and are counted, and whose other writes fail. */
const forgetful = Layer.effect(
  IdempotencyStore,
  Effect.map(IdempotencyStore, ({ claim }) => ({
    claim: (given) => {
      claims += 1
      return claim(given)
    },
    complete: broken,
    release: broken
  }))
)

onBothStores(
  "Idempotency-Key, while responses cannot be stored",
  ({ call }) => {
    it("returns the response, and refuses other requests while the claim exists", async () => {
      const put = () =>
        call("PUT /flows/{org}", { body: { name: "f", description: "" }, ...keyed("k") })
      assert.strictEqual((await put()).status, 201)
      assert.strictEqual((await put()).status, 503)
    })

    it("does not call the store for writes without a key, nor for reads", async () => {
      const before = claims
      await call("PUT /flows/{org}", { body: { name: "g", description: "" } })
      await call("GET /flows/{org}", keyed("k"))
      assert.strictEqual(claims, before)
    })
  },
  { override: forgetful as unknown as Layer.Layer<never>, logs: [] }
)
