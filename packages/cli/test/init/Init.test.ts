/** `attestry init`: the files of a repository; nothing that is there is changed. */
import { execFileSync } from "node:child_process"
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { golden } from "../shared/Golden.js"
import { folder, run } from "../shared/Run.js"

describe("attestry init", () => {
  it("writes settings, a template and a pipeline, which the other commands accept", async () => {
    for (const ci of ["github", "gitlab", "azure-devops", "bitbucket", "jenkins", "circleci"]) {
      const cwd = folder()
      const { code, stdout, stderr } = await run(["init", "--flow", "shop", "--ci", ci], { cwd })
      assert.strictEqual(code, 0, stderr)
      golden(`init-${ci}.pipe`, stdout)
      const show = await run(["config", "show", "-o", "json"], { cwd })
      assert.strictEqual(JSON.parse(show.stdout).settings.flow.value, "shop", show.stderr)
      const lint = await run(["policy", "lint", "ci/flow-template.yaml"], { cwd })
      assert.strictEqual(lint.code, 0, lint.stdout)
    }
  })

  it("lets the job sign in by its identity, or with a key where that is asked for", async () => {
    const workflow = async (...flags: ReadonlyArray<string>) => {
      const cwd = folder()
      const git = (...args: ReadonlyArray<string>) => execFileSync("git", args, { cwd })
      git("init", "--quiet")
      git("remote", "add", "origin", "git@github.com:acme/shop.git")
      const { stdout } = await run(["init", "--flow", "shop", "--ci", "github", ...flags], { cwd })
      return { stdout, text: readFileSync(join(cwd, ".github/workflows/attestry.yml"), "utf8") }
    }
    const identity = await workflow()
    assert.include(identity.text, "id-token: write")
    assert.notInclude(identity.text, "secrets.")
    assert.include(identity.stdout, "attestry put identity-rules ci-shop --github acme/shop")
    const key = await workflow("--with-key")
    assert.include(key.text, "secrets.ATTESTRY_API_KEY")
    assert.notInclude(key.text, "id-token")
    assert.include(key.stdout, "attestry key create ci-shop")
    assert.include(key.stdout, "attestry put account ci-shop --privilege member")
    const placed = await workflow("--with-key", "--space", "retail/payments")
    for (const command of [
      "attestry put account ci-shop --privilege none --space retail/payments",
      "attestry grant give account:ci-shop member retail/payments",
      "attestry key create ci-shop --scope pipeline --expires-in 90d"
    ])
      assert.include(placed.stdout, command)
  })

  it("asks on a terminal, and guesses the CI from what is there", async () => {
    const cwd = folder()
    mkdirSync(join(cwd, ".github"))
    const { code, stderr } = await run(["init"], { cwd, tty: true, typed: ["shop", ""] })
    assert.strictEqual(code, 0, stderr)
    assert.isTrue(existsSync(join(cwd, ".github/workflows/attestry.yml")))
  })

  it("takes Azure DevOps by each of its names", async () => {
    for (const ci of ["azure-devops", "azure", "Azure-Pipelines", "cloudx-devops"]) {
      const cwd = folder()
      const { code, stderr } = await run(["init", "--flow", "shop", "--ci", ci], { cwd })
      assert.strictEqual(code, 0, stderr)
      assert.isTrue(existsSync(join(cwd, "azure-pipelines.yml")), ci)
    }
    const guessing = folder()
    writeFileSync(join(guessing, "azure-pipelines.yml"), "steps: []\n")
    const { stdout } = await run(["init", "--flow", "shop"], { cwd: guessing })
    assert.include(stdout, "kept     azure-pipelines.yml")
    const typed = ["shop", "Azure DevOps"]
    const asked = await run(["init"], { cwd: folder(), tty: true, typed })
    assert.strictEqual(asked.code, 0, asked.stderr)
  })

  it("keeps what is there, and prints what it needs", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, ".gitlab-ci.yml"), "mine: {}\n")
    const argv = ["init", "--flow", "shop", "--ci", "gitlab"]
    const { stdout } = await run(argv, { cwd })
    assert.strictEqual(readFileSync(join(cwd, ".gitlab-ci.yml"), "utf8"), "mine: {}\n")
    assert.include(stdout, "kept     .gitlab-ci.yml")
    assert.include(stdout, "    - attestry begin")
    golden("init-again.json", (await run([...argv, "-o", "json"], { cwd })).stdout)
  })

  it("ends with 2 without a terminal and without a flow, and for a name that is none", async () => {
    assert.strictEqual((await run(["init", "--ci", "github"])).code, 2)
    assert.strictEqual((await run(["init", "--flow", "a b", "--ci", "github"])).code, 2)
    assert.strictEqual((await run(["init", "--flow", "shop"])).code, 2)
  })

  for (const url of [
    "http://127.0.0.1:8080",
    "http://localhost:8080",
    "http://[::1]:8080",
    "https://attestry.localhost",
    "http://0.0.0.0:8080"
  ])
    it(`writes no pipeline that asks ${url}, which no runner reaches`, async () => {
      const cwd = folder()
      const env = { ATTESTRY_URL: url, ATTESTRY_ALLOW_HTTP: "1" }
      const argv = ["init", "--flow", "shop", "--ci", "github"]
      const { code, stderr } = await run(argv, { cwd, env })
      assert.strictEqual(code, 2)
      assert.include(stderr, "the runners of a CI do not reach http")
      assert.include(stderr, "--url")
      assert.isFalse(existsSync(join(cwd, ".attestry.yaml")))
      const given = await run([...argv, "--url", "https://attestry.example.com"], { cwd, env })
      assert.strictEqual(given.code, 0, given.stderr)
    })

  it("writes nothing where it is only asked what it would write", async () => {
    const cwd = folder()
    await run(["init", "--flow", "shop", "--ci", "github", "--dry-run"], { cwd })
    assert.isFalse(existsSync(join(cwd, ".attestry.yaml")))
  })
})
