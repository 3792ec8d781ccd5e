/** `dry_run=true`: a write checks everything and stores nothing. */
import { assert, beforeAll, it } from "vitest"
import * as Writes from "../access/Writes.js"
import { policyYaml } from "../policy/Policies.js"
import { type Answer, type CallOptions, onEveryStore } from "../shared/TestServer.js"

const DRY = "?dry_run=true"

const isDry = ({ headers }: Answer): boolean => headers.get("x-dry-run") === "true"

/** Members whose values are made up for each write. */
const FRESH = [
  "id",
  "attestation_id",
  "key",
  "secret",
  "link",
  "created_at",
  "last_modified_at",
  "timestamp",
  "html_url",
  "horizon",
  "would_be",
  "was"
]

/** Members of the state of a log that a real write, or reading the state, changes. */
const GROWING = ["size", "root", "checkpoint", "pending", "state", "message", "epochs", "keys"]

const comparable = (body: unknown): unknown =>
  JSON.parse(
    JSON.stringify(body, (name, value) =>
      FRESH.includes(name) || name.endsWith("_at") ? typeof value : value
    )
  )

const withoutGrowth = (body: unknown): unknown =>
  JSON.parse(JSON.stringify(body, (name, value) => (GROWING.includes(name) ? undefined : value)))

const REPORT = "PUT /environments/{org}/{env_name}/report/docker"

const reportOf = (digest: string) => ({
  artifacts: [{ digests: { image: digest.repeat(64) }, creationTimestamp: 1 }]
})

onEveryStore("dry_run", (server) => {
  const { call, journal } = server
  let writes: ReadonlyArray<Writes.Call> = []
  let reads: ReadonlyArray<Writes.Call> = []
  beforeAll(async () => {
    const made = await Writes.make(server)
    writes = made.writes.filter(({ operation }) => operation.includes("{org}"))
    reads = made.reads
    await Writes.readAll(server, reads)
  }, 60_000)

  const dry = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, query: DRY })

  const PREFER = { prefer: "return=representation" }

  it("stores nothing for any write", async () => {
    const entries = await journal()
    const before = await Writes.readAll(server, reads)
    const ignoring: Array<string> = []
    for (const { operation, options } of writes) {
      const headers = { ...PREFER, "idempotency-key": "dry" }
      const answer = await dry(operation, { ...options, headers })
      if (!isDry(answer) || answer.status > 201) ignoring.push(operation)
    }
    assert.isAbove(writes.length, 40)
    assert.deepStrictEqual(ignoring, [])
    assert.deepStrictEqual(await Writes.readAll(server, reads), before)
    assert.deepStrictEqual(await journal(), entries)
  }, 120_000)

  it("answers as the write does", async () => {
    for (const { operation, options } of writes) {
      const rehearsed = await dry(operation, { ...options, headers: PREFER })
      const real = await call(operation, { ...options, headers: PREFER })
      assert.isFalse(isDry(real))
      const told = operation.includes("/log/") ? withoutGrowth : comparable
      assert.deepStrictEqual(
        [rehearsed.status, told(rehearsed.body)],
        [real.status, told(real.body)],
        operation
      )
    }
  }, 120_000)

  it("refuses what the write refuses, with the same error", async () => {
    let refusals = 0
    for (const { operation, options } of writes) {
      const unknown = Object.keys(options.path ?? {}).map((name) => [name, "nowhere-1"])
      const changes: ReadonlyArray<CallOptions> = [
        { body: { surprise: 1 } },
        { path: { ...options.path, ...Object.fromEntries(unknown) } },
        { as: "reader" },
        { as: "foreigner" }
      ]
      for (const change of changes) {
        const expected = await dry(operation, { ...options, ...change })
        const real = await call(operation, { ...options, ...change })
        assert.strictEqual(expected.status, real.status, operation)
        if (real.status < 400) continue
        refusals += 1
        assert.deepStrictEqual(expected.body, real.body, operation)
      }
    }
    assert.isAbove(refusals, 100)
  }, 120_000)

  it("finds conflicts and missing references", async () => {
    const body = { name: "taken", privilege: "reader" }
    await call("POST /service-accounts/{org}", { body })
    assert.strictEqual((await dry("POST /service-accounts/{org}", { body })).status, 400)
    const policies = { body: { policy_names: ["nowhere"] }, path: { env_name: "docker" } }
    const attached = await dry("POST /environments/{org}/{env_name}/policies", policies)
    assert.isAtLeast(attached.status, 400)
  })

  it("is a boolean that is given once, under this name alone", async () => {
    const put = (query: string) =>
      call("PUT /flows/{org}", { query, body: { name: "once", description: "" } })
    for (const query of ["?dry_run=maybe", "?dry_run=", "?dry_run=true&dry_run=false"]) {
      const { status, body } = await put(query)
      assert.strictEqual(status, 400, query)
      assert.property((body as { readonly errors: object }).errors, "query.dry_run")
    }
    for (const query of ["?dry%5Frun=true", "?%64ry_run=on", "?dry_run=1"])
      assert.isTrue(isDry(await put(query)), query)
    const path = { path: { flow_name: "once" } }
    assert.strictEqual((await call("GET /flows/{org}/{flow_name}", path)).status, 404)
    assert.isFalse(isDry(await put("?dry_run=false")))
    assert.strictEqual((await call("GET /flows/{org}/{flow_name}", path)).status, 200)
    assert.strictEqual((await call("GET /flows/{org}", { query: DRY })).status, 400)
    assert.strictEqual((await call("POST /session", { query: DRY, body: {} })).status, 400)
  })

  it("moves no heartbeat, whether or not the report says something new", async () => {
    await call("PUT /environments/{org}", { body: { name: "quiet", type: "docker" } })
    const path = { env_name: "quiet" }
    await call(REPORT, { path, body: reportOf("a") })
    const read = async () => {
      const { body } = await call("GET /environments/{org}/{env_name}", { path })
      return body
    }
    const before = await read()
    for (const digest of ["a", "b"]) {
      assert.isTrue(isDry(await dry(REPORT, { path, body: reportOf(digest) })))
      assert.deepStrictEqual(await read(), before)
    }
    const { body } = await call("GET /snapshots/{org}/{env_name}", { path })
    assert.strictEqual((body as ReadonlyArray<unknown>).length, 1)
  })

  it("leaves an idempotency key unused, and stores no file", async () => {
    const path = { flow_name: "flow", trail_name: "dry" }
    const operation = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
    const form = () => {
      const raw = new FormData()
      raw.append("data_json", JSON.stringify({ attestation_name: "file", is_compliant: true }))
      raw.append("attachment_file", new Blob(["a file of a dry run"]), "dry.txt")
      return { path, raw, headers: { "idempotency-key": "dry-file" } }
    }
    assert.isTrue(isDry(await dry(operation, form())))
    const trail = { path: { flow_name: "flow", trail_name: "dry" } }
    const get = "GET /trails/{org}/{flow_name}/{trail_name}"
    assert.strictEqual((await call(get, trail)).status, 404)
    const real = await call(operation, form())
    assert.deepStrictEqual([real.status, real.headers.get("idempotency-replayed")], [201, null])
    assert.strictEqual((await call(get, trail)).status, 200)
  })

  it("stores no version of a policy that would evaluate a later report", async () => {
    const policy = (required: boolean) => ({
      path: { name: "judge" },
      body: { policy_yaml: policyYaml(`  provenance:\n    required: ${required}\n`) }
    })
    await call("PUT /policies/{org}/{name}", policy(true))
    await call("PUT /environments/{org}", {
      body: { name: "judged", type: "docker", policies: ["judge"] }
    })
    const path = { env_name: "judged" }
    await call(REPORT, { path, body: reportOf("c") })
    const state = async () => {
      const { body } = await call("GET /environments/{org}/{env_name}", { path })
      return (body as { readonly state: boolean | null }).state
    }
    assert.isFalse(await state())
    assert.isTrue(isDry(await dry("PUT /policies/{org}/{name}", policy(false))))
    assert.isFalse(await state())
    const other = {
      ...policy(true),
      body: { policy_yaml: `${policy(true).body.policy_yaml}# another text\n` }
    }
    await call("PUT /policies/{org}/{name}", other)
    await call(REPORT, { path, body: reportOf("d") })
    assert.isFalse(await state())
  })

  it("does not stop writes at the same time", async () => {
    const path = { env_name: "docker" }
    const answers = await Promise.all(
      Array.from({ length: 24 }, (_, index) => {
        const query = index % 2 === 0 ? DRY : ""
        return call(REPORT, { path, query, body: reportOf(index.toString(16).at(-1) ?? "0") })
      })
    )
    assert.deepStrictEqual(
      answers.map(({ status }) => status),
      answers.map(() => 200)
    )
  })
})
