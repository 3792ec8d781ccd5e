/** The exit codes and the output of the example. */
import { execFile } from "node:child_process"
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { policyTest } from "@attestry/policy-lab/testing/PolicyTestKit"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import { laws } from "../laws.js"

const root = join(import.meta.dirname, "..")
const policy = join(root, "policy.yaml")
let folder = ""

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "attestry-laws-"))
})

afterAll(() => rm(folder, { recursive: true }))

const run = (...args: ReadonlyArray<string>) =>
  new Promise<{ readonly code: number; readonly printed: string }>((resolve) => {
    const child = execFile(process.execPath, [join(root, "dist/main.js"), ...args], (_, out, err) =>
      resolve({ code: child.exitCode ?? -1, printed: out + err })
    )
  })

const changed = async (from: string, to: string): Promise<string> => {
  const copy = join(folder, "changed.yaml")
  await writeFile(copy, (await readFile(policy, "utf8")).replaceAll(from, to))
  return copy
}

describe("property-test-a-policy", () => {
  it("exits with 0 and prints that each law holds", async () => {
    const { code, printed } = await run(policy)
    assert.strictEqual(
      printed,
      Object.keys(laws)
        .map((law) => `holds  ${law}\n`)
        .join("")
    )
    assert.strictEqual(code, 0)
  })

  it("exits with 1 and the smallest artifact that breaks a law", async () => {
    const careless = await run(await changed("CTL-7", "CTL-8"))
    assert.strictEqual(careless.code, 1)
    assert.include(careless.printed, "FAILS  risky software needs a passing decision about CTL-7")
    assert.match(careless.printed, /replay with \{ seed: -?\d+, path: "[\d:]+" \}/)
  })

  it("detects a pattern without an anchor", async () => {
    const open = await run(await changed("^vendor/", "vendor"))
    assert.strictEqual(open.code, 1)
    assert.include(open.printed, "FAILS  nothing of unknown origin is allowed")
  })

  it("exits with 2 for an invalid policy", async () => {
    const broken = await run(await changed("junit", "junt"))
    assert.strictEqual(broken.code, 2)
    assert.include(broken.printed, "unknown type `junt`")
    assert.strictEqual((await run()).code, 2)
  })

  it("works inside a test runner", async () => {
    const text = await readFile(policy, "utf8")
    for (const law of Object.values(laws)) policyTest(text, law)
  })
})
