/** `attestry assert pull-request`: the forge answers, and no server and no key of ours is needed. */
import { assert, describe, it } from "vitest"
import { run } from "../shared/Run.js"
import { JOB, SHA } from "../shared/TestJob.js"
import * as FakeForge from "./FakeForge.js"
import { CREDENTIALS, ROUTES, UNREVIEWED } from "./ForgeRoutes.js"
import { using } from "./PullRequestRun.js"

describe("attestry assert pull-request", () => {
  it("is yes for a commit with a pull request, and no with a reason for another", () =>
    using(FakeForge.start(ROUTES, { isAllowed: () => true }), async ({ url, asked }) => {
      const env = { ...JOB, ...CREDENTIALS, GITHUB_API_URL: url }
      const yes = await run(["assert", "pull-request", "-o", "json"], { env })
      assert.strictEqual(yes.code, 0, yes.stderr)
      const { compliant, pull_requests, repository, commit } = JSON.parse(yes.stdout)
      assert.deepStrictEqual([compliant, repository, commit], [true, "acme/shop", SHA])
      assert.strictEqual(pull_requests[0].url, "https://git.example.org/acme/shop/pull/41")
      const no = await run(["assert", "pull-request", "--commit", UNREVIEWED], { env })
      assert.strictEqual(no.code, 1)
      assert.include(no.stdout, "of acme/shop: no pull request")
      assert.include(no.stderr, "::error title=pull request::no pull request of acme/shop has")
      const quiet = ["assert", "pull-request", "--commit", UNREVIEWED, "--no-ci", "-q"]
      assert.strictEqual((await run(quiet, { env })).stdout, "NONE\n")
      for (const { method } of asked) assert.strictEqual(method, "GET")
    }))

  it("takes one pull request by its number", () =>
    using(FakeForge.start(ROUTES, { isAllowed: () => true }), async ({ url }) => {
      const env = { ...JOB, ...CREDENTIALS, GITHUB_API_URL: url }
      const argv = ["assert", "pull-request", "--number", "41", "-q"]
      const { code, stdout, stderr } = await run(argv, { env })
      assert.strictEqual(code, 0, stderr)
      assert.strictEqual(stdout, "https://git.example.org/acme/shop/pull/41\n")
    }))

  it("is no answer if the forge refuses, and wrong without a forge", () =>
    using(FakeForge.start(ROUTES, { isAllowed: () => false }), async ({ url }) => {
      const env = { ...JOB, ...CREDENTIALS, GITHUB_API_URL: url }
      assert.strictEqual((await run(["assert", "pull-request"], { env })).code, 7)
      const none = await run(["assert", "pull-request", "--commit", SHA], { env: CREDENTIALS })
      assert.strictEqual(none.code, 2)
      assert.include(none.stderr, "--forge azure")
    }))
})
