/** Jobs by the variables that each CI sets, with neutral values. */
import { assert, describe, it } from "vitest"
import { commitUrlOf, repositoryOf, webUrlOf } from "../../src/job/Job.js"
import * as JobDetection from "../../src/job/JobDetection.js"

const SHA = "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f"

const detect = (env: JobDetection.Variables, event?: unknown) => {
  const { ci, commit, branch, tag, buildUrl, repository, pullRequest } = JobDetection.detect({
    env,
    event
  })
  return [ci, commit, branch, tag, buildUrl, repository?.url, repository?.provider, pullRequest]
}

const ACTIONS = {
  GITHUB_ACTIONS: "true",
  GITHUB_SHA: SHA,
  GITHUB_REF_NAME: "main",
  GITHUB_REF_TYPE: "branch",
  GITHUB_REPOSITORY: "acme/shop",
  GITHUB_REPOSITORY_ID: "42",
  GITHUB_SERVER_URL: "https://github.example.org",
  GITHUB_RUN_ID: "7",
  GITHUB_RUN_ATTEMPT: "1"
}

const URL = "https://github.example.org/acme/shop"

describe("a job", () => {
  it("of GitHub Actions: push, tag, repetition", () => {
    assert.deepStrictEqual(detect(ACTIONS), [
      "GitHub Actions",
      SHA,
      "main",
      undefined,
      `${URL}/actions/runs/7`,
      URL,
      "github",
      undefined
    ])
    const tag = detect({ ...ACTIONS, GITHUB_REF_TYPE: "tag", GITHUB_REF_NAME: "v1" })
    assert.deepStrictEqual(tag.slice(2, 4), ["v1", "v1"])
    const again = detect({ ...ACTIONS, GITHUB_RUN_ATTEMPT: "2" })
    assert.strictEqual(again[4], `${URL}/actions/runs/7/attempts/2`)
  })

  it("of GitHub Actions: the head of a pull request, not the merge commit that is not kept", () => {
    const event = { pull_request: { number: 41, head: { sha: "b".repeat(40) } } }
    const env = { ...ACTIONS, GITHUB_EVENT_NAME: "pull_request", GITHUB_HEAD_REF: "feature" }
    const job = JobDetection.detect({ env, event })
    assert.deepStrictEqual(
      [job.commit, job.branch, job.pullRequest],
      ["b".repeat(40), "feature", "41"]
    )
    assert.include(job.notes[0] ?? "", SHA)
  })

  it("of GitLab CI", () => {
    const env = {
      GITLAB_CI: "true",
      CI_COMMIT_SHA: SHA,
      CI_COMMIT_REF_NAME: "main",
      CI_JOB_URL: "https://gitlab.example.org/acme/shop/-/jobs/7",
      CI_PROJECT_PATH: "acme/shop",
      CI_PROJECT_ID: "42",
      CI_PROJECT_URL: "https://gitlab.example.org/acme/shop",
      CI_MERGE_REQUEST_IID: "3"
    }
    assert.deepStrictEqual(detect(env), [
      "GitLab CI",
      SHA,
      "main",
      undefined,
      env.CI_JOB_URL,
      env.CI_PROJECT_URL,
      "gitlab",
      "3"
    ])
  })

  it("of Azure DevOps", () => {
    const env = {
      TF_BUILD: "True",
      BUILD_SOURCEVERSION: SHA,
      BUILD_SOURCEBRANCH: "refs/heads/main",
      BUILD_BUILDID: "7",
      SYSTEM_COLLECTIONURI: "https://devops.example.org/acme/",
      SYSTEM_TEAMPROJECT: "my shop",
      BUILD_REPOSITORY_URI: "https://acme@devops.example.org/acme/shop/_git/api",
      BUILD_REPOSITORY_PROVIDER: "TfsGit"
    }
    assert.deepStrictEqual(detect(env), [
      "Azure DevOps",
      SHA,
      "main",
      undefined,
      "https://devops.example.org/acme/my%20shop/_build/results?buildId=7",
      "https://devops.example.org/acme/shop/_git/api",
      "cloudx-devops",
      undefined
    ])
  })

  it("of the other CIs", () => {
    const bitbucket = detect({
      BITBUCKET_BUILD_NUMBER: "7",
      BITBUCKET_COMMIT: SHA,
      BITBUCKET_BRANCH: "main",
      BITBUCKET_GIT_HTTP_ORIGIN: "http://bitbucket.org/acme/shop",
      BITBUCKET_PR_ID: "3"
    })
    assert.deepStrictEqual(bitbucket.slice(4), [
      "https://bitbucket.org/acme/shop/pipelines/results/7",
      "https://bitbucket.org/acme/shop",
      "bitbucket_cloud",
      "3"
    ])
    const jenkins = detect({
      JENKINS_URL: "https://ci.example.org/",
      GIT_COMMIT: SHA,
      GIT_BRANCH: "origin/main",
      BUILD_URL: "https://ci.example.org/job/7/",
      GIT_URL: "git@git.example.org:acme/shop.git"
    })
    assert.deepStrictEqual(jenkins.slice(0, 6), [
      "Jenkins",
      SHA,
      "main",
      undefined,
      "https://ci.example.org/job/7/",
      "https://git.example.org/acme/shop"
    ])
    const circle = detect({
      CIRCLECI: "true",
      CIRCLE_SHA1: SHA,
      CIRCLE_PULL_REQUEST: "https://github.example.org/acme/shop/pull/9"
    })
    assert.deepStrictEqual([circle[0], circle[7]], ["CircleCI", "9"])
    assert.strictEqual(detect({ TEAMCITY_VERSION: "1", BUILD_VCS_NUMBER: SHA })[1], SHA)
    const kite = detect({
      BUILDKITE: "true",
      BUILDKITE_COMMIT: SHA,
      BUILDKITE_BUILD_URL: "https://kite.example.org/7",
      BUILDKITE_JOB_ID: "j",
      BUILDKITE_PULL_REQUEST: "false"
    })
    assert.deepStrictEqual([kite[4], kite[7]], ["https://kite.example.org/7#j", undefined])
    assert.strictEqual(
      detect({ CODEBUILD_CI: "true", CODEBUILD_RESOLVED_SOURCE_VERSION: SHA })[1],
      SHA
    )
  })

  it("is none where no CI is recognised", () => {
    assert.strictEqual(detect({ CI: "true" })[0], "git")
  })
})

describe("a remote", () => {
  const ROWS: ReadonlyArray<readonly [string, string | undefined]> = [
    ["git@git.example.org:acme/shop.git", "https://git.example.org/acme/shop"],
    ["ssh://git@git.example.org:2222/acme/shop.git", "https://git.example.org/acme/shop"],
    ["https://user:pass@git.example.org/acme/shop.git", "https://git.example.org/acme/shop"],
    ["http://git.example.org:8080/acme/shop", "http://git.example.org:8080/acme/shop"],
    [
      "git@ssh.dev.azure.com:v3/acme/my%20shop/api",
      "https://dev.azure.com/acme/my%20shop/_git/api"
    ],
    ["/srv/git/shop.git", undefined],
    ["../shop", undefined],
    ["C:\\work\\shop", undefined]
  ]
  for (const [remote, expected] of ROWS)
    it(`${remote} is ${expected ?? "no address"}`, () => {
      assert.strictEqual(webUrlOf(remote), expected)
    })

  it("of Azure DevOps has the name that its forge knows", () => {
    for (const url of [
      "https://dev.azure.com/acme/my%20shop/_git/api",
      "https://acme.visualstudio.com/acme/my%20shop/_git/api"
    ]) {
      const { name, provider } = repositoryOf(url)
      assert.deepStrictEqual([name, provider], ["acme/my shop/api", "cloudx-devops"])
    }
  })

  it("has addresses of commits by its provider", () => {
    const of = (url: string) => commitUrlOf(repositoryOf(url), "c")
    assert.strictEqual(
      of("https://gitlab.example.org/a/b"),
      "https://gitlab.example.org/a/b/-/commit/c"
    )
    assert.strictEqual(of("https://bitbucket.org/a/b"), "https://bitbucket.org/a/b/commits/c")
    assert.strictEqual(of("https://git.example.org/a/b"), "https://git.example.org/a/b/commit/c")
  })
})
