/** Merge requests of GitLab, and pull requests of Bitbucket Cloud and of Azure DevOps. */
import { assert, describe, it } from "vitest"
import { SHA } from "../shared/TestJob.js"
import * as FakeForge from "./FakeForge.js"
import { attest, payloadOf, TOKEN, using } from "./PullRequestRun.js"

const AT = "2026-11-15T09:00:00.000Z"
const SECONDS = Date.parse(AT) / 1_000

describe("attestry attest pull-request on GitLab", () => {
  const project = "/api/v4/projects/acme%2Fgroup%2Fshop"
  const request = {
    iid: 3,
    web_url: "https://gitlab.example.org/acme/group/shop/-/merge_requests/3",
    state: "merged",
    title: "Add coupons",
    author: { username: "ada" },
    source_branch: "feature",
    target_branch: "main",
    merge_commit_sha: null,
    squash_commit_sha: "d".repeat(40),
    created_at: AT,
    merged_at: AT
  }
  const commit = (index: number) => ({
    id: index.toString(16).padStart(40, "0"),
    message: `change ${index}`,
    author_name: "Ada",
    author_email: "ada@example.org",
    authored_date: AT,
    committer_name: "Bot",
    committed_date: "2026-11-16T09:00:00.000Z",
    parent_ids: ["e".repeat(40)],
    web_url: `https://gitlab.example.org/c/${index}`
  })
  const routes = {
    [`GET ${project}/repository/commits/${SHA}/merge_requests`]: FakeForge.linked([request], 20),
    [`GET ${project}/merge_requests/3`]: { json: request },
    [`GET ${project}/merge_requests/3/approvals`]: {
      json: { approved_by: [{ user: { username: "max" }, approved_at: AT }] }
    },
    [`GET ${project}/merge_requests/3/commits`]: FakeForge.linked(
      [commit(0), commit(1), commit(2)],
      2
    ),
    [`GET ${project}/repository/commits/${"1".padStart(40, "0")}/signature`]: {
      json: { signature_type: "PGP", verification_status: "verified" }
    }
  }
  const isAllowed = ({ headers }: FakeForge.Asked) =>
    headers["private-token"] === TOKEN || headers["job-token"] === TOKEN
  const asking = (url: string) => ({
    forge: "gitlab",
    repository: "acme/group/shop",
    url: `${url}/api/v4`,
    env: { GITLAB_TOKEN: TOKEN }
  })

  it("reads approvals, every commit and whether it is signed", () =>
    using(FakeForge.start(routes, { isAllowed }), async (forge) => {
      const { git_provider, pull_requests } = payloadOf(await attest(asking(forge.url)))
      assert.strictEqual(git_provider, "gitlab")
      const [found] = pull_requests
      assert.deepStrictEqual(found.approvers, [
        { username: "max", state: "APPROVED", timestamp: SECONDS }
      ])
      assert.deepStrictEqual(
        found.commits.map((each: { signature_state: string; verified: boolean }) => [
          each.signature_state,
          each.verified
        ]),
        [
          ["unsigned", false],
          ["verified", true],
          ["unsigned", false]
        ]
      )
      assert.strictEqual(found.merge_commit, "d".repeat(40))
      assert.strictEqual(found.commits[0].timestamp, SECONDS)
    }))

  it("takes the token of the job where there is no other, and says what it lacks", () =>
    using(FakeForge.start(routes, { isAllowed }), async (forge) => {
      const env = { CI_JOB_TOKEN: TOKEN }
      payloadOf(await attest({ ...asking(forge.url), env, more: ["--number", "3"] }))
      assert.isTrue(forge.asked.every(({ headers }) => headers["job-token"] === TOKEN))
      const denied = await FakeForge.start({}, { isAllowed: () => false })
      const { code, stderr } = await attest({ ...asking(denied.url), env })
      await denied.stop()
      assert.strictEqual(code, 7)
      assert.include(stderr, "set GITLAB_TOKEN with the scope read_api")
    }))

  it("waits for a rate limit whose end is given", () => {
    const waits: Array<number> = []
    const first = [{ status: 429, headers: { "ratelimit-reset": "1800000002" } }]
    return using(FakeForge.start(routes, { isAllowed, first }), async (forge) => {
      const host = {
        now: () => 1_800_000_000_000,
        sleep: async (millis: number) => {
          waits.push(millis)
        }
      }
      payloadOf(await attest({ ...asking(forge.url), host }))
      assert.deepStrictEqual(waits, [2_001])
    })
  })
})

describe("attestry attest pull-request on Bitbucket", () => {
  const root = "/2.0/repositories/acme/shop"
  const pull = {
    id: 7,
    title: "Add coupons",
    state: "MERGED",
    author: { display_name: "Ada L", nickname: "ada" },
    source: { branch: { name: "feature" }, commit: { hash: "9f1c2ab04c0d" } },
    destination: { branch: { name: "main" } },
    merge_commit: { hash: "cafe".repeat(3) },
    created_on: AT,
    links: { html: { href: "https://bitbucket.org/acme/shop/pull-requests/7" } },
    participants: [
      {
        user: { nickname: "max" },
        role: "REVIEWER",
        approved: true,
        state: "approved",
        participated_on: AT
      },
      {
        user: { nickname: "eve" },
        role: "REVIEWER",
        approved: false,
        state: "changes_requested",
        participated_on: AT
      },
      {
        user: { nickname: "bob" },
        role: "PARTICIPANT",
        approved: false,
        state: null,
        participated_on: AT
      }
    ]
  }
  const commit = (index: number) => ({
    hash: index.toString(16).padStart(40, "0"),
    message: `change ${index}`,
    date: AT,
    author: { raw: "Ada <ada@example.org>", user: { nickname: "ada" } },
    links: { html: { href: `https://bitbucket.org/acme/shop/commits/${index}` } },
    parents: [{ hash: "e".repeat(40) }]
  })
  const paged =
    (items: ReadonlyArray<unknown>, size: number): FakeForge.Route =>
    ({ path, query }, url) => {
      const page = Number(query.get("page") ?? "1")
      return {
        body: {
          pagelen: size,
          page,
          values: items.slice((page - 1) * size, page * size),
          ...(page * size < items.length ? { next: `${url}${path}?page=${page + 1}` } : {})
        }
      }
    }
  const routes = {
    [`GET ${root}/commit/${SHA}/pullrequests`]: paged([{ id: 7 }], 50),
    [`GET ${root}/pullrequests/7`]: { json: pull },
    [`GET ${root}/pullrequests/7/commits`]: paged([commit(0), commit(1), commit(2)], 2)
  }
  const isAllowed = ({ headers }: FakeForge.Asked) => headers.authorization === `Bearer ${TOKEN}`
  const asking = (url: string) => ({
    forge: "bitbucket",
    repository: "acme/shop",
    url: `${url}/2.0`,
    env: { BITBUCKET_TOKEN: TOKEN }
  })

  it("reads participants and every page of commits", () =>
    using(FakeForge.start(routes, { isAllowed }), async (forge) => {
      const { git_provider, pull_requests } = payloadOf(await attest(asking(forge.url)))
      assert.strictEqual(git_provider, "bitbucket")
      const [found] = pull_requests
      assert.deepStrictEqual(
        [found.state, found.author, found.url, found.head_ref],
        ["MERGED", "ada", "https://bitbucket.org/acme/shop/pull-requests/7", "feature"]
      )
      assert.deepStrictEqual(found.approvers, [
        { username: "max", state: "APPROVED", timestamp: SECONDS }
      ])
      assert.deepStrictEqual(
        found.reviews.map(({ state }: { readonly state: string }) => state),
        ["APPROVED", "CHANGES_REQUESTED"]
      )
      assert.lengthOf(found.commits, 3)
      assert.strictEqual(found.commits[0].author, "Ada <ada@example.org>")
    }))

  it("asks again while the pull requests of a repository are indexed", () =>
    using(
      FakeForge.start(routes, { isAllowed, first: [{ status: 202 }, { status: 202 }] }),
      async (forge) => {
        assert.lengthOf(payloadOf(await attest(asking(forge.url))).pull_requests, 1)
      }
    ))

  it("ends with 7 where commits are not linked to pull requests, and says so", () =>
    using(FakeForge.start({}, { isAllowed }), async (forge) => {
      const { code, stderr } = await attest(asking(forge.url))
      assert.strictEqual(code, 7)
      assert.include(stderr, "links of commits to pull requests are not installed")
    }))
})

describe("attestry attest pull-request on Azure DevOps", () => {
  const root = "/acme/my%20shop/_apis/git/repositories/api"
  const pull = {
    pullRequestId: 12,
    status: "completed",
    title: "Add coupons",
    createdBy: { displayName: "Ada L", uniqueName: "ada@example.org" },
    creationDate: AT,
    closedDate: AT,
    sourceRefName: "refs/heads/feature",
    targetRefName: "refs/heads/main",
    lastMergeCommit: { commitId: "c".repeat(40) },
    reviewers: [
      { uniqueName: "max@example.org", vote: 10 },
      { uniqueName: "eve@example.org", vote: 5 },
      { uniqueName: "bob@example.org", vote: -10 },
      { uniqueName: "sue@example.org", vote: 0 },
      { displayName: "Team", uniqueName: "vstfs:///Group", vote: 10, isContainer: true }
    ]
  }
  const commit = (index: number) => ({
    commitId: index.toString(16).padStart(40, "0"),
    comment: `change ${index}`,
    author: { name: "Ada", email: "ada@example.org", date: AT },
    committer: { name: "Bot", email: "bot@example.org", date: "2026-11-16T09:00:00Z" }
  })
  const commits: FakeForge.Route = ({ query }) => {
    const at = Number(query.get("continuationToken") ?? "0")
    const items = [commit(0), commit(1), commit(2)].slice(at, at + 2)
    return {
      body: { count: items.length, value: items },
      headers: at + 2 < 3 ? { "x-ms-continuationtoken": String(at + 2) } : {}
    }
  }
  const query: FakeForge.Route = ({ body }) => {
    const { queries } = JSON.parse(body)
    return {
      body: {
        queries,
        results: queries.map(({ type, items }: { type: string; items: [string] }) =>
          type === "commit" ? { [items[0]]: [{ pullRequestId: 12 }] } : {}
        )
      }
    }
  }
  const routes = {
    [`POST ${root}/pullrequestquery`]: query,
    [`GET ${root}/pullrequests/12`]: { json: pull },
    [`GET ${root}/pullrequests/12/commits`]: commits
  }
  const basic = `Basic ${Buffer.from(`:${TOKEN}`).toString("base64")}`
  const isAllowed = ({ headers }: FakeForge.Asked) => headers.authorization === basic
  const asking = (url: string) => ({
    forge: "azure",
    repository: "acme/my shop/api",
    url: `${url}/acme/`,
    env: { SYSTEM_ACCESSTOKEN: TOKEN }
  })

  it("finds pull requests by their commits and by the commit of the merge", () =>
    using(FakeForge.start(routes, { isAllowed }), async (forge) => {
      const { git_provider, pull_requests } = payloadOf(await attest(asking(forge.url)))
      assert.strictEqual(git_provider, "cloudx")
      for (const name of ["azure-devops", "cloudx", "cloudx-devops", "Azure"]) {
        const named = await attest({ ...asking(forge.url), forge: name })
        assert.strictEqual(payloadOf(named).git_provider, "cloudx", name)
      }
      const [found] = pull_requests
      assert.deepStrictEqual(
        [found.url, found.state, found.author, found.head_ref, found.merge_commit],
        [
          `${forge.url}/acme/my%20shop/_git/api/pullrequest/12`,
          "completed",
          "ada@example.org",
          "feature",
          "c".repeat(40)
        ]
      )
      assert.deepStrictEqual(
        found.approvers.map(({ username }: { readonly username: string }) => username),
        ["max@example.org", "eve@example.org"]
      )
      assert.lengthOf(found.reviews, 3)
      assert.lengthOf(found.commits, 3)
      assert.isTrue(forge.asked.every(({ query }) => query.get("api-version") === "7.1"))
    }))

  it("sends the token of a job as Bearer, and shows it nowhere", async () => {
    const job = "eyJhbGciOi.eyJzdWIiOi.c2lnbmF0dXJl"
    const allowed = ({ headers }: FakeForge.Asked) => headers.authorization === `Bearer ${job}`
    await using(FakeForge.start(routes, { isAllowed: allowed }), async (forge) => {
      const ran = await attest({ ...asking(forge.url), env: { SYSTEM_ACCESSTOKEN: job } })
      payloadOf(ran)
      assert.notInclude(ran.stdout + ran.stderr, job)
    })
  })

  it("ends with 7 and how to map the token where it is refused", () =>
    using(FakeForge.start(routes, { isAllowed: () => false }), async (forge) => {
      const { code, stderr } = await attest(asking(forge.url))
      assert.strictEqual(code, 7)
      assert.include(stderr, "SYSTEM_ACCESSTOKEN")
    }))
})
