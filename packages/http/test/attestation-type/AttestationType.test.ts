/** Custom attestation types on the wire. */
import * as EvidenceKind from "@attestry/core/EvidenceKind"
import { assert, it } from "vitest"
import { evidenceOf } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

interface Shown {
  readonly name: string
  readonly archived: boolean
  readonly created_by?: string
  readonly versions: ReadonlyArray<Record<string, unknown> & { readonly version: number }>
}

const schema = {
  $schema: "http://json-schema.org/draft-07/schema#",
  type: "object",
  required: ["covered"],
  properties: { covered: { type: "number" } }
}
const jq = (...rules: ReadonlyArray<string>) => ({ content_type: "jq", rules })

onEveryStore("POST /custom-attestation-types/{org}", (server) => {
  const { call, journal } = server
  const { attest, named, trail } = evidenceOf(server, "typed")
  const post = (body: object) => call("POST /custom-attestation-types/{org}", { body })
  const get = async (type_name: string, query = "") => {
    const { status, body } = await call("GET /custom-attestation-types/{org}/{type_name}", {
      path: { type_name },
      query
    })
    return status === 200 ? (body as Shown) : { status, ...(body as { message: string }) }
  }
  const versions = async (name: string) =>
    ((await get(name)) as Shown).versions.map(({ version }) => version)

  it("adds a version for a changed definition, and none for the same one or a changed description", async () => {
    const body = { name: "cover.age~1", description: "one", evaluator: jq(".covered > 80") }
    const answer = await post(body)
    assert.deepStrictEqual([answer.status, answer.body], [201, "OK"])
    assert.strictEqual((await post(body)).status, 201)
    await post({ ...body, description: "two" })
    assert.deepStrictEqual(await versions(body.name), [1])
    await post({ ...body, type_schema: schema, summary: [{ name: "c", expression: ".covered" }] })
    assert.deepStrictEqual(await versions(body.name), [2, 1])
    const shown = (await get(body.name)) as Shown
    assert.deepInclude(shown, { name: body.name, archived: false, created_by: "ada" })
    assert.deepInclude(shown.versions[0], {
      type_schema: schema,
      evaluator: jq(".covered > 80"),
      summary: [{ name: "c", expression: ".covered" }],
      created_by: "ada"
    })
    const entries = (await journal()).filter(({ kind }) => kind.startsWith("attestation_type_"))
    assert.strictEqual(entries.length, 3)
  })

  it("accepts the schema as a file of a form, and types without schema and rules", async () => {
    const raw = new FormData()
    raw.append("data_json", JSON.stringify({ name: "from-file" }))
    raw.append("type_schema", new Blob([JSON.stringify(schema)]), "schema.json")
    assert.strictEqual((await call("POST /custom-attestation-types/{org}", { raw })).status, 201)
    const { versions: found } = (await get("from-file")) as Shown
    assert.deepInclude(found[0], {
      type_schema: schema,
      evaluator: { content_type: "default" },
      summary: null
    })
    assert.strictEqual((await post({ name: "bare" })).status, 201)
  })

  it("shows the requested version, and all when it is no number", async () => {
    const one = (await get("cover.age~1", "?version=1")) as Shown
    assert.deepStrictEqual(
      [one.versions.map(({ version }) => version), one.created_by],
      [[1], undefined]
    )
    assert.strictEqual(((await get("cover.age~1", "?version=x")) as Shown).versions.length, 2)
    assert.deepStrictEqual(await get("cover.age~1", "?version=9"), {
      status: 404,
      message: "version 9 does not exist for custom attestation type 'cover.age~1'"
    })
    assert.deepInclude(await get("unknown"), {
      status: 404,
      message: "Custom attestation type 'unknown' does not exist for org 'acme'"
    })
  })

  it("refuses invalid rules, expressions and schemas, with each field", async () => {
    const refused: ReadonlyArray<readonly [object, ReadonlyArray<string>]> = [
      [{ name: "-x" }, ["name"]],
      [{ name: "x", evaluator: jq("") }, ["evaluator.rules[0]"]],
      [{ name: "x", evaluator: jq("true", "{") }, ["evaluator.rules[1]"]],
      [{ name: "x", summary: [{ name: "n", expression: "(" }] }, ["summary[0].expression"]],
      [{ name: "x", type_schema: { type: "what" } }, ["type_schema"]],
      [{ name: "x", type_schema: "{" }, ["type_schema"]],
      [{ name: "x", more: 1 }, ["more"]]
    ]
    for (const [body, fields] of refused) {
      const answer = await post(body)
      assert.strictEqual(answer.status, 400, JSON.stringify(body))
      assert.deepStrictEqual(Object.keys((answer.body as { errors: object }).errors), fields)
    }
  })

  it("evaluates attestations by schema and rules once, and stores the version", async () => {
    const report = (attestation_data: unknown, type_name = "cover.age~1") =>
      attest("t", "custom", { attestation_name: "coverage", type_name, attestation_data })
    assert.strictEqual((await report({ covered: 90 })).status, 201)
    assert.strictEqual((await report({ covered: 10 })).status, 201)
    const bad = await report({ covered: "much" })
    assert.deepStrictEqual(
      [bad.status, Object.keys((bad.body as { errors: object }).errors)],
      [400, ["attestation_data"]]
    )
    const shown = await named("t", "coverage")
    assert.deepStrictEqual(
      shown.map((one) => [one.attestation_type, one.is_compliant, one.type_version]),
      [
        ["custom:cover.age~1", false, 2],
        ["custom:cover.age~1", true, 2]
      ]
    )
    assert.strictEqual((await report([1, "any"], "bare")).status, 201)
    assert.strictEqual((await report({}, "unknown")).status, 404)
    await attest("t", "override", {
      attestation_name: "coverage",
      original_attestation_type: "custom",
      new_compliance_status: true,
      reason: "known"
    })
    const { compliance_state } = await trail("t")
    assert.strictEqual(compliance_state, "COMPLIANT")
  })

  it("refuses names of built-in types", async () => {
    const { body, status } = await post({ name: "attestry-sbom" })
    assert.strictEqual(status, 400)
    assert.property((body as { readonly errors: object }).errors, "name")
    assert.strictEqual((await post({ name: "attestry" })).status, 201)
  })

  it("archives a type: hidden from lists, refused in reports, and still readable", async () => {
    const archive = (type_name: string) =>
      call("PUT /custom-attestation-types/{org}/{type_name}/archive", { path: { type_name } })
    assert.deepStrictEqual((await archive("cover.age~1")).body, "OK")
    const names = async (query: string) =>
      ((await call("GET /custom-attestation-types/{org}", { query })).body as Shown[])
        .filter((type) => !("built_in" in type))
        .map(({ name }) => name)
    assert.deepStrictEqual(await names(""), ["attestry", "bare", "from-file"])
    assert.deepStrictEqual(await names("?archived=true"), [
      "attestry",
      "bare",
      "cover.age~1",
      "from-file"
    ])
    assert.strictEqual(((await get("cover.age~1")) as Shown).archived, true)
    const body = { attestation_name: "c", type_name: "cover.age~1", attestation_data: {} }
    assert.strictEqual((await attest("u", "custom", body)).status, 404)
    assert.isAbove((await named("t", "coverage")).length, 1)
    assert.strictEqual((await archive("unknown")).status, 404)
  })
})

onEveryStore("the built-in types", ({ call }) => {
  const KINDS = EvidenceKind.ALL.filter((kind) => kind !== "junit" && kind !== "snyk")
  const NAMES = KINDS.map((kind) => `attestry-${kind}`).sort()
  interface BuiltIn extends Shown {
    readonly built_in?: boolean
  }
  const list = async () =>
    (await call("GET /custom-attestation-types/{org}", { as: "reader" }))
      .body as ReadonlyArray<BuiltIn>
  const get = async (type_name: string, query = "") => {
    const path = { type_name }
    const { body } = await call("GET /custom-attestation-types/{org}/{type_name}", { path, query })
    return body as BuiltIn & { readonly versions: ReadonlyArray<{ readonly type_schema: unknown }> }
  }

  it("are listed by name among those of the org, which have no such member", async () => {
    for (const name of ["a-first", "z-last"])
      await call("POST /custom-attestation-types/{org}", { body: { name } })
    const all = await list()
    assert.deepStrictEqual(
      all.map(({ name }) => name),
      ["a-first", ...NAMES, "z-last"]
    )
    assert.deepStrictEqual(
      all.filter((type) => "built_in" in type).map(({ name }) => name),
      NAMES
    )
    assert.isTrue(all.every(({ built_in = true }) => built_in))
    assert.notProperty(await get("a-first"), "built_in")
  })

  it("have the JSON Schema of their facts with the result of verification", async () => {
    for (const kind of KINDS) {
      const type = await get(`attestry-${kind}`)
      assert.deepInclude(type, { built_in: true, archived: false })
      const [{ type_schema } = { type_schema: null }] = type.versions
      const { properties, required } = type_schema as {
        readonly properties: { readonly [name: string]: unknown }
        readonly required: ReadonlyArray<string>
      }
      assert.deepStrictEqual(properties.kind, { type: "string", enum: [kind] })
      assert.includeMembers([...required], ["kind", "subjects", "verification"])
      assert.deepStrictEqual((await get(`attestry-${kind}`, "?version=1")).versions, type.versions)
    }
    const path = { type_name: "attestry-none" }
    const absent = await call("GET /custom-attestation-types/{org}/{type_name}", { path })
    assert.strictEqual(absent.status, 404)
  })

  it("are not archived", async () => {
    const archive = async (type_name: string) =>
      (
        await call("PUT /custom-attestation-types/{org}/{type_name}/archive", {
          path: { type_name }
        })
      ).status
    assert.strictEqual(await archive("attestry-sbom"), 400)
    assert.strictEqual(await archive("attestry-none"), 404)
    assert.isTrue((await list()).some(({ name }) => name === "attestry-sbom"))
  })
})

onEveryStore("GET /custom-attestation-types/{org}/{type_name}", ({ call }) => {
  const post = (body: object) => call("POST /custom-attestation-types/{org}", { body })
  const get = async (type_name: string, query = "") =>
    (await call("GET /custom-attestation-types/{org}/{type_name}", { path: { type_name }, query }))
      .body

  it("leaves out an absent description", async () => {
    for (const [name, description] of [
      ["undescribed", undefined],
      ["null-described", null]
    ] as const) {
      await post({ name, description })
      assert.notProperty(await get(name), "description", name)
      assert.notProperty(await get(name, "?version=1"), "description", name)
    }
    const { body } = await call("GET /custom-attestation-types/{org}")
    const shown = (body as ReadonlyArray<Shown>).find(({ name }) => name === "undescribed")
    assert.notProperty(shown, "description")
    await post({ name: "empty-described", description: "" })
    assert.propertyVal(await get("empty-described"), "description", "")
  })
})
