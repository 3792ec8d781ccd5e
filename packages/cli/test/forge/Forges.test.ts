/** Pull requests and issues, from services that answer as their references say (handwritten, not recorded). */
import { assert, describe, it } from "vitest"
import * as IssueKeys from "../../src/forge/IssueKeys.js"
import { run } from "../shared/Run.js"
import * as StubServer from "../shared/StubServer.js"

const SHA = "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f"
const ABOUT = ["-n", "review", "-f", "shop", "-T", "t", "--commit", SHA, "--dry-run", "-o", "json"]

const serving = async <A>(
  answers: { readonly [path: string]: unknown },
  work: (url: string, server: StubServer.StubServer) => Promise<A>
): Promise<A> => {
  const known = new Map(Object.entries(answers))
  const server = await StubServer.start((request) => {
    const path = decodeURIComponent((request.url ?? "").replace(/\?.*$/, ""))
    const body = known.get(path)
    return body === undefined ? { status: 404, body: "{}" } : { body: JSON.stringify(body) }
  })
  try {
    return await work(server.url, server)
  } finally {
    await server.stop()
  }
}

describe("attestry attest pull-request", () => {
  const pull = {
    number: 41,
    html_url: "https://github.example.org/acme/shop/pull/41",
    state: "closed",
    merged_at: "2026-11-16T10:00:00Z",
    user: { login: "ada" },
    head: { ref: "feature" },
    base: { ref: "main" }
  }
  const commit = {
    sha: SHA,
    commit: { message: "m", author: { name: "A", email: "a@b", date: "2026-11-16T09:00:00Z" } }
  }
  const root = "/repos/acme/shop"
  const answers = {
    [`${root}/commits/${SHA}/pulls`]: [{ number: 41 }],
    [`${root}/pulls/41`]: pull,
    [`${root}/pulls/41/reviews`]: [
      { user: { login: "max" }, state: "APPROVED" },
      { user: { login: "x" }, state: "COMMENTED" }
    ],
    [`${root}/pulls/41/commits`]: [commit]
  }
  const argv = [
    "attest",
    "pull-request",
    "--forge",
    "github",
    "--repository",
    "acme/shop",
    ...ABOUT
  ]

  it("reads the pull requests of a commit with approvers and commits", () =>
    serving(answers, async (url, server) => {
      const ran = await run([...argv, "--forge-url", url, "-v"], {
        env: { GITHUB_TOKEN: "secret-token-1" }
      })
      assert.strictEqual(ran.code, 0, ran.stderr)
      const { git_provider, pull_requests } = JSON.parse(ran.stdout).payload
      assert.deepStrictEqual([git_provider, pull_requests.length], ["github", 1])
      assert.deepStrictEqual(
        [pull_requests[0].state, pull_requests[0].author, pull_requests[0].approvers.length],
        ["merged", "ada", 1]
      )
      assert.strictEqual(pull_requests[0].commits[0].author, "A <a@b>")
      assert.notInclude(ran.stdout + ran.stderr, "secret-token-1")
      assert.strictEqual(server.requests[0]?.headers.authorization, "Bearer secret-token-1")
    }))

  it("records that there is none", () =>
    serving({ [`${root}/commits/${SHA}/pulls`]: [] }, async (url) => {
      const ran = await run([...argv, "--forge-url", url], {
        env: { GITHUB_TOKEN: "secret-token-1" }
      })
      assert.deepStrictEqual(JSON.parse(ran.stdout).payload.pull_requests, [])
    }))

  it("reads merge requests with their approvals", () => {
    const project = "/projects/acme/shop"
    const request = {
      iid: 3,
      web_url: "https://gitlab.example.org/3",
      state: "merged",
      author: { username: "ada" }
    }
    return serving(
      {
        [`${project}/repository/commits/${SHA}/merge_requests`]: [request],
        [`${project}/merge_requests/3/approvals`]: { approved_by: [{ user: { username: "max" } }] },
        [`${project}/merge_requests/3/commits`]: [
          { id: SHA, author_name: "A", author_email: "a@b" }
        ]
      },
      async (url) => {
        const flags = ["--forge", "gitlab", "--repository", "acme/shop", "--forge-url", url]
        const ran = await run(["attest", "pull-request", ...flags, ...ABOUT], {
          env: { GITLAB_TOKEN: "secret-token-1" }
        })
        assert.strictEqual(ran.code, 0, ran.stderr)
        const [found] = JSON.parse(ran.stdout).payload.pull_requests
        assert.deepStrictEqual(found.approvers, [{ username: "max", state: "APPROVED" }])
      }
    )
  })

  it("ends with 2 without a token and with 7 where the forge refuses", async () => {
    assert.strictEqual((await run([...argv, "--forge-url", "http://127.0.0.1:1"])).code, 2)
    const env = { GITHUB_TOKEN: "secret-token-1" }
    assert.strictEqual((await run([...argv, "--forge-url", "http://127.0.0.1:1"], { env })).code, 7)
    const server = await StubServer.start(() => ({ status: 403, body: "{}" }))
    assert.strictEqual((await run([...argv, "--forge-url", server.url], { env })).code, 7)
    await server.stop()
  })
})

describe("attestry attest jira", () => {
  it("asks for every issue that is referred to, and says which do not exist", () =>
    serving({ "/rest/api/2/issue/SHOP-12": { fields: { summary: "s" } } }, async (url) => {
      const flags = ["--base-url", url, "--source", "SHOP-12 and SHOP-13, see CVE-2026-41284"]
      const ran = await run(["attest", "jira", ...flags, ...ABOUT], {
        env: { JIRA_USER: "ada", JIRA_TOKEN: "secret-token-1" }
      })
      assert.strictEqual(ran.code, 0, ran.stderr)
      const results = JSON.parse(ran.stdout).payload.jira_results
      assert.deepStrictEqual(
        results.map((each: { issue_id: string; issue_exists: boolean }) => [
          each.issue_id,
          each.issue_exists
        ]),
        [
          ["SHOP-12", true],
          ["SHOP-13", false]
        ]
      )
    }))

  it("finds keys, and no other words", () => {
    assert.deepStrictEqual(IssueKeys.find(["A1-2 shop-3 SHOP-4x CVE-2026-1 SHOP-7, SHOP-7"], []), [
      "A1-2",
      "SHOP-7"
    ])
    assert.deepStrictEqual(IssueKeys.find(["A1-2 SHOP-7"], ["SHOP"]), ["SHOP-7"])
  })
})
