/** Trails on the wire. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const sha1 = "9f1c2ab0000000000000000000000000000000aa"

onEveryStore("PUT /trails/{org}/{flow_name}", ({ call, journal }) => {
  const begin = (flow: string, body: unknown) =>
    call("PUT /trails/{org}/{flow_name}", { path: { flow_name: flow }, body })

  it("is 201 for a new trail, creates its flow, and is 200 for a repetition", async () => {
    const body = { name: "t-1", description: "first", git_commit_info: { sha1, branch: "main" } }
    const first = await begin("auto", body)
    assert.deepStrictEqual([first.status, first.body], [201, "OK"])
    assert.strictEqual((await begin("auto", body)).status, 200)
    const flow = await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "auto" } })
    assert.strictEqual(flow.status, 200)
  })

  it("records an update with its changes, and no repetition", async () => {
    await begin("auto", { name: "t-2", description: "one", user_data: { a: 1 } })
    await begin("auto", { name: "t-2", description: "two" })
    await begin("auto", { name: "t-2", user_data: { a: 1 } })
    const updates = (await journal())
      .filter(({ kind, content }) => kind === "trail_updated" && content.includes('"t-2"'))
      .map(({ content }) => JSON.parse(content))
    assert.strictEqual(updates.length, 1)
    assert.deepStrictEqual(updates[0].changes, ["description"])
    assert.deepStrictEqual(updates[0].trail.user_data, { a: 1 })
  })

  it("shows an absent description as an empty text", async () => {
    await begin("auto", { name: "bare" })
    const { body } = await call("GET /trails/{org}/{flow_name}/{trail_name}", {
      path: { flow_name: "auto", trail_name: "bare" }
    })
    assert.strictEqual((body as { description: unknown }).description, "")
    const listed = await call("GET /trails/{org}", { query: "?flow=auto&per_page=1" })
    assert.deepStrictEqual(
      (listed.body as { data: ReadonlyArray<{ description: unknown }> }).data.map(
        ({ description }) => description
      ),
      [""]
    )
  })

  it("accepts a form with its JSON in the part `data_json`", async () => {
    const raw = new FormData()
    raw.append("data_json", JSON.stringify({ name: "t-3" }))
    const { status } = await call("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: "auto" },
      raw
    })
    assert.strictEqual(status, 201)
  })

  it("reports the field of an invalid commit, an invalid URL, and a key called `__proto__`", async () => {
    const { status, body } = await begin("auto", {
      name: "t-4",
      git_commit_info: { sha1: sha1.toUpperCase() },
      origin_url: ""
    })
    assert.strictEqual(status, 400)
    assert.deepStrictEqual((body as { errors: object }).errors, {
      "git_commit_info.sha1": `String should match pattern '^[a-f0-9]{40}$' [input: ${sha1.toUpperCase()}]`,
      origin_url: "Input should be a valid URL, input is empty [input: ]"
    })
    const raw = '{"name":"t-5","__proto__":{"polluted":true}}'
    const polluted = await call("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: "auto" },
      raw,
      headers: { "content-type": "application/json" }
    })
    assert.strictEqual(polluted.status, 400)
  })

  it("keeps free-form data exactly, whatever its keys", async () => {
    const raw =
      '{"name":"t-6","user_data":{"__proto__":1,"constructor":[null],"é":"\\ud83d\\ude00"}}'
    const { status } = await call("PUT /trails/{org}/{flow_name}", {
      path: { flow_name: "auto" },
      raw,
      headers: { "content-type": "application/json" }
    })
    assert.strictEqual(status, 201)
    const entry = (await journal()).find(({ content }) => content.includes('"t-6"'))
    assert.include(entry?.content, '"user_data":{"__proto__":1,"constructor":[null],"é":"😀"}')
  })

  it("lets all of 64 identical concurrent calls succeed, and one create", async () => {
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => begin("raced-flow", { name: "raced", description: "x" }))
    )
    assert.deepStrictEqual(answers.map(({ status }) => status).sort(), [
      ...Array.from({ length: 63 }, () => 200),
      201
    ])
    const entries = (await journal()).filter(({ content }) => content.includes('"raced'))
    assert.deepStrictEqual(entries.map(({ kind }) => kind).sort(), [
      "flow_created",
      "trail_reported"
    ])
  })
})
