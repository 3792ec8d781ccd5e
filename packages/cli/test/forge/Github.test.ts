/** Pull requests of GitHub: pages, reviews, limits of requests, refusals. */
import { assert, describe, it } from "vitest"
import { SHA } from "../shared/TestJob.js"
import * as FakeForge from "./FakeForge.js"
import { attest, payloadOf, TOKEN, using } from "./PullRequestRun.js"

const ROOT = "/repos/acme/shop"

const pull = {
  number: 41,
  html_url: "https://github.example.org/acme/shop/pull/41",
  state: "closed",
  merged_at: "2026-11-16T10:00:00Z",
  created_at: "2026-11-15T10:00:00Z",
  merge_commit_sha: "c".repeat(40),
  title: "Add coupons",
  user: { login: "ada", id: 1 },
  head: { ref: "feature", sha: SHA },
  base: { ref: "main", sha: "b".repeat(40) }
}

const commit = (index: number) => ({
  sha: index.toString(16).padStart(40, "0"),
  html_url: `https://github.example.org/acme/shop/commit/${index}`,
  author: { login: "ada" },
  commit: {
    message: `change ${index}`,
    author: { name: "Ada", email: "ada@example.org", date: "2026-11-15T09:00:00Z" },
    committer: { name: "GitHub", email: "noreply@example.org", date: "2026-11-16T10:00:00Z" },
    verification: { verified: index % 2 === 0, reason: index % 2 === 0 ? "valid" : "unsigned" }
  }
})

const review = (login: string, state: string, at: string) => ({
  user: { login },
  state,
  commit_id: SHA,
  submitted_at: at
})

const routes = {
  [`GET ${ROOT}/commits/${SHA}/pulls`]: FakeForge.linked([{ number: 41 }], 100),
  [`GET ${ROOT}/pulls/41`]: { json: pull },
  [`GET ${ROOT}/pulls/41/reviews`]: FakeForge.linked(
    [
      review("max", "CHANGES_REQUESTED", "2026-11-15T11:00:00Z"),
      review("eve", "APPROVED", "2026-11-15T12:00:00Z"),
      review("max", "APPROVED", "2026-11-15T13:00:00Z"),
      review("eve", "DISMISSED", "2026-11-15T14:00:00Z"),
      review("bob", "COMMENTED", "2026-11-15T15:00:00Z"),
      review("max", "COMMENTED", "2026-11-15T16:00:00Z")
    ],
    2
  ),
  [`GET ${ROOT}/pulls/41/commits`]: FakeForge.linked(
    Array.from({ length: 250 }, (_, index) => commit(index)),
    100
  )
}

const isAllowed = ({ headers }: FakeForge.Asked) => headers.authorization === `Bearer ${TOKEN}`

const asking = (url: string) => ({
  forge: "github",
  repository: "acme/shop",
  url,
  env: { GITHUB_TOKEN: TOKEN }
})

const started = (first: ReadonlyArray<FakeForge.Answer> = []) =>
  FakeForge.start(routes, { isAllowed, first })

describe("attestry attest pull-request on GitHub", () => {
  it("reads every page of reviews and commits, and takes authors, not committers", () =>
    using(started(), async (forge) => {
      const payload = payloadOf(await attest(asking(forge.url)))
      assert.strictEqual(payload.git_provider, "github")
      const [found, ...others] = payload.pull_requests
      assert.lengthOf(others, 0)
      assert.deepStrictEqual(
        [found.state, found.author, found.title, found.head_ref, found.base_ref],
        ["merged", "ada", "Add coupons", "feature", "main"]
      )
      assert.strictEqual(found.merged_at, Date.parse("2026-11-16T10:00:00Z") / 1_000)
      assert.lengthOf(found.commits, 250)
      assert.deepStrictEqual(found.commits[2], {
        sha1: "2".padStart(40, "0"),
        message: "change 2",
        author: "Ada <ada@example.org>",
        author_username: "ada",
        timestamp: Date.parse("2026-11-15T09:00:00Z") / 1_000,
        url: "https://github.example.org/acme/shop/commit/2",
        verified: true,
        signature_state: "valid"
      })
    }))

  it("counts the last review of each reviewer: one that was dismissed approves nothing", () =>
    using(started(), async (forge) => {
      const [found] = payloadOf(await attest(asking(forge.url))).pull_requests
      assert.deepStrictEqual(
        found.approvers.map(({ username }: { readonly username: string }) => username),
        ["max"]
      )
      assert.lengthOf(found.reviews, 6)
    }))

  it("asks for one pull request where its number is known", () =>
    using(started(), async (forge) => {
      const ran = await attest({ ...asking(forge.url), more: ["--number", "41"] })
      assert.lengthOf(payloadOf(ran).pull_requests, 1)
      assert.isFalse(forge.asked.some(({ path }) => path.endsWith("/pulls")))
      const wrong = await attest({ ...asking(forge.url), more: ["--number", "41/../.."] })
      assert.strictEqual(wrong.code, 2)
    }))

  it("records that there is none", () =>
    using(
      FakeForge.start({ [`GET ${ROOT}/commits/${SHA}/pulls`]: { json: [] } }, { isAllowed }),
      async (forge) => {
        assert.deepStrictEqual(payloadOf(await attest(asking(forge.url))).pull_requests, [])
      }
    ))

  it("waits as a limit of requests says, and goes on", () => {
    const waits: Array<number> = []
    const now = 1_800_000_000_000
    const limited = [
      { status: 403, headers: { "x-ratelimit-remaining": "0", "x-ratelimit-reset": "1800000007" } },
      { status: 429, headers: { "retry-after": "3" } },
      { status: 502 }
    ]
    return using(started(limited), async (forge) => {
      const host = {
        now: () => now,
        sleep: async (millis: number) => {
          waits.push(millis)
        }
      }
      payloadOf(await attest({ ...asking(forge.url), host }))
      assert.deepStrictEqual(waits, [7_001, 3_001, 1_000])
    })
  })

  it("ends with 7 where the limit is beyond the time limit", () =>
    using(started([{ status: 429, headers: { "retry-after": "3600" } }]), async (forge) => {
      const { code, stderr } = await attest(asking(forge.url))
      assert.strictEqual(code, 7)
      assert.include(stderr, "3601 s")
      assert.lengthOf(forge.asked, 1)
    }))

  it("ends with 7 and the permission that is lacking where the token may not", () => {
    const refused = {
      status: 403,
      headers: { "x-accepted-github-permissions": "pull_requests=read" }
    }
    return using(started([refused]), async (forge) => {
      const { code, stderr } = await attest(asking(forge.url))
      assert.strictEqual(code, 7)
      assert.include(stderr, "pull_requests=read")
    })
  })

  it("ends with 7 where the repository cannot be seen, which is not the same as no pull request", () =>
    using(started(), async (forge) => {
      for (const repository of ["acme/other", "acme/shop/x"]) {
        const { code } = await attest({ ...asking(forge.url), repository })
        assert.strictEqual(code, repository === "acme/other" ? 7 : 2)
      }
      const { code } = await attest({ ...asking(forge.url), env: { GITHUB_TOKEN: "other-token" } })
      assert.strictEqual(code, 7)
    }))

  it("ends with 7 for a page elsewhere, and the token does not go there", () =>
    using(started(), async (elsewhere) => {
      const away = () => ({
        body: [],
        headers: { link: `<${elsewhere.url}/steal>; rel="next"` }
      })
      await using(
        FakeForge.start({ [`GET ${ROOT}/commits/${SHA}/pulls`]: away }, { isAllowed }),
        async (forge) => {
          assert.strictEqual((await attest(asking(forge.url))).code, 7)
          assert.lengthOf(elsewhere.asked, 0)
        }
      )
    }))

  it("ends with 7 for a page that is no JSON and for one that is no list", () =>
    using(
      FakeForge.start(
        { [`GET ${ROOT}/commits/${SHA}/pulls`]: { json: { message: "maintenance" } } },
        { isAllowed }
      ),
      async (forge) => {
        assert.strictEqual((await attest(asking(forge.url))).code, 7)
      }
    ))

  it("ends with 2 without a token and for an address in the clear, and with 7 where none listens", async () => {
    assert.strictEqual((await attest({ ...asking("http://127.0.0.1:1"), env: {} })).code, 2)
    assert.strictEqual((await attest(asking("http://forge.example.org"))).code, 2)
    assert.strictEqual((await attest(asking("http://127.0.0.1:1"))).code, 7)
  })
})
