/** The exit codes and the output of the example. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "vitest"

const root = join(import.meta.dirname, "..")
const policy = join(root, "policy.yaml")
const facts = join(root, "facts.json")
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-evaluate-"))
})

afterAll(() => rm(folder, { recursive: true }))

const run = (...args: ReadonlyArray<string>) => start("dist/main.js", ...args)

const start = (program: string, ...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number; readonly printed: string }>((resolve) => {
    const child = execFile(process.execPath, [join(root, program), ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, printed: out + err })
    )
  })

const changed = async (file: string, from: string, to: string): Promise<string> => {
  const copy = join(folder, "changed")
  await writeFile(copy, (await readFile(file, "utf8")).replaceAll(from, to))
  return copy
}

describe("evaluate-in-ci", () => {
  it("exits with 0 for an artifact that the policy allows", async () => {
    const { code, printed } = await run(policy, facts)
    assert.strictEqual(code, 0)
    assert.include(printed, "shop:1.0: Compliant")
    assert.include(printed, "does not apply attestation snyk scan")
  })

  it("exits with 1 and prints what the policy requires", async () => {
    const { code, printed } = await run(policy, await changed(facts, '"low"', '"high"'))
    assert.strictEqual(code, 1)
    assert.include(printed, "FAILS          attestation snyk scan")
    assert.match(printed, /because there is no attestation `scan`.*: report a compliant one/)
  })

  it("exits with 2 and every problem of an invalid file", async () => {
    const broken = await run(await changed(policy, "junit", "junt"), facts)
    const unknown = await run(policy, await changed(facts, "trail_name", "trial_name"))
    const nothing = await run()
    assert.deepStrictEqual([broken.code, unknown.code, nothing.code], [2, 2, 2])
    assert.match(broken.printed, /:10:7: unknown type `junt`/)
    assert.match(unknown.printed, /flows\[0\]\.trail_name: Field required/)
    assert.match(unknown.printed, /flows\[0\]\.trial_name: Extra inputs are not permitted/)
    assert.include(nothing.printed, "usage:")
  })
})

describe("the tests of the policy", () => {
  const tests = join(root, "policy.test.yaml")

  it("exit with 0 when all pass, 1 when one fails and 2 for an invalid file", async () => {
    const good = await start("dist/tests.js", policy, tests)
    assert.strictEqual(good.code, 0)
    assert.include(good.printed, "2 passed, 0 failed")
    const wrong = await start("dist/tests.js", policy, await changed(tests, "NON-", ""))
    assert.strictEqual(wrong.code, 1)
    assert.include(wrong.printed, "expected COMPLIANT, found NON-COMPLIANT")
    const broken = await start("dist/tests.js", policy, await changed(tests, "expect:", "expcet:"))
    assert.strictEqual(broken.code, 2)
    assert.match(broken.printed, /unknown key `expcet`: write `expect`/)
  })
})
