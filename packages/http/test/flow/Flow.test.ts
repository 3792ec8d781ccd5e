/** Flows on the wire. */
import { assert, it } from "vitest"
import { c1, E, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const template = "version: 1\ntrail:\n  artifacts:\n    - name: api\n"

onEveryStore("PUT /flows/{org}", ({ call, journal }) => {
  it("is 201 for a new flow, 200 for a repetition, and records one creation", async () => {
    const body = { name: "once", description: "a flow" }
    assert.deepStrictEqual((await call("PUT /flows/{org}", { body })).status, 201)
    const again = await call("PUT /flows/{org}", { body })
    assert.strictEqual(again.status, 200)
    assert.strictEqual(again.body, "OK")
    const created = (await journal()).filter(
      ({ kind, content }) => kind === "flow_created" && content.includes('"once"')
    )
    assert.strictEqual(created.length, 1)
    const updated = (await journal()).filter(
      ({ kind, content }) => kind === "flow_updated" && content.includes('"once"')
    )
    assert.strictEqual(updated.length, 0)
  })

  it("converts a list of names to YAML", async () => {
    await call("PUT /flows/{org}", {
      body: { name: "legacy", description: "", template: ["artifact", "unit-tests"] }
    })
    const { body } = await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "legacy" } })
    assert.match(String((body as { template: string }).template), /unit-tests/)
  })

  it("reports every invalid field", async () => {
    const { status, body } = await call("PUT /flows/{org}", {
      body: { name: "no spaces", visibility: "secret", colour: "red" }
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body, {
      message: "Input payload validation failed",
      errors: {
        colour: "Extra inputs are not permitted [input: red]",
        name: "String should match pattern '^[a-zA-Z0-9][a-zA-Z0-9\\.\\-_~]*$' [input: no spaces]",
        description: "Field required [input: None]",
        visibility: "Input should be 'public' or 'private' [input: secret]"
      }
    })
  })

  it("accepts a name of 255 characters and refuses one of 256", async () => {
    const put = (name: string) => call("PUT /flows/{org}", { body: { name, description: "" } })
    assert.strictEqual((await put("n".repeat(255))).status, 201)
    const { status, body } = await put("n".repeat(256))
    assert.strictEqual(status, 400)
    assert.match(JSON.stringify(body), /"name":"String should have at most 255 characters/)
  })

  it("lets all of 64 identical concurrent calls succeed, and one create", async () => {
    const body = { name: "raced", description: "64 at once" }
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => call("PUT /flows/{org}", { body }))
    )
    const statuses = answers.map(({ status }) => status).sort()
    assert.deepStrictEqual(statuses, [...Array.from({ length: 63 }, () => 200), 201])
    const entries = (await journal()).filter(({ content }) => content.includes('"raced"'))
    assert.deepStrictEqual(
      entries.map(({ kind }) => kind),
      ["flow_created"]
    )
  })
})

onEveryStore("PUT /flows/{org}/template_file", ({ call }) => {
  const form = (parts: { readonly [name: string]: string }) => {
    const data = new FormData()
    for (const [name, text] of Object.entries(parts)) {
      if (name === "data_json") data.append(name, text)
      else data.append(name, new Blob([text]), "template.yml")
    }
    return data
  }

  it("accepts a form with the template as a file", async () => {
    const raw = form({ data_json: '{"name":"formed","description":"d"}', template_file: template })
    const put = await call("PUT /flows/{org}/template_file", { raw })
    assert.deepStrictEqual([put.status, put.body], [201, "OK"])
    const { body } = await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "formed" } })
    assert.strictEqual((body as { template: string }).template, template)
  })

  it("accepts the same fields as JSON", async () => {
    const body = { name: "plain", description: "d", template_file: template }
    assert.strictEqual((await call("PUT /flows/{org}/template_file", { body })).status, 201)
  })

  it("reports a missing part", async () => {
    const { status, body } = await call("PUT /flows/{org}/template_file", {
      raw: form({ template_file: template })
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(body, {
      message: "Input payload validation failed",
      errors: { data_json: "Field required [input: None]" }
    })
  })

  it("refuses an invalid template with every problem and its place", async () => {
    const body = { name: "bad", description: "d", template_file: "version: 2\ntrails: []\n" }
    const answer = await call("PUT /flows/{org}/template_file", { body })
    assert.strictEqual(answer.status, 400)
    const { message, errors } = answer.body as { message: string; errors: Record<string, string> }
    assert.strictEqual(message, "Input payload validation failed")
    assert.deepStrictEqual(Object.keys(errors).sort(), ["trails", "version"])
  })
})

onEveryStore("GET /flows/{org}/{flow_name}", (server) => {
  const { call } = server
  it("shows the fields that were put", async () => {
    await call("PUT /flows/{org}", { body: { name: "shown", description: "as put" } })
    const { status, body } = await call("GET /flows/{org}/{flow_name}", {
      path: { flow_name: "shown" }
    })
    assert.strictEqual(status, 200)
    const { id, ...flow } = body as { id: string }
    assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8}$/)
    assert.deepStrictEqual(flow as object, {
      name: "shown",
      description: "as put",
      visibility: "private",
      org: "acme",
      template: "version: 1\n",
      repo_url: "",
      last_deployment_at: null,
      tags: {}
    })
  })

  it("shows the repository of the newest artifact, and when it was last deployed", async () => {
    const { artifact } = evidenceOf(server, "deployed")
    const read = async () => {
      const path = { flow_name: "deployed" }
      const { body } = await call("GET /flows/{org}/{flow_name}", { path })
      const listed = await call("GET /flows/{org}", { query: "?search_by_name=deployed" })
      const [inList] = listed.body as ReadonlyArray<Record<string, unknown>>
      const { repo_url, last_deployment_at } = body as Record<string, unknown>
      assert.strictEqual(inList?.repo_url, repo_url)
      return { repo_url, last_deployment_at }
    }
    await artifact("t", "app", F, c1, { repo_url: "https://git.example.org/old" })
    await artifact("t", "app", E, c1, { repo_url: "https://git.example.org/new" })
    assert.deepStrictEqual(await read(), {
      repo_url: "https://git.example.org/new",
      last_deployment_at: null
    })
    await artifact("t", "app", F, c1)
    assert.strictEqual((await read()).repo_url, "")
    await call("PUT /environments/{org}", { body: { name: "flow-env", type: "docker" } })
    const report = await call("PUT /environments/{org}/{env_name}/report/docker", {
      path: { env_name: "flow-env" },
      body: { artifacts: [{ digests: { app: F }, creationTimestamp: 1 }] }
    })
    assert.strictEqual(report.status, 200)
    const snapshot = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name: "flow-env", snapshot_expression: "1" }
    })
    const { timestamp } = snapshot.body as { timestamp: number }
    assert.strictEqual((await read()).last_deployment_at, timestamp)
  })

  it("is 404 with the name of the flow and of the org", async () => {
    const { status, body } = await call("GET /flows/{org}/{flow_name}", {
      path: { flow_name: "nowhere" }
    })
    assert.strictEqual(status, 404)
    assert.deepStrictEqual(body, {
      message: "Flow named 'nowhere' does not exist for organization 'acme'"
    })
  })
})
