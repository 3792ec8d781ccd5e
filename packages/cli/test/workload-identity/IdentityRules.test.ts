/** Rules for pipelines without a stored key: each way to write them, and the tokens that they accept and refuse. */
import { generateKeyPairSync, sign } from "node:crypto"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import { Effect } from "effect"
import { assert, beforeAll, describe, it } from "vitest"
import * as IdentityRule from "../../src/workload-identity/IdentityRule.js"
import * as FakeForge from "../forge/FakeForge.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, type Ran, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2_048 })

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")

const tokenOf = (claims: object): string => {
  const now = Math.floor(Date.now() / 1_000)
  const times = { iat: now, nbf: now, exp: now + 300, jti: `job-${Math.random()}` }
  const content = `${encode({ typ: "JWT", alg: "RS256", kid: "k1" })}.${encode({ ...times, ...claims })}`
  return `${content}.${sign("sha256", Buffer.from(content), privateKey).toString("base64url")}`
}

/** The claims of a job of GitHub Actions, as its reference lists them. */
const githubClaims = (audience: string, more: object = {}) => ({
  iss: IdentityRule.GITHUB_ISSUER,
  aud: audience,
  sub: "repo:acme/shop:ref:refs/heads/main",
  actor: "ada",
  actor_id: "12",
  base_ref: "",
  event_name: "push",
  head_ref: "",
  job_workflow_ref: "acme/shop/.github/workflows/ci.yml@refs/heads/main",
  ref: "refs/heads/main",
  ref_type: "branch",
  repository: "acme/shop",
  repository_id: "74",
  repository_owner: "acme",
  repository_owner_id: "65",
  repository_visibility: "private",
  run_attempt: "2",
  run_id: "9876543210",
  run_number: "10",
  runner_environment: "github-hosted",
  sha: "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f",
  workflow: "ci",
  ...more
})

/** The claims of a job of GitLab CI. */
const gitlabClaims = (audience: string, more: object = {}) => ({
  iss: IdentityRule.GITLAB_ISSUER,
  aud: audience,
  sub: "project_path:acme/web/shop:ref_type:branch:ref:main",
  namespace_id: "72",
  namespace_path: "acme/web",
  project_id: "20",
  project_path: "acme/web/shop",
  pipeline_id: "574",
  job_id: "302",
  ref: "main",
  ref_type: "branch",
  ref_protected: "true",
  environment: "production",
  ...more
})

onEveryStore("identity rules", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: { ATTESTRY_ORG: "acme" } }
  const play = player(stage)
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>): Promise<string> => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }
  /** WHY before each sign-in: a store keeps keys of the issuers of saved rules alone. */
  const publishKeys = async () => {
    const { n, e } = publicKey.export({ format: "jwk" })
    const key = { kty: "RSA", kid: "k1", n: n ?? "", e: e ?? "" } as const
    for (const issuer of [IdentityRule.GITHUB_ISSUER, IdentityRule.GITLAB_ISSUER])
      await deployment().run(
        Effect.flatMap(WorkloadIdentityStore, (store) => store.saveKeys(issuer, [key]))
      )
  }
  const signIn = async (claims: object, argv = ["whoami", "-q"]): Promise<Ran> => {
    await publishKeys()
    return run(argv, {
      env: {
        ATTESTRY_URL: deployment().url,
        ATTESTRY_ORG: "acme",
        ATTESTRY_ID_TOKEN: tokenOf(claims)
      }
    })
  }
  const accepted = async (claims: object) => {
    const ran = await signIn(claims)
    assert.deepStrictEqual([ran.code, ran.stdout], [0, "ci-shop\n"], ran.stderr)
  }
  const refused = async (claims: object) => assert.strictEqual((await signIn(claims)).code, 4)

  beforeAll(async () => {
    await done("put", "account", "ci-shop", "--privilege", "member")
  })

  it("of GitHub accept a job of the branch, and no other repository, branch or number", async () => {
    const put = ["put", "identity-rules", "ci-shop", "--github", "acme/shop", "--branch", "main"]
    await play("put-identity-rules", [...put, "--repository-id", "74"])
    await play("get-identity-rules", ["get", "identity-rules", "ci-shop"])
    const audience = deployment().url
    await accepted(githubClaims(audience))
    for (const more of [
      { sub: "repo:acme/pay:ref:refs/heads/main", repository: "acme/pay", repository_id: "75" },
      { sub: "repo:eve/shop:ref:refs/heads/main", repository_id: "74" },
      { sub: "repo:acme/shop:ref:refs/heads/main-2" },
      { sub: "repo:acme/shop:pull_request" },
      { repository_id: "75" },
      { aud: "https://other.example.com" }
    ])
      await refused(githubClaims(audience, more))
  })

  it("are named by doctor as the way of sign-in of a job", async () => {
    const { stdout } = await signIn(githubClaims(deployment().url), ["doctor"])
    assert.match(stdout, /key +of ci-shop \([a-z_ -]+\), from the id token of the job/)
    assert.include((await run(["help", "identity"])).stdout, "attestry put identity-rules")
  })

  it("ask whether they are added or replaced, and change nothing if they are there", async () => {
    const put = ["put", "identity-rules", "ci-shop", "--github", "acme/shop", "--repository-id"]
    const unsaid = await run([...put, "74", "--environment", "prod"], machine())
    assert.deepStrictEqual([unsaid.code, unsaid.stdout], [2, ""])
    assert.include(unsaid.stderr, "--append")
    const again = JSON.parse(await done(...put, "74", "--branch", "main", "-o", "json"))
    assert.strictEqual(again.outcome, "unchanged")
    const added = JSON.parse(
      await done(...put, "74", "--environment", "prod", "--append", "-o", "json")
    )
    assert.deepStrictEqual(
      [added.outcome, added.rules.length, added.given.length],
      ["appended", 2, 1]
    )
    await accepted(githubClaims(deployment().url, { sub: "repo:acme/shop:environment:prod" }))
    await accepted(githubClaims(deployment().url))
    await done(...put, "74", "--tag", "v*", "--replace")
    await accepted(githubClaims(deployment().url, { sub: "repo:acme/shop:ref:refs/tags/v1.2" }))
    await refused(githubClaims(deployment().url))
  })

  it("of GitHub take the number from the job of the repository, or from the forge", async () => {
    const put = [
      "put",
      "identity-rules",
      "ci-shop",
      "--github",
      "acme/shop",
      "--replace",
      "-o",
      "json"
    ]
    const job = { GITHUB_REPOSITORY: "acme/shop", GITHUB_REPOSITORY_ID: "7" }
    const claimOf = ({ stdout }: Ran) => JSON.parse(stdout).rules[0].claims.repository_id
    assert.strictEqual(claimOf(await run(put, machine({ env: job }))), "7")
    const forge = await FakeForge.start(
      { "GET /repos/acme/shop": { json: { id: 74, full_name: "acme/shop" } } },
      { isAllowed: ({ headers }) => headers.authorization === "Bearer forge-token-123456" }
    )
    const env = { GITHUB_API_URL: forge.url, GITHUB_TOKEN: "forge-token-123456" }
    const asked = await run(put, machine({ env }))
    assert.strictEqual(claimOf(asked), "74", asked.stderr)
    const denied = await run(put, machine({ env: { GITHUB_API_URL: forge.url } }))
    assert.strictEqual(denied.code, 7)
    assert.include(denied.stderr, "--repository-id")
    const other = [...put.slice(0, 4), "acme/other", ...put.slice(5)]
    assert.strictEqual((await run(other, machine({ env }))).code, 7)
    await forge.stop()
    await accepted(githubClaims(deployment().url))
  })

  it("of GitLab accept a job of the project, and one environment of it", async () => {
    const put = [
      "put",
      "identity-rules",
      "ci-shop",
      "--gitlab",
      "acme/web/shop",
      "--project-id",
      "20"
    ]
    const audience = deployment().url
    await done(...put, "--branch", "main", "--replace")
    await accepted(gitlabClaims(audience))
    const branch = { sub: "project_path:acme/web/shop:ref_type:branch:ref:dev" }
    await refused(gitlabClaims(audience, branch))
    await refused(gitlabClaims(audience, { project_id: "21" }))
    await done(...put, "--environment", "production", "--replace")
    await accepted(gitlabClaims(audience, branch))
    await refused(gitlabClaims(audience, { ...branch, environment: "staging" }))
    const tag = { sub: "project_path:acme/web/shop:ref_type:tag:ref:v1" }
    await done(...put, "--tag", "v*", "--replace")
    await accepted(gitlabClaims(audience, tag))
  })

  it("of other issuers have a subject, claims, an audience and a lifetime", async () => {
    const rule = {
      issuer: "https://agent.buildkite.com",
      audience: "attestry",
      subject: "organization:acme:pipeline:shop:**",
      claims: { pipeline_id: "9" },
      lifetime: 300,
      single_use: true
    }
    const flags = ["--issuer", rule.issuer, "--subject", rule.subject, "--claim", "pipeline_id=9"]
    const more = ["--audience", "attestry", "--lifetime", "5m", "--single-use", "--replace"]
    await done("put", "identity-rules", "ci-shop", ...flags, ...more)
    const shown = await done("get", "identity-rules", "ci-shop", "-o", "json")
    assert.deepStrictEqual(JSON.parse(shown), { rules: [rule] })
    writeFileSync(join(cwd, "rules.json"), shown)
    await done("delete", "identity-rules", "ci-shop", "-y")
    await done("put", "identity-rules", "ci-shop", "rules.json")
    assert.strictEqual(await done("get", "identity-rules", "ci-shop", "-o", "json"), shown)
  })

  it("are deleted after a confirmation", async () => {
    assert.strictEqual((await run(["delete", "identity-rules", "ci-shop"], machine())).code, 2)
    await play("delete-identity-rules", ["delete", "identity-rules", "ci-shop", "-y"])
    await refused(githubClaims(deployment().url))
    const listed = await run(["get", "identity-rules", "ci-shop"], machine())
    assert.strictEqual(listed.stdout, "no rules\n")
  })

  it("are refused with 2 where flags contradict each other, and name a near account", async () => {
    const put = ["put", "identity-rules", "ci-shop"]
    writeFileSync(join(cwd, "none.json"), "{}")
    for (const [flags, code] of [
      [[], 2],
      [["--github", "acme"], 2],
      [["--github", "acme/shop", "--gitlab", "acme/shop"], 2],
      [["--github", "acme/shop", "--branch", "a", "--tag", "b"], 2],
      [["--github", "acme/shop", "--subject", "x"], 2],
      [["--github", "acme/shop", "--repository-id", "x"], 2],
      [["--github", "acme/shop", "--repository-id", "1", "--append", "--replace"], 2],
      [["--issuer", "https://a.example.org"], 2],
      [["--issuer", "http://a.example.org", "--subject", "a:b"], 2],
      [["--issuer", "https://a.example.org", "--subject", "a:b", "--branch", "x"], 2],
      [["rules.json", "--issuer", "https://a.example.org"], 2],
      [["none.json"], 7],
      [["--issuer", "https://a.example.org", "--subject", "*"], 6]
    ] as const)
      assert.strictEqual((await run([...put, ...flags], machine())).code, code, flags.join(" "))
    const near = await run(["get", "identity-rules", "ci-shpo"], machine())
    assert.strictEqual(near.code, 3)
    assert.include(near.stderr, "did you mean `ci-shop`?")
  })
})

describe("a rule of GitHub", () => {
  it("writes a colon of an environment as tokens have it", () => {
    const jobs = { branch: undefined, tag: undefined, environment: "prod:eu" }
    const { subject } = IdentityRule.ofGithub("https://i", { name: "a/b", id: "1" }, jobs)
    assert.strictEqual(subject, "repo:a/b:environment:prod%3Aeu")
  })
})
