/** Approvals on the wire. */
import { assert, it } from "vitest"
import { c1, c2, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown> & { readonly number: number }

onEveryStore("POST /approvals/{org}/{flow_name}", (server) => {
  const { call } = server
  const { artifact, trail } = evidenceOf(server, "approved")
  const post = (body: object, flow_name = "approved") =>
    call("POST /approvals/{org}/{flow_name}", { path: { flow_name }, body })
  const review = (state: string) => ({ state, approved_by: "eve", comment: "c" })

  it("numbers approvals in each flow, and returns the sent fields", async () => {
    await artifact("t", "app", F, c1)
    const before = (await trail("t")).compliance_status
    const body = {
      artifact_fingerprint: F,
      environment: "prod",
      description: "d",
      reviews: [{ state: "APPROVED", approved_by: "eve", approval_url: "https://example.org/1" }],
      oldest_commit: c2,
      newest_commit: c1,
      user_data: { a: 1 }
    }
    const first = await post(body)
    assert.strictEqual(first.status, 201)
    assert.deepInclude(first.body, {
      ...body,
      number: 1,
      state: "APPROVED",
      flow_name: "approved",
      created_by: "ada"
    })
    assert.strictEqual(((await post({ artifact_fingerprint: F })).body as Shown).state, "PENDING")
    const rejected = await post({
      artifact_fingerprint: F,
      reviews: [review("APPROVED"), review("REJECTED")]
    })
    assert.deepInclude(rejected.body, { number: 3, state: "REJECTED" })
    const after = await trail("t")
    assert.deepStrictEqual(after.compliance_status, before)
    assert.deepInclude(after.events[2], {
      type: "artifact_approval_reported",
      artifact_fingerprint: F,
      approval_number: 1,
      state: "APPROVED",
      reviewer: "external://eve"
    })
    assert.notProperty(after.events[2], "approval")
  })

  it("lists newest first and gets by number, with deprecation headers", async () => {
    const path = { flow_name: "approved" }
    const listed = await call("GET /approvals/{org}/{flow_name}", { path })
    assert.deepStrictEqual(
      (listed.body as ReadonlyArray<Shown>).map(({ number }) => number),
      [3, 2, 1]
    )
    const get = (number: string) =>
      call("GET /approvals/{org}/{flow_name}/{number}", { path: { ...path, number } })
    const one = await get("2")
    assert.strictEqual((one.body as Shown).number, 2)
    for (const { headers } of [listed, one]) {
      assert.strictEqual(headers.get("deprecation"), "true")
      assert.include(headers.get("link") ?? "", 'rel="deprecation"')
    }
    const statuses = [await get("4"), await get("0"), await get("x"), await get("99999999999")]
    assert.deepStrictEqual(
      statuses.map(({ status }) => status),
      [404, 400, 400, 400]
    )
    const anonymous = await call("GET /approvals/{org}/{flow_name}", { path, as: "nobody" })
    assert.strictEqual(anonymous.status, 401)
    for (const { headers } of [...statuses, anonymous]) {
      assert.strictEqual(headers.get("deprecation"), "true")
      assert.include(headers.get("link") ?? "", 'rel="deprecation"')
    }
  })

  it("gives 16 concurrent approvals 16 numbers without a gap", async () => {
    const { artifact: report } = evidenceOf(server, "busy")
    await report("t", "app", F, c1)
    const answers = await Promise.all(
      Array.from({ length: 16 }, () => post({ artifact_fingerprint: F }, "busy"))
    )
    assert.deepStrictEqual(
      answers.map(({ body }) => (body as Shown).number).sort((left, right) => left - right),
      Array.from({ length: 16 }, (_, index) => index + 1)
    )
  })

  it("refuses unknown flows and artifacts, and invalid fields", async () => {
    assert.strictEqual((await post({ artifact_fingerprint: F }, "nowhere")).status, 404)
    assert.strictEqual((await post({ artifact_fingerprint: "0".repeat(64) })).status, 404)
    assert.strictEqual((await post({ artifact_fingerprint: F, more: 1 })).status, 400)
    const bad = await post({ artifact_fingerprint: F, reviews: [{ state: "MAYBE" }] })
    assert.strictEqual(bad.status, 400)
  })
})
