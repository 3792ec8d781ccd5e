/** Issues, from services that answer as their references say (handwritten, not recorded). */
import { assert, describe, it } from "vitest"
import * as IssueKeys from "../../src/forge/IssueKeys.js"
import * as GitRepository from "../shared/GitRepository.js"
import { folder, run } from "../shared/Run.js"
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

  it("takes the issues of trailers alone, in small letters too", () =>
    serving({ "/rest/api/2/issue/SHOP-12": { fields: {} } }, async (url) => {
      const cwd = folder()
      const trailers = "Jira: shop-12, SHOP-13\nRefs: SHOP-14\njira: SHOP-15"
      const sha = GitRepository.commit(cwd, `OPS-1: coupons\n\nReverts OPS-2.\n\n${trailers}`)
      const env = { JIRA_PAT: "secret-token-1", GITHUB_ACTIONS: "true", GITHUB_REF_NAME: "OPS-3" }
      const attest = async (...flags: ReadonlyArray<string>) => {
        const about = ["-n", "ticket", "-f", "shop", "-T", "t", "--dry-run", "-o", "json"]
        const argv = ["attest", "jira", "--base-url", url, ...about, ...flags]
        return run(argv, { cwd, env })
      }
      const issuesOf = async (...flags: ReadonlyArray<string>): Promise<ReadonlyArray<string>> => {
        const { code, stdout, stderr } = await attest("--commit", sha, ...flags)
        assert.strictEqual(code, 0, stderr)
        const { jira_results } = JSON.parse(stdout).payload
        return jira_results.map(({ issue_id }: { issue_id: string }) => issue_id)
      }
      assert.deepStrictEqual(await issuesOf("--trailer", "Jira"), ["SHOP-12", "SHOP-13", "SHOP-15"])
      assert.deepStrictEqual(await issuesOf("--trailer", "refs"), ["SHOP-14"])
      assert.deepStrictEqual(await issuesOf("--trailer", "Refs", "--trailer", "Jira"), [
        "SHOP-14",
        "SHOP-12",
        "SHOP-13",
        "SHOP-15"
      ])
      assert.deepStrictEqual(await issuesOf("--trailer", "None"), [])
      assert.include(await issuesOf(), "OPS-3")
      assert.strictEqual((await attest("--trailer", "Jira", "--commit", SHA)).code, 7)
      const both = await attest("--trailer", "Jira", "--source", "A-1", "--commit", sha)
      assert.strictEqual(both.code, 2)
      const wrong = await attest("--trailer", "a)b", "--commit", sha)
      assert.strictEqual(wrong.code, 2)
    }))

  it("finds keys, and no other words", () => {
    assert.deepStrictEqual(IssueKeys.find(["A1-2 shop-3 SHOP-4x CVE-2026-1 SHOP-7, SHOP-7"], []), [
      "A1-2",
      "SHOP-7"
    ])
    assert.deepStrictEqual(IssueKeys.find(["A1-2 SHOP-7"], ["SHOP"]), ["SHOP-7"])
  })
})
