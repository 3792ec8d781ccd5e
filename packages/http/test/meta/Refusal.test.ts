/** Error messages that clients compare literally. SPEC §7.1, §7.3 */
import { assert, it } from "vitest"
import { c1, evidenceOf, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const errorsOf = ({ status, body }: { status: number; body: unknown }) => [
  status,
  (body as { errors?: object }).errors
]

onEveryStore("refusals", (server) => {
  const { call } = server
  const { begin, artifact, generic, putFlow } = evidenceOf(server, "refused")

  it("requires an object where it has known fields, and a dictionary elsewhere", async () => {
    const EXTRACT = "Input should be a valid dictionary or object to extract fields from"
    assert.deepStrictEqual(errorsOf(await begin("t", { git_commit_info: "", repo_info: 7 })), [
      400,
      { git_commit_info: `${EXTRACT} [input: ]`, repo_info: `${EXTRACT} [input: 7]` }
    ])
    const report = (artifacts: unknown) =>
      call("PUT /environments/{org}/{env_name}/report/server", {
        path: { env_name: "none" },
        body: { artifacts }
      })
    assert.deepStrictEqual(errorsOf(await report([7])), [
      400,
      { "artifacts[0]": `${EXTRACT} [input: 7]` }
    ])
    assert.deepStrictEqual(
      errorsOf(await artifact("t", "app", F, c1, { annotations: "", external_urls: "" })),
      [
        400,
        {
          annotations: "Input should be a valid dictionary [input: ]",
          external_urls: "Input should be a valid dictionary [input: ]"
        }
      ]
    )
  })

  it("reports `user_data` that is no object under its alternative", async () => {
    const expected = [
      400,
      { "user_data.dict[any,any]": "Input should be a valid dictionary [input: ]" }
    ]
    const wrong = { user_data: "" }
    assert.deepStrictEqual(errorsOf(await generic("t", "lint", true, wrong)), expected)
    assert.deepStrictEqual(errorsOf(await begin("t", wrong)), expected)
    assert.deepStrictEqual(errorsOf(await artifact("t", "app", F, c1, wrong)), expected)
  })

  it("cannot interpret a text as a boolean, nor parse it as a number", async () => {
    const put = await call("PUT /environments/{org}", {
      body: { name: "e", type: "server", include_scaling: "", require_provenance: "maybe" }
    })
    const BOOLEAN = "Input should be a valid boolean, unable to interpret input"
    assert.deepStrictEqual(errorsOf(put), [
      400,
      {
        include_scaling: `${BOOLEAN} [input: ]`,
        require_provenance: `${BOOLEAN} [input: maybe]`
      }
    ])
    assert.deepStrictEqual(
      errorsOf(await begin("t", { git_commit_info: { sha1: c1, timestamp: "now", verified: [] } })),
      [
        400,
        {
          "git_commit_info.timestamp":
            "Input should be a valid number, unable to parse string as a number [input: now]",
          "git_commit_info.verified": "Input should be a valid boolean [input: []]"
        }
      ]
    )
  })

  it("refuses a template of a flow by field, and of a trail with the details", async () => {
    const template = "version: 2\ntrail: [1]\n"
    const errors = {
      version: "line 1, column 1: Input should be 1 [input: 2]",
      trail: "line 2, column 1: Input should be a valid dictionary [input: [1]]"
    }
    const flow = await putFlow(template)
    assert.deepStrictEqual(
      [flow.status, flow.body],
      [400, { message: "Input payload validation failed", errors }]
    )
    const trail = await begin("t", { template_file: template })
    const details = Object.entries(errors).map(([field, message]) => `${field}\n  ${message}`)
    assert.deepStrictEqual(
      [trail.status, trail.body],
      [400, { message: ["2 validation errors for Template", ...details].join("\n"), errors }]
    )
  })

  it("accepts an ssh URL of a repository", async () => {
    const addresses = [
      "git@git.example.org:team/shop.git",
      "ssh://git@git.example.org:22/team/shop.git",
      "https://git.example.org/team/shop",
      ""
    ]
    for (const repo_url of addresses)
      assert.strictEqual((await artifact("ssh", "app", F, c1, { repo_url })).status, 201, repo_url)
    for (const repo_url of [
      "git@git.example.org",
      "team/shop",
      "ssh://",
      "git@ x:y",
      "javascript:x"
    ])
      assert.deepStrictEqual(errorsOf(await artifact("ssh", "app", F, c1, { repo_url })), [
        400,
        { repo_url: `Input should be a valid URL [input: ${repo_url}]` }
      ])
  })

  it("checks the body of a report before its environment", async () => {
    const kinds = [
      "K8S",
      "docker",
      "server",
      "container-tasks",
      "functions",
      "object-store",
      "cloudx-apps",
      "serverless-run"
    ]
    const report = (env_name: string, kind: string, artifacts: unknown) =>
      call(`PUT /environments/{org}/{env_name}/report/${kind}`, {
        path: { env_name },
        body: { artifacts }
      })
    await call("PUT /environments/{org}", { body: { name: "gone", type: "server" } })
    await report("gone", "server", [])
    await call("PUT /environments/{org}/{env_name}/archive", { path: { env_name: "gone" } })
    await call("PUT /environments/{org}", { body: { name: "group", type: "logical" } })
    await call("PUT /environments/{org}", { body: { name: "host", type: "server" } })
    await report("host", "server", [{ creationTimestamp: 1, digests: { a: F } }])
    const expected = [400, { artifacts: "Input should be a valid list [input: 7]" }]
    for (const kind of kinds) {
      for (const env_name of ["unknown", "gone", "group", "host"])
        assert.deepStrictEqual(errorsOf(await report(env_name, kind, 7)), expected, env_name)
      assert.strictEqual((await report("unknown", kind, [])).status, 404)
      assert.strictEqual((await report("gone", kind, [])).status, 404)
    }
  })
})
