/** Policies on the wire. SPEC §2.7, §4.6 */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"
import { policyYaml, type ShownPolicy } from "./Policies.js"

const yaml = policyYaml("  provenance:\n    required: true\n")

const form = (payload: object | undefined, file: string | undefined) => {
  const data = new FormData()
  if (payload !== undefined) data.append("payload", JSON.stringify(payload))
  if (file !== undefined) data.append("policy_file", new Blob([file]), "policy.yml")
  return data
}

onEveryStore("PUT /policies/{org}/{name}", ({ call, journal }) => {
  const put = (name: string, body: object) =>
    call("PUT /policies/{org}/{name}", { path: { name }, body })
  const get = async (name: string) =>
    (await call("GET /policies/{org}/{name}", { path: { name } })).body as ShownPolicy

  it("is 201 for a new policy and 200 for a repetition, and records one creation", async () => {
    const first = await put("once", { policy_yaml: yaml, description: "d", comment: "c" })
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    const again = await put("once", { policy_yaml: yaml, description: "d", comment: "other" })
    assert.deepStrictEqual([again.status, again.body], [200, "OK"])
    const { events, versions, ...policy } = await get("once")
    const { created_at, last_modified_at, created_by, ...rest } = policy
    assert.deepStrictEqual(rest, {
      name: "once",
      description: "d",
      archived: false,
      consuming_envs: []
    })
    assert.strictEqual(created_at, last_modified_at)
    assert.deepStrictEqual(versions, [
      { version: 1, comment: "c", created_by, timestamp: created_at, policy_yaml: yaml }
    ])
    assert.deepStrictEqual(events, [
      { type: "policy_created", timestamp: created_at, user: created_by, data: { version: 1 } }
    ])
    const entries = (await journal()).filter(({ content }) => content.includes('"once"'))
    assert.deepStrictEqual(
      entries.map(({ kind, subject }) => [kind, subject.type]),
      [["policy_created", "policy"]]
    )
  })

  it("creates a version exactly when a byte of the text differs, and an event for a description", async () => {
    await put("grows", { policy_yaml: yaml })
    await put("grows", { policy_yaml: `${yaml}# a comment\n`, comment: "second" })
    await put("grows", { policy_yaml: `${yaml}# a comment\n`, description: "new words" })
    await put("grows", { policy_yaml: yaml, description: "newer words", comment: "back" })
    const { created_at, description, events, last_modified_at, versions } = await get("grows")
    assert.deepStrictEqual(
      versions.map(({ comment, policy_yaml, version }) => [version, comment, policy_yaml]),
      [
        [1, "", yaml],
        [2, "second", `${yaml}# a comment\n`],
        [3, "back", yaml]
      ]
    )
    assert.deepStrictEqual(
      events.map(({ data, type }) => [type, data]),
      [
        ["policy_created", { version: 1 }],
        ["policy_version_created", { version: 2 }],
        ["policy_description_changed", {}],
        ["policy_version_created", { version: 3 }],
        ["policy_description_changed", {}]
      ]
    )
    assert.strictEqual(description, "newer words")
    assert.isAbove(last_modified_at, created_at)
  })

  it("replaces an absent description by an empty one", async () => {
    await put("described", { policy_yaml: yaml, description: "words" })
    await put("described", { policy_yaml: yaml })
    assert.strictEqual((await get("described")).description, "")
  })

  it("accepts a form with the text as a file", async () => {
    const raw = form({ description: "d", comment: "c", type: "env", name: "formed" }, yaml)
    const answer = await call("PUT /policies/{org}/{name}", { path: { name: "formed" }, raw })
    assert.strictEqual(answer.status, 201)
    assert.strictEqual((await get("formed")).versions[0]?.policy_yaml, yaml)
  })

  it("reports every problem of a text at once, each with its place", async () => {
    const text = `_schema: no-uri
artifacts:
  provenance:
    required: maybe
  attestations:
    - type: "*"
    - type: junit
      if: flow.name == "x"
    - type: pull-request
colour: red
`
    const { status, body } = await put("bad", { policy_yaml: text })
    assert.strictEqual(status, 400)
    const { errors, message } = body as { message: string; errors: Record<string, string> }
    assert.match(message, /^\d validation errors for Policy$/)
    assert.includeMembers(Object.keys(errors), [
      "_schema",
      "artifacts.provenance.required",
      "artifacts.attestations.0",
      "artifacts.attestations.1.if",
      "artifacts.attestations.2.type",
      "colour"
    ])
    assert.match(errors["artifacts.attestations.1.if"] ?? "", /^line 8, column 7: /)
    assert.match(errors.colour ?? "", /^line 10, column 1: /)
    const absent = await call("GET /policies/{org}/{name}", { path: { name: "bad" } })
    assert.strictEqual(absent.status, 404)
  })

  it("refuses a control that is not in the catalogue, with its place", async () => {
    const text = policyYaml("  attestations:\n    - type: decision\n      for_control: CTL-404\n")
    const { status, body } = await put("controlled", { policy_yaml: text })
    assert.strictEqual(status, 400)
    const { errors } = body as { errors: Record<string, string> }
    assert.match(
      errors["artifacts.attestations.0.for_control"] ?? "",
      /^line 5, column 7: there is no control `CTL-404`/
    )
  })

  it("refuses unknown fields, another type, and a name that differs from the path", async () => {
    const wrong = { policy_yaml: yaml, type: "org", colour: "red" }
    const { status, body } = await put("strict", wrong)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(Object.keys((body as { errors: object }).errors).sort(), [
      "colour",
      "type"
    ])
    const renamed = await put("strict", { policy_yaml: yaml, name: "loose" })
    assert.strictEqual(renamed.status, 400)
    assert.deepStrictEqual((renamed.body as { errors: object }).errors, {
      name: "Input should be the name in the path [input: loose]"
    })
    const none = await put("strict", { description: "no text" })
    assert.deepStrictEqual((none.body as { errors: object }).errors, {
      policy_yaml: "Field required [input: None]"
    })
    const both = await put("strict", { policy_yaml: yaml, policy_file: yaml })
    assert.strictEqual(both.status, 400)
  })

  it("accepts a name of 255 characters and refuses one of 256", async () => {
    assert.strictEqual((await put("n".repeat(255), { policy_yaml: yaml })).status, 201)
    const { status, body } = await put("n".repeat(256), { policy_yaml: yaml })
    assert.strictEqual(status, 400)
    assert.match(JSON.stringify(body), /"name":"String should have at most 255 characters/)
  })
})

onEveryStore("PUT /policies/{org}", ({ call }) => {
  it("reads the name from the payload of a form", async () => {
    const payload = { name: "sent", description: "d", comment: "c", type: "env" }
    const first = await call("PUT /policies/{org}", { raw: form(payload, yaml) })
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    const again = await call("PUT /policies/{org}", { raw: form(payload, yaml) })
    assert.deepStrictEqual([again.status, again.body], [200, "OK"])
  })

  it("reads the name from JSON", async () => {
    const body = { name: "plain", policy_yaml: yaml }
    assert.strictEqual((await call("PUT /policies/{org}", { body })).status, 201)
  })

  it("reports a missing part", async () => {
    const { status, body } = await call("PUT /policies/{org}", { raw: form(undefined, yaml) })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body, {
      message: "Input payload validation failed",
      errors: { payload: "Field required [input: None]" }
    })
    const nameless = await call("PUT /policies/{org}", { body: { policy_yaml: yaml } })
    assert.deepStrictEqual((nameless.body as { errors: object }).errors, {
      name: "Field required [input: None]"
    })
  })
})

onEveryStore("GET /policies/{org}", ({ call }) => {
  it("lists policies by name, each equal to its own response; none at first", async () => {
    assert.deepStrictEqual((await call("GET /policies/{org}")).body, [])
    for (const name of ["zeta", "alpha"])
      await call("PUT /policies/{org}", { body: { name, policy_yaml: yaml } })
    const { status, body } = await call("GET /policies/{org}")
    assert.strictEqual(status, 200)
    const alone = await Promise.all(
      ["alpha", "zeta"].map(
        async (name) => (await call("GET /policies/{org}/{name}", { path: { name } })).body
      )
    )
    assert.deepStrictEqual(body, alone)
  })
})

onEveryStore("GET /policies/{org}/{name}", ({ call }) => {
  it("is 404 with the name of the policy and of the org", async () => {
    const { status, body } = await call("GET /policies/{org}/{name}", { path: { name: "nobody" } })
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Policy 'nobody' does not exist in organization 'acme'"
    })
  })
})
