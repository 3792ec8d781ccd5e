/** Environments on the wire. */
import { assert, it } from "vitest"
import { type Caller, onEveryStore } from "../shared/TestServer.js"

onEveryStore("PUT /environments/{org}", ({ call, journal }) => {
  const put = (body: unknown, as: Caller = "admin") => call("PUT /environments/{org}", { body, as })
  const get = async (name: string) =>
    (await call("GET /environments/{org}/{env_name}", { path: { env_name: name } })).body as Record<
      string,
      unknown
    >

  it("is 201 for a new environment and 200 for a repetition", async () => {
    const body = { name: "prod", type: "K8S", description: "where it runs" }
    const first = await put(body)
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    assert.strictEqual((await put(body)).status, 200)
    const { last_modified_at, ...shown } = await get("prod")
    assert.isNumber(last_modified_at)
    assert.deepStrictEqual(shown, {
      org: "acme",
      name: "prod",
      type: "K8S",
      description: "where it runs",
      last_reported_at: null,
      last_changed_at: null,
      state: null,
      include_scaling: false,
      require_provenance: false,
      tags: {},
      policies: [],
      policy_modes: {},
      due_at: null,
      report_every: null,
      when_silent: "warn",
      silent_since: null,
      included_environments: null
    })
  })

  it("keeps the description when an empty one is put", async () => {
    await put({ name: "kept", type: "server", description: "stays" })
    await put({ name: "kept", type: "server", description: "" })
    assert.strictEqual((await get("kept")).description, "stays")
  })

  it("refuses another type, a wrong case, and a name with a tilde", async () => {
    await put({ name: "typed", type: "docker" })
    const other = await put({ name: "typed", type: "server" })
    assert.strictEqual(other.status, 400)
    assert.deepStrictEqual(Object.keys((other.body as { errors: object }).errors), ["type"])
    assert.strictEqual((await put({ name: "cased", type: "k8s" })).status, 400)
    assert.strictEqual((await put({ name: "til~de", type: "K8S" })).status, 400)
  })

  it("lets a snapshotter create, and repeat, but not change", async () => {
    const body = { name: "owned", type: "server", description: "mine" }
    assert.strictEqual((await put(body, "snapshotter")).status, 201)
    assert.strictEqual((await put(body, "snapshotter")).status, 200)
    const change = await put({ ...body, description: "changed" }, "snapshotter")
    assert.strictEqual(change.status, 403)
    assert.strictEqual((await put({ ...body, description: "changed" }, "member")).status, 200)
  })

  it("lets all of 64 identical concurrent calls succeed, and one create", async () => {
    const body = { name: "raced", type: "server" }
    const answers = await Promise.all(Array.from({ length: 64 }, () => put(body)))
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
      ...Array.from({ length: 63 }, () => 200),
      201
    ])
    const entries = (await journal()).filter(({ content }) => content.includes('"raced"'))
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      ["environment_created"]
    )
  })
})

onEveryStore("GET /environments/{org}/{env_name}", ({ call }) => {
  it("is 404 with the name of the environment and of the org", async () => {
    const { status, body } = await call("GET /environments/{org}/{env_name}", {
      path: { env_name: "nowhere" }
    })
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Environment named 'nowhere' does not exist for organization 'acme'"
    })
  })
})
