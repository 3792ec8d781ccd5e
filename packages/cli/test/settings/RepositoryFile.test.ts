/** `.attestry.yaml`: found upwards, strict, and never about keys. */
import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { folder, run } from "../shared/Run.js"

const repository = (text: string): string => {
  const root = folder()
  mkdirSync(join(root, ".git"))
  mkdirSync(join(root, "a/b"), { recursive: true })
  writeFileSync(join(root, ".attestry.yaml"), text)
  return root
}

const field = async (cwd: string, path: string, env = {}): Promise<string> =>
  (await run(["config", "show", "--field", path], { cwd, env })).stdout.trim()

describe(".attestry.yaml", () => {
  it("is found from a folder below it, and loses to variables and flags", async () => {
    const cwd = join(repository("org: acme\nflow: shop\n"), "a/b")
    assert.strictEqual(await field(cwd, "settings.flow.value"), "shop")
    assert.strictEqual(await field(cwd, "settings.flow.source"), "../../.attestry.yaml:2")
    assert.strictEqual(await field(cwd, "settings.org.value", { ATTESTRY_ORG: "b" }), "b")
    const { stdout } = await run(["begin", "t", "-f", "c", "--dry-run", "-o", "json"], { cwd })
    assert.strictEqual(JSON.parse(stdout).path.flow_name, "c")
  })

  for (const key of ["url", "ca_file", "proxy", "key"])
    it(`may not say \`${key}\``, async () => {
      const { code, stderr } = await run(["config", "show"], {
        cwd: repository(`org: a\n${key}: x\n`)
      })
      assert.strictEqual(code, 2)
      assert.include(stderr, ".attestry.yaml:2:1")
    })

  const WRONG: ReadonlyArray<readonly [string, string, string]> = [
    ["an unknown key", "flwo: a\n", "did you mean `flow`?"],
    ["a value of another kind", "flow: [a]\n", "expected a text"],
    ["an alias", "flow: &a b\n", "anchors are not allowed"],
    ["no mapping", "- a\n", "expected a mapping"],
    ["an artifact without a type", "artifacts: { web: { path: a } }\n", "needs a type"],
    ["a field that cannot be redacted", "redact: [sha1]\n", "is none of"]
  ]
  for (const [what, text, said] of WRONG)
    it(`ends with 2 for ${what}, with line and column`, async () => {
      const { code, stderr } = await run(["config", "show"], { cwd: repository(text) })
      assert.strictEqual(code, 2)
      assert.match(stderr, /\.attestry\.yaml:\d+:\d+: /)
      assert.include(stderr, said)
    })

  it("names a trail by its pattern, with other characters as dashes", async () => {
    const cwd = repository('flow: shop\ntrail: "{branch}-{short}"\n')
    const env = {
      GITLAB_CI: "true",
      CI_COMMIT_SHA: "9f1c2ab04c0d5e6f7a8b9c0d1e2f3a4b5c6d7e8f",
      CI_COMMIT_REF_NAME: "feature/über cool"
    }
    assert.strictEqual(await field(cwd, "settings.trail.value", env), "feature-ber-cool-9f1c2ab")
  })
})
