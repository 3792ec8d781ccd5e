/** The repository of evidence by flags, which come before the job. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB, SHA } from "../shared/TestJob.js"

const OWN = {
  id: "42",
  name: "acme/shop",
  url: "https://git.example.org/acme/shop",
  provider: "github"
}

const URL = "https://dev.azure.com/acme/pay/_git/api"

/** The fields of the repository and of the commit in the request that a command would send. */
const sent = async (
  argv: ReadonlyArray<string>,
  env: { readonly [name: string]: string } = JOB
) => {
  const flags = ["-f", "shop", "-T", "t1", "--dry-run", "-o", "json", "--field", "payload"]
  const ran = await run([...argv, ...flags], { env })
  return { ...ran, payload: ran.code === 0 ? JSON.parse(ran.stdout) : {} }
}

describe("the repository of evidence", () => {
  const ROWS: ReadonlyArray<readonly [ReadonlyArray<string>, object]> = [
    [[], OWN],
    [["--repository", "acme/shop"], OWN],
    [["--repo-id", "7"], { ...OWN, id: "7" }],
    [["--provider", "gitlab"], { ...OWN, provider: "gitlab" }],
    [["--provider", "azure-devops"], { ...OWN, provider: "cloudx-devops" }],
    [["--provider", "Azure DevOps"], { ...OWN, provider: "cloudx-devops" }],
    [["--provider", "cloudx-devops"], { ...OWN, provider: "cloudx-devops" }],
    [["--provider", "bitbucket-cloud"], { ...OWN, provider: "bitbucket_cloud" }],
    [
      ["--repo-url", "git@github.com:acme/pay.git"],
      { name: "acme/pay", url: "https://github.com/acme/pay", provider: "github" }
    ],
    [
      ["--repository", "acme/api", "--repo-id", "9", "--repo-url", URL, "--provider", "azure"],
      { id: "9", name: "acme/api", url: URL, provider: "cloudx-devops" }
    ]
  ]
  for (const [flags, expected] of ROWS)
    it(`is ${JSON.stringify(expected)} for ${flags.join(" ") || "the job"}`, async () => {
      const { code, payload, stderr } = await sent(["begin", ...flags])
      assert.strictEqual(code, 0, stderr)
      assert.deepStrictEqual(payload.repo_info, expected)
    })

  it("has the page of its commit", async () => {
    const { payload } = await sent(["begin", "--repo-url", "https://gitlab.com/acme/pay"])
    assert.strictEqual(payload.git_commit_info.url, `https://gitlab.com/acme/pay/-/commit/${SHA}`)
  })

  it("needs its address if it is not that of the job", async () => {
    for (const [env, ...flags] of [
      [JOB, "--repository", "acme/pay"],
      [{}, "--repo-id", "7"],
      [{}, "--provider", "github"]
    ] as const) {
      const { code, stderr } = await sent(["begin", ...flags], env)
      assert.strictEqual(code, 2)
      assert.include(stderr, "give --repo-url")
    }
    const { code, stderr } = await sent(["begin", "--repo-url", "shop"])
    assert.deepStrictEqual([code, stderr.includes("--repo-url expects an address")], [2, true])
    const typo = await sent(["begin", "--provider", "githb"])
    assert.include(typo.stderr, "did you mean `github`?")
  })
})

onEveryStore("the repository of evidence", (deployment) => {
  const cwd = folder()
  const env = { ...JOB, ATTESTRY_FLOW: "shop", ATTESTRY_TRAIL: "t1" }
  const machine = machineOf({ cwd, deployment, env })
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}`)
    return ran.stdout
  }

  it("is kept of trails, artifacts and attestations, and shown by its product", async () => {
    writeFileSync(join(cwd, "app.txt"), "app\n")
    await done("put", "flow", "shop", "--description", "x")
    const flags = ["--repository", "acme/api", "--repo-id", "9", "--repo-url", URL]
    const place = [...flags, "--provider", "azure-devops"]
    await done("begin", ...place)
    await done("attest", "artifact", "app.txt", "--slot", "app", ...place)
    await done("attest", "generic", "-n", "review", ...place)
    const repository = JSON.parse(await done("get", "repository", "acme/api", "-o", "json"))
    assert.deepStrictEqual(
      [repository.repo_id, repository.url, repository.provider],
      ["9", URL, "cloudx-devops"]
    )
    assert.match(await done("list", "repositories"), /^acme\/api {2}Azure DevOps {2}/m)
    for (const provider of ["azure-devops", "azure", "Azure DevOps"])
      assert.strictEqual(
        await done("list", "repositories", "--provider", provider, "-q"),
        "acme/api\n"
      )
    const [review] = JSON.parse(await done("list", "attestations", "-n", "review", "-o", "json"))
    assert.strictEqual(review.repo_info.name, "acme/api")
    const [artifact] = JSON.parse(
      await done("list", "artifacts", "--repo", "acme/api", "-o", "json")
    )
    assert.strictEqual(artifact.repo_url, URL)
  })
})
