/** `Prefer: return=representation`: every write says what it did. */

import { WriteResult } from "@attestry/api/WriteResult"
import { Either, Schema } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as Preference from "../../src/shared/internal/Preference.js"
import * as Writes from "../access/Writes.js"
import { policyYaml } from "../policy/Policies.js"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"

const PREFER = { prefer: "return=representation" }
const APPLIED = "preference-applied"

const decode = Schema.decodeUnknownEither(WriteResult, { onExcessProperty: "error" })

/** The given headers, as a host passes them on. */
const wants = (...values: ReadonlyArray<string>): boolean =>
  Preference.isRepresentation({ headers: (name) => (name === "prefer" ? values : []) })

describe("the header Prefer", () => {
  it("is read with several preferences, in any case, quoted or not", () => {
    for (const value of [
      "return=representation",
      "Return=Representation",
      'return="representation"',
      " return = representation ",
      "respond-async, return=representation",
      "handling=lenient; strict=no, return=representation; x=1",
      'foo="a,b;return=minimal", return=representation',
      'foo="\\",return=minimal", return=representation'
    ])
      assert.isTrue(wants(value), value)
    assert.isTrue(wants("respond-async", "return=representation"))
  })

  it("asks for nothing otherwise; the first of several return preferences counts", () => {
    for (const value of [
      "",
      "return",
      "return=minimal",
      "return=minimal, return=representation",
      'foo="return=representation"',
      "x-return=representation",
      "return=representations",
      '"',
      ";,=,;=",
      '"return=representation'
    ])
      assert.isFalse(wants(value), value)
    assert.isFalse(wants())
    assert.isFalse(wants("return=minimal", "return=representation"))
  })
})

onEveryStore("Prefer: return=representation", (server) => {
  const { call } = server
  let writes: ReadonlyArray<Writes.Call> = []
  beforeAll(async () => {
    writes = (await Writes.make(server)).writes
  }, 60_000)

  const prefer = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, headers: { ...options.headers, ...PREFER } })

  it("is honoured by every write of the document", async () => {
    const ignoring: Array<string> = []
    for (const { operation, options } of writes) {
      const { status, body, headers } = await prefer(operation, options)
      const isObject = typeof body === "object" && body !== null
      if (status > 201 || !isObject || headers.get(APPLIED) !== PREFER.prefer)
        ignoring.push(`${operation}: ${status} ${JSON.stringify(body)}`)
    }
    assert.isAbove(writes.length, 40)
    assert.deepStrictEqual(ignoring, [])
  }, 60_000)

  const resultOf = async (operation: string, options: CallOptions) => {
    const { body } = await prefer(operation, options)
    const result = decode(body)
    if (Either.isLeft(result)) assert.fail(`${operation}: ${String(result.left)}`)
    return result.right
  }

  it("tells what a flow, an environment and a policy became, and their repetition", async () => {
    const flow = { body: { name: "shown", description: "" } }
    const created = await resultOf("PUT /flows/{org}", flow)
    assert.deepInclude(created, { type: "flow", name: "shown", outcome: "created", changed: true })
    assert.match(created.html_url ?? "", /\/acme\/flows\/shown$/)
    assert.deepStrictEqual(await resultOf("PUT /flows/{org}", flow), {
      ...created,
      outcome: "unchanged",
      changed: false
    })
    const path = { name: "shown" }
    const put = (text: string) =>
      resultOf("PUT /policies/{org}/{name}", { path, body: { policy_yaml: policyYaml(text) } })
    const first = await put("  provenance:\n    required: true\n")
    const second = await put("  provenance:\n    required: false\n")
    const third = await put("  provenance:\n    required: false\n")
    assert.deepStrictEqual(
      [first, second, third].map(({ outcome, version }) => [outcome, version]),
      [
        ["created", 1],
        ["updated", 2],
        ["unchanged", 2]
      ]
    )
    assert.strictEqual(third.id, first.id)
  })

  it("tells the snapshot of a report, also of one that says nothing new", async () => {
    await call("PUT /environments/{org}", { body: { name: "told", type: "docker" } })
    const report = (digest: string) =>
      resultOf("PUT /environments/{org}/{env_name}/report/docker", {
        path: { env_name: "told" },
        body: { artifacts: [{ digests: { image: digest.repeat(64) }, creationTimestamp: 1 }] }
      })
    const told = [await report("a"), await report("a"), await report("b")]
    assert.deepStrictEqual(
      told.map(({ outcome, snapshot_index }) => [outcome, snapshot_index]),
      [
        ["updated", 1],
        ["unchanged", 1],
        ["updated", 2]
      ]
    )
    assert.match(told[2]?.html_url ?? "", /\/acme\/environments\/told\/snapshots\/2$/)
    const renamed = await resultOf("PUT /environments/{org}/{env_name}/rename", {
      path: { env_name: "told" },
      body: { new_name: "renamed" }
    })
    assert.deepInclude(renamed, { id: told[0]?.id ?? null, name: "renamed", outcome: "updated" })
  })

  it("tells the id and the outcome of an attestation, also of a repeated one", async () => {
    const path = { flow_name: "shown", trail_name: "t" }
    const operation = "POST /attestations/{org}/{flow_name}/trail/{trail_name}/generic"
    const attest = (is_compliant: boolean) =>
      resultOf(operation, { path, body: { attestation_name: "scan", is_compliant } })
    const first = await attest(false)
    assert.deepInclude(first, { type: "attestation", name: "scan", is_compliant: false })
    assert.deepStrictEqual(await attest(false), { ...first, outcome: "unchanged", changed: false })
    const next = await attest(true)
    assert.deepInclude(next, { outcome: "created", is_compliant: true })
    assert.notStrictEqual(next.id, first.id)
    const { body } = await call("GET /attestations/{org}", { query: `?attestation_id=${next.id}` })
    assert.include(JSON.stringify(body), next.id ?? "none")
  })

  it("changes nothing where it is not asked for, and in errors", async () => {
    const body = { name: "plain", description: "" }
    for (const headers of [{}, { prefer: "return=minimal" }, { prefer: "respond-async" }]) {
      const answer = await call("PUT /flows/{org}", { body, headers })
      assert.strictEqual(answer.body, "OK")
      assert.isNull(answer.headers.get(APPLIED))
    }
    const missing = { path: { flow_name: "nowhere" } }
    const refused = await prefer("PUT /flows/{org}/{flow_name}/archive", missing)
    assert.strictEqual(refused.status, 404)
    assert.isNull(refused.headers.get(APPLIED))
    assert.isNull((await prefer("GET /flows/{org}")).headers.get(APPLIED))
  })

  it("is honoured by the end of a browser session", async () => {
    const opened = await call("POST /session", { body: {} })
    const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
    const token = (opened.body as { readonly csrf_token: string }).csrf_token
    const headers = { cookie, "x-csrf-token": token }
    const { body } = await prefer("DELETE /session", { as: "nobody", headers })
    assert.deepInclude(body, { type: "session", outcome: "deleted", changed: true })
  })

  it("is stored with the response under an idempotency key", async () => {
    const options = {
      body: { name: "keyed", description: "" },
      headers: { "idempotency-key": "told-1" }
    }
    const first = await prefer("PUT /flows/{org}", options)
    const second = await prefer("PUT /flows/{org}", options)
    assert.strictEqual(second.headers.get("idempotency-replayed"), "true")
    assert.deepStrictEqual(second.body, first.body)
  })
})
