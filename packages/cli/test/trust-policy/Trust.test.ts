/** The golden output of the commands about trust policies, on each store. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "vitest"
import { TRUST } from "../examples/ExampleFiles.js"
import { machineOf, player } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"

const KEYS = `keys:
  - id: release-2026
    public_key: |
      -----BEGIN PUBLIC KEY-----
      MCowBQYDK2VwAyEA/f4ifDG5rCDGJzrnOS5kJeSvU2zq7MwTTVt+Nu3LgXg=
      -----END PUBLIC KEY-----
    valid_until: 2020-01-01
`
const BAD = TRUST.replace("[provenance]", "[provenence]").replace(/san: .*/, 'san: "**"')

onEveryStore("what commands about trust policies print", (deployment) => {
  const cwd = folder()
  const stage = { cwd, deployment }
  const play = player(stage)
  const machine = machineOf(stage)
  const text = `${TRUST}${KEYS}`
  writeFileSync(join(cwd, "trust.yaml"), text)
  writeFileSync(join(cwd, "bad.yaml"), BAD)

  it("saves, shows and lists", async () => {
    const empty = await run(["trust", "versions"], machine())
    assert.strictEqual(empty.stdout, "there is no trust policy\n")
    assert.strictEqual((await run(["trust", "get"], machine())).code, 3)
    const saved = await run(["trust", "put", "trust.yaml", "--comment", "a key"], machine())
    assert.strictEqual(saved.stdout, "trust-policy of the org: created, version 1\n")
    await play("trust-put", ["trust", "put", "trust.yaml"])
    await play("trust-get", ["trust", "get"])
    await play("trust-versions", ["trust", "versions"])
    const printed = await run(["trust", "get", "1", "--as", "yaml"], machine())
    assert.strictEqual(printed.stdout, text)
    assert.match((await run(["trust", "get", "2"], machine())).stderr, /has no version 2/)
    assert.match((await run(["trust", "get", "x"], machine())).stderr, /a version has a number/)
  })

  it("sends no text with problems", async () => {
    const { code, stderr } = await run(["trust", "put", "bad.yaml"], machine())
    assert.strictEqual(code, 2)
    assert.match(stderr, /bad\.yaml:4:13.*unknown kind `provenence`: write `provenance`/s)
  })

  it("finds problems and remarks without a server", async () => {
    await play("trust-lint", ["trust", "lint", "trust.yaml", "bad.yaml", "--no-ci"], 1)
  })
})

describe("attestry trust lint", () => {
  it("ends with 1 for warnings if it is strict", async () => {
    const cwd = folder()
    writeFileSync(join(cwd, "trust.yaml"), `${TRUST}${KEYS}`)
    const argv = ["trust", "lint", "trust.yaml"]
    assert.strictEqual((await run(argv, { cwd })).code, 0)
    const strict = await run([...argv, "--strict"], { cwd })
    assert.strictEqual(strict.code, 1)
    assert.match(strict.stdout, /trust\.yaml:16:5: warning\[key_ended\]/)
  })
})
