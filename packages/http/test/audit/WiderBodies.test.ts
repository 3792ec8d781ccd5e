/** Bodies that other callers send: user data as a list, data as text, defaults. SPEC §1.2 */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

type Shown = Record<string, unknown>

onEveryStore("wider bodies", (server) => {
  const { call } = server
  const { begin, artifact, generic, attest, named, trail } = evidenceOf(server, "wide")
  const errorsOf = ({ body }: { readonly body: unknown }) =>
    Object.keys((body as { readonly errors?: object }).errors ?? {})

  it("user_data is an object or a list, and comes back as it was sent", async () => {
    for (const user_data of [[], [1, { a: [null] }, "x"], {}, { a: [1] }]) {
      assert.include([200, 201], (await begin("t", { user_data })).status)
      assert.deepStrictEqual(((await trail("t")) as unknown as Shown).user_data, user_data)
      assert.strictEqual((await artifact("t", "app", F, c1, { user_data })).status, 201)
      const { body } = await call("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", {
        path: { flow_name: "wide", fingerprint: F }
      })
      assert.deepStrictEqual((body as Shown).user_data, user_data)
      assert.strictEqual((await generic("t", "lint", true, { user_data })).status, 201)
      const shown = (await named("t", "lint")).map((each) => JSON.stringify(each.user_data))
      assert.include(shown, JSON.stringify(user_data))
    }
    for (const user_data of ["text", 1, true]) {
      const answers = [
        await begin("t", { user_data }),
        await artifact("t", "app", F, c1, { user_data }),
        await generic("t", "lint", true, { user_data })
      ]
      for (const answer of answers) {
        assert.deepStrictEqual(
          [answer.status, ...errorsOf(answer)],
          [400, "user_data.dict[any,any]"]
        )
      }
    }
  })

  it("template of an artifact is a text or a list of texts", async () => {
    for (const template of ["a", ["a", "b"], [], null]) {
      assert.strictEqual((await artifact("t", "app", F, c1, { template })).status, 201)
    }
    assert.strictEqual((await artifact("t", "app", F, c1, { template: [1] })).status, 400)
  })

  it("an analysis needs neither server, task nor status", async () => {
    const needed = { analysedAt: "2026-11-01", revision: c1, project: { key: "k", url: "u" } }
    const send = (sonar_results: object) =>
      attest("t", "sonar", { attestation_name: "analysis", sonar_results })
    const gate = { qualityGate: { status: "OK" } }
    assert.strictEqual((await send({ ...needed, ...gate })).status, 201)
    const nulls = { serverUrl: null, taskId: null, status: null }
    assert.strictEqual((await send({ ...needed, ...gate, ...nulls })).status, 201)
    for (const name of Object.keys(needed)) {
      const answer = await send({ ...needed, [name]: undefined })
      assert.deepStrictEqual([answer.status, ...errorsOf(answer)], [400, `sonar_results.${name}`])
    }
    assert.strictEqual((await send({ ...needed, status: 1 })).status, 400)
  })

  it("data of an attestation may be the text of its JSON", async () => {
    const decide = (attestation_data: unknown) =>
      attest("t", "system", {
        attestation_name: "decided",
        type_name: "decision",
        control: "C-1",
        attestation_data
      })
    assert.strictEqual((await decide('{"is_compliant": false, "by": "a"}')).status, 201)
    const [decided] = await named("t", "decided")
    assert.deepInclude(decided, {
      is_compliant: false,
      attestation_data: { is_compliant: false, by: "a" }
    })
    for (const data of ["text", "[]", '{"is_compliant":1}']) {
      const answer = await decide(data)
      assert.strictEqual(answer.status, 400, data)
      assert.match(errorsOf(answer).join(), /^attestation_data/)
    }
    const type = { name: "any-data" }
    assert.strictEqual(
      (await call("POST /custom-attestation-types/{org}", { body: type })).status,
      201
    )
    const custom = (attestation_name: string, attestation_data: unknown) =>
      attest("t", "custom", { attestation_name, type_name: type.name, attestation_data })
    for (const [name, sent, kept] of [
      ["object", '{"a":[1]}', { a: [1] }],
      ["list", " [1]", [1]],
      ["text", "plain", "plain"],
      ["number", "12", "12"]
    ] as const) {
      assert.strictEqual((await custom(name, sent)).status, 201)
      assert.deepStrictEqual((await named("t", name))[0]?.attestation_data, kept)
    }
    const repeated = await custom("twice", '{"a":1,"a":2}')
    assert.deepStrictEqual([repeated.status, ...errorsOf(repeated)], [400, "attestation_data"])
  })

  it("a service account is a reader unless asked otherwise", async () => {
    const create = (body: object, as: "admin" | "member" = "admin") =>
      call("POST /service-accounts/{org}", { body, as })
    for (const [name, more] of [
      ["plain", {}],
      ["nulled", { privilege: null, description: null }]
    ] as const) {
      const { status, body } = await create({ name, ...more })
      assert.strictEqual(status, 201)
      assert.deepInclude(body, { name, privilege: "reader", description: "" })
    }
    const kept = await call("PATCH /service-accounts/{org}/{name}", {
      path: { name: "plain" },
      body: { privilege: null, description: "d" },
      as: "admin"
    })
    assert.deepInclude(kept.body, { privilege: "reader", description: "d" })
  })
})

onEveryStore("the evaluator of a custom attestation type", ({ call }) => {
  const post = (name: string, evaluator: unknown) =>
    call("POST /custom-attestation-types/{org}", { body: { name, evaluator } })
  const shown = async (type_name: string) => {
    const { body } = await call("GET /custom-attestation-types/{org}/{type_name}", {
      path: { type_name }
    })
    const { versions } = body as { versions: ReadonlyArray<{ readonly evaluator: unknown }> }
    return versions.map(({ evaluator }) => evaluator)
  }

  it("is jq with rules by default, and what is shown can be sent again", async () => {
    const rules = [".a > 1"]
    assert.strictEqual((await post("ruled", { rules })).status, 201)
    assert.deepStrictEqual(await shown("ruled"), [{ content_type: "jq", rules }])
    for (const none of [
      undefined,
      null,
      { content_type: "default" },
      { content_type: "default", rules: null }
    ]) {
      assert.strictEqual((await post("bare", none)).status, 201)
    }
    assert.deepStrictEqual(await shown("bare"), [{ content_type: "default" }])
    const again = (await shown("ruled"))[0]
    assert.strictEqual((await post("ruled", again)).status, 201)
    assert.strictEqual((await shown("ruled")).length, 1)
  })

  it("has rules exactly when it is jq", async () => {
    for (const wrong of [
      {},
      { content_type: "jq" },
      { content_type: null, rules: null },
      { content_type: "default", rules: [".a"] }
    ]) {
      const { status, body } = await post("wrong", wrong)
      assert.strictEqual(status, 400, JSON.stringify(wrong))
      assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), ["evaluator.rules"])
    }
    assert.strictEqual((await post("wrong", { content_type: "other", rules: [] })).status, 400)
  })
})
