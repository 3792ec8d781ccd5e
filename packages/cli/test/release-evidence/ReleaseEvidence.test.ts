/** The evidence of releases on the command line: for people, as JSON and as CSV. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, beforeAll, it } from "vitest"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const POLICY = `_schema: https://attestry.dev/schemas/policy/v1
artifacts:
  attestations:
    - {type: generic, name: review}
    - {type: generic, name: scan}
`

onEveryStore("attestry get release-evidence", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment, env: JOB_OF_TRAIL, role: "admin" as const }
  const machine = machineOf(stage)
  const done = async (...argv: ReadonlyArray<string>) => {
    const ran = await run(argv, machine())
    assert.strictEqual(ran.code, 0, `${argv.join(" ")}: ${ran.stderr}${ran.stdout}`)
    return ran.stdout
  }
  const get = (...flags: ReadonlyArray<string>) => done("get", "release-evidence", ...flags)

  beforeAll(async () => {
    writeFileSync(join(cwd, "app.txt"), "app\n")
    writeFileSync(join(cwd, "policy.yaml"), POLICY)
    await done("put", "flow", "shop", "--description", "x")
    await done("put", "environment", "prod", "--kind", "server")
    await done("put", "policy", "gate", "policy.yaml")
    await done("begin")
    await done("attest", "artifact", "app.txt", "--slot", "app")
    await done("attest", "generic", "-n", "review")
    await done("report", "paths", "prod", "--path", "app=app.txt")
  })

  it("shows the requirements and the releases", async () => {
    const text = await get("--policy", "gate", "--environment", "prod")
    assert.include(text, "1 releases: 0 had everything that was required")
    assert.match(text, /review \(generic\) +1 +0 +0 +0 +0/)
    assert.match(text, /scan \(generic\) +0 +0 +0 +0 +1/)
    assert.match(text, /prod#1 .* met +missing/)
  })

  it("answers JSON and ids", async () => {
    const { policy, releases } = JSON.parse(await get("--policy", "gate", "-o", "json"))
    assert.deepStrictEqual(policy, { name: "gate", version: 1 })
    assert.strictEqual(releases.length, 1)
    assert.strictEqual((await get("-q")).trim(), releases[0].deployment_id)
  })

  it("prints the file, of a period", async () => {
    const lines = (await get("--policy", "gate", "--flow", "shop", "--csv")).trim().split("\n")
    assert.strictEqual(lines.length, 3)
    assert.strictEqual((await get("--csv", "--until", "2020-01-01")).trim().split("\n").length, 1)
    assert.strictEqual(
      (await run(["get", "release-evidence", "--csv", "--limit", "1"], machine())).code,
      2
    )
  })

  it("saves a capsule that proves the table, which is verified offline", async () => {
    const of = ["--policy", "gate", "--environment", "prod"]
    const offline = async (file: string) => {
      const { code, stderr, stdout } = await run(["capsule", "verify", file, "--proved"], {
        cwd,
        env: {}
      })
      assert.strictEqual(code, 0, stderr + stdout)
      return stdout
    }
    await get(...of, "--capsule", "releases.zip")
    const text = await offline("releases.zip")
    assert.include(text, "proved: the table of 1 releases from ")
    assert.match(text, /proved: prod#1 app: review met, by \S+ .* in entry \d+\n/)
    assert.match(text, /proved: prod#1 app: scan missing\n/)
    const flags = ["--flow", "shop", "--since", "1d", "--save", "templates.zip"]
    await done("capsule", "create", "--releases", ...flags)
    assert.include(await offline("templates.zip"), "proved: the table of 1 releases from ")
    for (const argv of [
      ["get", "release-evidence", "--capsule", "no.zip", "--csv"],
      ["capsule", "create", "--policy", "gate", "prod", "--save", "no.zip"],
      ["capsule", "create", "--save", "no.zip"]
    ])
      assert.strictEqual((await run(argv, machine())).code, 2, argv.join(" "))
  })
})
