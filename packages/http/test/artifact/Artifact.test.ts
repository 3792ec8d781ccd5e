/** Artifacts on the wire. */
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const fingerprint = "3b".repeat(32)

const report = {
  fingerprint,
  filename: "registry.example.org/api:1.4",
  git_commit: "9f1c2ab0000000000000000000000000000000aa",
  build_url: "https://ci.example.org/run/77",
  commit_url: "https://git.example.org/c/9f1c2ab",
  repo_url: "",
  trail_name: "9f1c2ab",
  template_reference_name: "api"
}

onEveryStore("POST /artifacts/{org}/{flow_name}", ({ call, journal }) => {
  const post = (body: unknown, flow = "payments") =>
    call("POST /artifacts/{org}/{flow_name}", { path: { flow_name: flow }, body })
  const records = async (flow: string) =>
    (await journal()).filter(
      ({ kind, content }) => kind === "artifact_creation_reported" && content.includes(flow)
    )

  it("is 201 with a string, and records a repeated report once", async () => {
    const body = { ...report, description: "twice" }
    for (let time = 0; time < 2; time++) {
      const answer = await post(body)
      assert.deepStrictEqual([answer.status, answer.body], [201, "OK"])
    }
    assert.strictEqual((await records('"twice"')).length, 1)
    await post({ ...body, filename: "another" })
    await post(body)
    assert.strictEqual((await records('"twice"')).length, 3)
  })

  it("accepts the old form without a trail", async () => {
    const { trail_name: _, template_reference_name: __, ...old } = report
    assert.strictEqual((await post({ ...old, commits_list: [] })).status, 201)
  })

  it("refuses a trail without a slot, and a slot without a trail", async () => {
    const { template_reference_name: _, ...half } = report
    const { status, body } = await post(half)
    assert.strictEqual(status, 400)
    assert.deepStrictEqual(Object.keys((body as { errors: object }).errors), [
      "template_reference_name"
    ])
  })

  it("refuses the first value outside each limit, with the field", async () => {
    const outside: ReadonlyArray<readonly [string, unknown]> = [
      ["fingerprint", "3b".repeat(32).slice(1)],
      ["fingerprint", `${fingerprint}a`],
      ["fingerprint", fingerprint.toUpperCase()],
      ["filename", ""],
      ["filename", "f".repeat(1025)],
      ["git_commit", "9f1c2ab0000000000000000000000000000000a"],
      ["trail_name", "t".repeat(256)],
      ["trail_name", "-t"],
      ["template_reference_name", "a.b"],
      ["build_url", ""],
      ["commit_url", ""],
      ["repo_url", "not an address"],
      ["annotations", ""],
      ["annotations", { "a b": "x" }],
      ["external_urls", { label: { href: "https://x", fingerprint: "short" } }],
      ["is_compliant", "yes"],
      ["surprise", 1]
    ]
    for (const [field, value] of outside) {
      const { status, body } = await post({ ...report, [field]: value })
      assert.strictEqual(status, 400, field)
      const [named] = Object.keys((body as { errors: object }).errors)
      assert.match(named ?? "", new RegExp(`^${field}`), field)
    }
  })

  it("accepts the last value inside each limit", async () => {
    const inside = {
      ...report,
      filename: "f".repeat(1024),
      trail_name: "t".repeat(255),
      template_reference_name: "A-z_0",
      is_compliant: true,
      template: "anything",
      user_data: { nested: [1, { deep: null }] },
      annotations: { a_b: "x" },
      external_urls: { label: { href: "https://x", fingerprint } }
    }
    assert.strictEqual((await post(inside)).status, 201)
  })
})
