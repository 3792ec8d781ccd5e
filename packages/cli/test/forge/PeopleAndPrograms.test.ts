/** People and programs of pull requests: logins of commits, marks of programs, whole messages, every commit. */
import { assert, describe, it } from "vitest"
import { SHA } from "../shared/TestJob.js"
import * as FakeForge from "./FakeForge.js"
import { attest, payloadOf, TOKEN, using } from "./PullRequestRun.js"

const AT = "2026-11-15T09:00:00.000Z"
const TRAILER = "\n\nCo-authored-by: Agent <agent@example.org>"

const shaOf = (index: number): string => index.toString(16).padStart(40, "0")

describe("people and programs on GitHub", () => {
  const ROOT = "/repos/acme/shop"
  const commit = (index: number, author: object = { login: "ada", type: "User" }) => ({
    sha: shaOf(index),
    author,
    commit: { message: `change${TRAILER}`, author: { name: "Ada", email: "ada@example.org" } }
  })
  const routesOf = (count: number) => ({
    [`GET ${ROOT}/pulls/41`]: {
      json: {
        number: 41,
        html_url: "https://github.example.org/acme/shop/pull/41",
        state: "open",
        user: { login: "Helper", type: "Bot" },
        commits: count,
        head: { ref: "feature", sha: SHA },
        base: { ref: "main", sha: "b".repeat(40) }
      }
    },
    [`GET ${ROOT}/pulls/41/reviews`]: {
      json: [
        { user: { login: "max", type: "User" }, state: "APPROVED", submitted_at: AT },
        { user: { login: "checker[bot]", type: "Bot" }, state: "COMMENTED", submitted_at: AT },
        { user: null, state: "COMMENTED", submitted_at: AT }
      ]
    },
    [`GET ${ROOT}/pulls/41/commits`]: {
      json: [commit(0), commit(1, { login: "Helper", type: "Bot" })]
    },
    [`GET ${ROOT}/compare/${"b".repeat(40)}...${SHA}`]: (asked: FakeForge.Asked, url: string) => {
      const items = Array.from({ length: 5 }, (_, index) => commit(index))
      const page = FakeForge.linked(items, 2)
      const answer = typeof page === "function" ? page(asked, url) : {}
      return { ...answer, body: { total_commits: items.length, commits: answer.body } }
    }
  })
  const found = (count: number) =>
    using(
      FakeForge.start(routesOf(count), {
        isAllowed: ({ headers }) => headers.authorization === `Bearer ${TOKEN}`
      }),
      async ({ url }) => {
        const env = { GITHUB_TOKEN: TOKEN }
        const asking = { forge: "github", repository: "acme/shop", url, env }
        return payloadOf(await attest({ ...asking, more: ["--number", "41"] })).pull_requests[0]
      }
    )

  it("names the programs among authors and reviewers once, and keeps trailers", async () => {
    const { programs, commits, reviews } = await found(2)
    assert.deepStrictEqual(programs, ["Helper", "checker[bot]"])
    assert.lengthOf(commits, 2)
    assert.lengthOf(reviews, 3)
    assert.include(commits[0].message, "Co-authored-by: Agent")
  })

  it("reads the commits of the comparison where the list of the pull request is not whole", async () => {
    const { commits, programs } = await found(5)
    assert.deepStrictEqual(
      commits.map(({ sha1 }: { readonly sha1: string }) => sha1),
      [0, 1, 2, 3, 4].map(shaOf)
    )
    assert.deepStrictEqual(programs, ["Helper", "checker[bot]"])
  })
})

describe("people on GitLab", () => {
  const project = "/api/v4/projects/acme%2Fshop"
  const commit = (index: number) => ({
    id: shaOf(index),
    message: `change${TRAILER}`,
    author_name: "Ada",
    author_email: "ada@example.org"
  })
  const routes = {
    [`GET ${project}/merge_requests/3`]: {
      json: { iid: 3, web_url: "https://gitlab.example.org/3", state: "merged" }
    },
    [`GET ${project}/merge_requests/3/approvals`]: {
      json: { approved_by: [{ user: { username: "ada" } }] }
    },
    [`GET ${project}/merge_requests/3/commits`]: { json: [0, 1, 2].map(commit) }
  }
  const users: FakeForge.Route = ({ body }) => {
    const { variables } = JSON.parse(body)
    assert.deepInclude(variables, { project: "acme/shop", iid: "3" })
    const isFirst = variables.after === null
    const nodes = isFirst
      ? [
          { sha: shaOf(0), author: { username: "ada" } },
          { sha: shaOf(1), author: null }
        ]
      : [{ sha: shaOf(2), author: { username: "project_3_bot" } }]
    const pageInfo = { hasNextPage: isFirst, endCursor: isFirst ? "next" : "end" }
    return { body: { data: { project: { mergeRequest: { commits: { nodes, pageInfo } } } } } }
  }
  const run = (more: { readonly [path: string]: FakeForge.Route }) =>
    using(
      FakeForge.start(
        { ...routes, ...more },
        { isAllowed: ({ headers }) => headers["private-token"] === TOKEN }
      ),
      async (forge) => {
        const env = { GITLAB_TOKEN: TOKEN }
        const asking = { forge: "gitlab", repository: "acme/shop", url: `${forge.url}/api/v4`, env }
        return attest({ ...asking, more: ["--number", "3"] })
      }
    )

  it("names the users of commits, whom lists of commits do not have", async () => {
    const ran = await run({ "POST /api/graphql": users })
    const { commits } = payloadOf(ran).pull_requests[0]
    assert.deepStrictEqual(
      commits.map(({ author_username }: { readonly author_username?: string }) => author_username),
      ["ada", undefined, "project_3_bot"]
    )
    assert.include(commits[0].message, "Co-authored-by: Agent")
    assert.notInclude(ran.stderr, "warning")
  })

  it.each([
    { refused: { status: 401, body: {} } },
    { refused: { body: { errors: [{ message: "no access" }] } } }
  ])("warns where the server does not tell users: %j", async ({ refused }) => {
    const ran = await run({ "POST /api/graphql": () => refused })
    const { commits } = payloadOf(ran).pull_requests[0]
    assert.strictEqual(commits[0].author, "Ada <ada@example.org>")
    assert.isUndefined(commits[0].author_username)
    assert.include(ran.stderr, "GITLAB_TOKEN with the scope read_api")
  })
})

describe("programs on Bitbucket", () => {
  it("names the accounts of apps", () => {
    const place = "/2.0/repositories/acme/shop/pullrequests/7"
    const app = { type: "app_user", nickname: "helper" }
    const routes = {
      [`GET ${place}`]: {
        json: {
          id: 7,
          state: "MERGED",
          author: app,
          links: { html: { href: "https://bitbucket.org/acme/shop/pull-requests/7" } },
          participants: [{ user: { type: "user", nickname: "max" }, state: "approved" }]
        }
      },
      [`GET ${place}/commits`]: {
        json: { values: [{ hash: shaOf(0), author: { raw: "x <x@example.org>", user: app } }] }
      }
    }
    return using(FakeForge.start(routes, { isAllowed: () => true }), async ({ url }) => {
      const env = { BITBUCKET_TOKEN: TOKEN }
      const asking = { forge: "bitbucket", repository: "acme/shop", url: `${url}/2.0`, env }
      const [found] = payloadOf(await attest({ ...asking, more: ["--number", "7"] })).pull_requests
      assert.deepStrictEqual(found.programs, ["helper"])
      assert.strictEqual(found.commits[0].author_username, "helper")
    })
  })
})

describe("people and programs on Azure DevOps", () => {
  it("names service identities, and reads messages whole", () => {
    const root = "/acme/shop/_apis/git/repositories/api"
    const commit = { commitId: SHA, author: { name: "Ada", email: "ada@example.org", date: AT } }
    const routes = {
      [`GET ${root}/pullrequests/12`]: {
        json: {
          pullRequestId: 12,
          status: "active",
          createdBy: { uniqueName: "Build\\0f9b6c1e", descriptor: "svc.ABC" },
          reviewers: [
            { uniqueName: "max@example.org", descriptor: "aad.ABC", vote: 10 },
            { uniqueName: "0f9b6c1e", descriptor: "aadsp.ABC", vote: 10 }
          ]
        }
      },
      [`GET ${root}/pullrequests/12/commits`]: {
        json: { value: [{ ...commit, comment: "change", commentTruncated: true }] }
      },
      [`GET ${root}/commits/${SHA}`]: { json: { ...commit, comment: `change${TRAILER}` } }
    }
    return using(FakeForge.start(routes, { isAllowed: () => true }), async ({ url }) => {
      const env = { SYSTEM_ACCESSTOKEN: TOKEN }
      const asking = { forge: "azure", repository: "shop/api", url: `${url}/acme`, env }
      const [found] = payloadOf(await attest({ ...asking, more: ["--number", "12"] })).pull_requests
      assert.deepStrictEqual(found.programs, ["0f9b6c1e", "Build\\0f9b6c1e"])
      assert.strictEqual(found.commits[0].message, `change${TRAILER}`)
    })
  })
})
