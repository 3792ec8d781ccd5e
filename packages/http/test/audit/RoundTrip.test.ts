/** Every field that a client may send is returned unchanged. SPEC §2.3, §2.5, §2.10 */
import { assert, it } from "vitest"
import { c1, c2, E, F } from "../shared/Evidence.js"
import { onEveryStore } from "../shared/TestServer.js"

const TEXT = 'Größe 日本 🚀 "quoted" \\ <b>&amp;</b> \t end'

const commit = (sha1: string) => ({
  sha1,
  message: TEXT,
  author: "Ada <ada@example.com>",
  author_username: "ada",
  branch: "feature/ü",
  timestamp: 1_790_000_000.123456,
  url: "https://git.example.org/c",
  parents: [c1, c2],
  verified: false,
  signature_state: "unsigned",
  signer_username: "eve",
  signed_by_platform: true
})

const repo = {
  id: "42",
  name: "team/sub/shop",
  url: "https://git.example.org/team/shop",
  description: TEXT,
  provider: "gitlab",
  namespace_path: ["team", "sub"],
  additional_info: { nested: [1, { deep: null }], zero: 0 }
}

const external_urls = {
  "Build log": { href: "https://ci.example.org/1" },
  Report: { href: "https://ci.example.org/2", fingerprint: F }
}

const user_data = { a: [1, 2.5, -0.001, 1e21, true, null, "x", {}], "": { b: {} }, ümlaut: TEXT }

/** The common fields of artifacts, trails and attestations. */
const shared = {
  description: TEXT,
  external_urls,
  user_data,
  annotations: { a_b: "1", "C-d": "" }
}

const flow = { flow_name: "audited" }

/** Fields of a response that were in a request. */
const echoed = (sent: object, answer: unknown) =>
  Object.fromEntries(
    Object.keys(sent).map((name) => [name, (answer as { [name: string]: unknown })[name]])
  )

const pullRequest = {
  url: "https://git.example.org/pr/1",
  state: "MERGED",
  author: "ada",
  title: TEXT,
  head_ref: "feature",
  base_ref: "main",
  merge_commit: c1,
  created_at: 1_790_000_000.5,
  merged_at: 1_790_000_100,
  approvers: [
    { state: "APPROVED", timestamp: 1_790_000_050, username: "eve" },
    { username: "max" }
  ],
  reviews: [
    { commit_sha: c1, state: "CHANGES_REQUESTED", timestamp: 1_790_000_040, username: "eve" }
  ],
  commits: [
    {
      sha1: c1,
      message: TEXT,
      author: "Ada <ada@example.com>",
      author_username: "ada",
      branch: "feature",
      timestamp: 1_789_999_999,
      url: "https://git.example.org/c",
      verified: false,
      signature_state: "invalid"
    },
    { sha1: c2, message: "", author: "", branch: "", timestamp: 0 }
  ]
}

/** The fields of each kind of attestation, and their names in a response. */
const KINDS: { readonly [kind: string]: { readonly sent: object; readonly shown?: object } } = {
  generic: { sent: { is_compliant: false } },
  junit: {
    sent: {
      junit_results: [
        { name: TEXT, failures: 0, errors: 0, skipped: 1, total: 2, duration: 0.5, timestamp: 1.5 },
        { name: "b", failures: 1, errors: 2, skipped: 0, total: 3, duration: 0 }
      ]
    }
  },
  snyk: {
    sent: {
      snyk_results: {
        schema_version: 1,
        tool: { name: "snyk", version: "1.2" },
        results: [
          {
            high_count: 1,
            medium_count: 0,
            low_count: 0,
            high: [
              {
                id: "V-1",
                message: TEXT,
                locations: [{ uri: "a.ts", lines: "1-2" }, { uri: "b.ts" }],
                priority_score: 1.5
              }
            ]
          }
        ]
      }
    }
  },
  sonar: {
    sent: {
      sonar_results: {
        serverUrl: "https://sonar.example.org",
        taskId: "t",
        status: "SUCCESS",
        analysedAt: "2026-01-01",
        revision: c1,
        project: { key: "k", name: TEXT, url: "https://sonar.example.org/k" },
        branch: { name: "main", type: "LONG" },
        pullRequest: "1",
        qualityGate: {
          status: "OK",
          conditions: [
            { metric: "m", errorThreshold: "1", operator: "GT", value: "0", status: "OK" },
            { metric: "n", errorThreshold: "1", operator: "GT", status: "NO_VALUE" }
          ]
        }
      }
    }
  },
  jira: {
    sent: {
      jira_results: [
        { issue_id: "A-1", issue_url: "https://j.example.org/A-1", issue_exists: true },
        {
          issue_id: "A-2",
          issue_url: "https://j.example.org/A-2",
          issue_exists: false,
          issue_fields: user_data
        }
      ]
    }
  },
  pull_request: { sent: { git_provider: "github", pull_requests: [pullRequest] } },
  custom: { sent: { type_name: "audited", attestation_data: user_data } },
  system: {
    sent: { type_name: "decision", control: "CTL-1", attestation_data: { is_compliant: true } }
  }
}

onEveryStore("what is sent comes back", ({ call }) => {
  it("an artifact: every field of 2.3", async () => {
    const body = {
      ...shared,
      fingerprint: F,
      filename: TEXT,
      git_commit: c1,
      build_url: "any text",
      commit_url: "any text",
      trail_name: "t.1-2_3~4",
      template_reference_name: "A-z_0",
      git_commit_info: commit(c1),
      commits_list: [commit(c2), { sha1: c1, message: null }],
      repo_info: repo,
      repo_url: "https://git.example.org/shop",
      is_compliant: false,
      template: "anything"
    }
    const operation = "POST /artifacts/{org}/{flow_name}"
    assert.strictEqual((await call(operation, { path: flow, body })).status, 201)
    const got = await call("GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}", {
      path: { ...flow, fingerprint: F }
    })
    assert.strictEqual(got.status, 200)
    assert.deepStrictEqual(echoed(body, got.body), body)
    const [listed] = (await call("GET /artifacts/{org}", { query: "?flow_name=audited" }))
      .body as ReadonlyArray<object>
    assert.deepStrictEqual(echoed(body, listed), body)
  })

  for (const [kind, { sent }] of Object.entries(KINDS)) {
    it(`an attestation of kind ${kind}: every field of its own and of all`, async () => {
      await call("POST /custom-attestation-types/{org}", { body: { name: "audited" } })
      const common = {
        ...shared,
        attestation_name: `a-${kind}`,
        git_commit_info: commit(c1),
        target_artifacts: ["A-z_0"],
        origin_url: "https://ci.example.org/1?a=b#c"
      }
      const form = new FormData()
      form.append("data_json", JSON.stringify({ ...common, ...sent, repo_info: repo }))
      form.append("attachment_file", new Blob(["evidence"]), "e.txt")
      const path = { ...flow, trail_name: "attested" }
      const answer = await call(`POST /attestations/{org}/{flow_name}/trail/{trail_name}/${kind}`, {
        path,
        raw: form
      })
      assert.strictEqual(answer.status, 201, JSON.stringify(answer.body))
      const got = await call(
        "GET /attestations/{org}/{flow_name}/trail/{trail_name}/{attestation_name}",
        { path: { ...path, attestation_name: `a-${kind}` } }
      )
      const [shown] = got.body as ReadonlyArray<object>
      assert.deepStrictEqual(echoed(common, shown), common)
      const { type_name: _, snyk_results, ...own } = sent as { [name: string]: unknown }
      const expected = snyk_results === undefined ? own : { processed_snyk_results: snyk_results }
      assert.deepStrictEqual(echoed(expected, shown), expected)
    })
  }

  it("a trail: every field, and an empty description or null for an absent one", async () => {
    const body = {
      name: "t.1-2_3~5",
      description: TEXT,
      user_data,
      git_commit_info: commit(c2),
      external_urls,
      origin_url: "https://ci.example.org/1"
    }
    const put = (sent: object) =>
      call("PUT /trails/{org}/{flow_name}", { path: flow, body: { ...sent, repo_info: repo } })
    assert.strictEqual((await put(body)).status, 201)
    const get = async (trail_name: string) =>
      (await call("GET /trails/{org}/{flow_name}/{trail_name}", { path: { ...flow, trail_name } }))
        .body as object
    assert.deepStrictEqual(echoed(body, await get(body.name)), body)
    await put({ name: "bare" })
    assert.deepStrictEqual(echoed(body, await get("bare")), {
      name: "bare",
      description: "",
      user_data: {},
      git_commit_info: null,
      external_urls: null,
      origin_url: null
    })
    const cleared = { name: body.name, description: "", user_data: {} }
    assert.strictEqual((await put(cleared)).status, 200)
    assert.deepStrictEqual(echoed(body, await get(body.name)), { ...body, ...cleared })
  })

  it("a repository: the fields of the first report", async () => {
    const got = await call("GET /repos/{org}/{repo_name}", { path: { repo_name: repo.name } })
    const { id: repo_id, ...named } = repo
    assert.deepStrictEqual(echoed({ ...named, repo_id }, got.body), { ...named, repo_id })
  })

  it("the trails of a commit: the fields of 2.10 alone", async () => {
    const { status, body } = await call("GET /search/{org}/commit/{sha}/trails", {
      path: { sha: c2 },
      query: "?per_page=1"
    })
    assert.strictEqual(status, 200)
    const { trails, ...envelope } = body as { trails: ReadonlyArray<Record<string, unknown>> }
    assert.sameMembers(Object.keys(envelope), [
      "page",
      "per_page",
      "total_pages",
      "total_count",
      "_links"
    ])
    assert.strictEqual(trails.length, 1)
    assert.sameMembers(Object.keys(trails[0] ?? {}), [
      "flow_name",
      "trail_name",
      "branch",
      "url",
      "_links"
    ])
    assert.deepInclude(trails[0], {
      flow_name: "audited",
      trail_name: "t.1-2_3~5",
      branch: "feature/ü"
    })
  })

  it("a flow, an attestation type and tags", async () => {
    const body = { name: "f.1-2_3~4", description: TEXT, visibility: "public" }
    assert.strictEqual((await call("PUT /flows/{org}", { body })).status, 201)
    const tags = { "a.b-c_d~e": TEXT, "0": "" }
    const tagged = await call("PATCH /tags/{org}/{resource_type}/{resource_id}", {
      path: { resource_type: "flow", resource_id: body.name },
      body: { set_tags: tags, remove_tags: null }
    })
    assert.deepStrictEqual([tagged.status, tagged.body], [200, "OK"])
    const got = await call("GET /flows/{org}/{flow_name}", { path: { flow_name: body.name } })
    assert.deepStrictEqual(echoed({ ...body, tags }, got.body), { ...body, tags })
    const type = {
      name: "typed",
      description: TEXT,
      evaluator: { content_type: "jq", rules: [".a > 1", '.b == "ü"'] },
      summary: [{ name: TEXT, expression: ".a" }]
    }
    const type_schema = { type: "object", properties: { a: { type: "number" } } }
    const form = new FormData()
    form.append("data_json", JSON.stringify(type))
    form.append("type_schema", new Blob([JSON.stringify(type_schema)]), "schema.json")
    const made = await call("POST /custom-attestation-types/{org}", { raw: form })
    assert.strictEqual(made.status, 201, JSON.stringify(made.body))
    const shown = (
      await call("GET /custom-attestation-types/{org}/{type_name}", {
        path: { type_name: "typed" }
      })
    ).body as { description: string; versions: ReadonlyArray<Record<string, unknown>> }
    assert.strictEqual(shown.description, TEXT)
    assert.deepInclude(shown.versions[0], {
      evaluator: type.evaluator,
      summary: type.summary,
      type_schema
    })
  })

  it("an allow-list entry", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    const path = { env_name: "prod" }
    const body = { artifact_fingerprint: E, artifact_name: TEXT, description: TEXT }
    const put = await call("PUT /allowlists/{org}/{env_name}", { path, body })
    assert.strictEqual(put.status, 201)
    const { body: listed } = await call("GET /allowlists/{org}/{env_name}", { path })
    assert.deepStrictEqual(echoed(body, (listed as ReadonlyArray<object>)[0]), body)
  })
})
