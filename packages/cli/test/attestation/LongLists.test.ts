/** Lists of findings that are too long for one form are cut from the least severe; counts and the file stay. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { JSON_PART_BYTES_MAX } from "@attestry/api/Operation"
import { assert, beforeAll, it } from "vitest"
import { JSON_BYTES_MAX } from "../../src/attestation/Attest.js"
import { machineOf } from "../shared/Play.js"
import { folder, run } from "../shared/Run.js"
import { onEveryStore } from "../shared/TestDeployment.js"
import { JOB_OF_TRAIL } from "../shared/TestJob.js"

const SEVERITIES = ["low", "high", "medium"]

/** A scan with so many findings of each severity; titles are of two bytes for each letter. */
const scan = (count: number, last = "ü") => {
  const vulnerabilities = SEVERITIES.flatMap((severity) =>
    Array.from({ length: count }, (_, at) => ({
      id: `SNYK-${severity}-${at}`,
      severity,
      title: severity === "low" && at === count - 1 ? last : "ü".repeat(100)
    }))
  )
  return { packageManager: "npm", vulnerabilities }
}

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value))

onEveryStore("a scan with long lists", (deployment) => {
  const cwd = folder()
  const machine = machineOf({ cwd, deployment, env: JOB_OF_TRAIL })
  const argv = ["attest", "snyk", "scan.json", "-n", "scan", "-o", "json"]

  const tried = async (value: unknown) => {
    writeFileSync(join(cwd, "scan.json"), JSON.stringify(value))
    const { code, stdout, stderr } = await run([...argv, "--dry-run"], machine())
    assert.strictEqual(code, 0, stderr)
    return JSON.parse(stdout).payload
  }
  const listsOf = ({ snyk_results: { results } }: Awaited<ReturnType<typeof tried>>) =>
    ["high", "medium", "low"].map((severity) => results[0][severity].length)

  beforeAll(async () => {
    for (const line of [["put", "flow", "shop"], ["begin"]])
      assert.strictEqual((await run(line, machine())).code, 0)
  })

  it("leaves room in the part that the server takes", () => {
    assert.strictEqual(JSON_PART_BYTES_MAX - JSON_BYTES_MAX, 1_024)
  })

  it("is whole at the limit, and one byte more leaves out a finding of the least severity", async () => {
    const free = JSON_BYTES_MAX - bytesOf(await tried(scan(500))) - bytesOf({ truncated: true })
    assert.isAbove(free, 0)
    const room = (bytes: number) => tried(scan(500, "x".repeat(bytes)))
    const sizes = { whole: 0, cut: 0 }
    for (let bytes = free - 40; bytes < free + 40 && sizes.cut === 0; bytes += 1) {
      const payload = await room(bytes)
      const isWhole = payload.user_data === undefined
      if (isWhole) sizes.whole = bytes
      else sizes.cut = bytes
      assert.isAtMost(bytesOf(payload), JSON_BYTES_MAX)
      assert.deepStrictEqual(listsOf(payload), isWhole ? [500, 500, 500] : [500, 500, 499])
    }
    assert.isAbove(sizes.whole, 0)
    assert.strictEqual(sizes.cut, sizes.whole + 1)
  })

  it("keeps the worst, the counts and the whole file, and is accepted", async () => {
    const payload = await tried(scan(1_200))
    const [high = 0, medium = 0, low = 0] = listsOf(payload)
    assert.deepStrictEqual([high, low], [1_200, 0])
    assert.isAbove(medium, 0)
    assert.isBelow(medium, 1_200)
    assert.isAbove(bytesOf(payload), JSON_BYTES_MAX - 400)
    assert.deepStrictEqual(payload.user_data, { truncated: true })
    const [counts] = payload.snyk_results.results
    assert.deepInclude(counts, { high_count: 1_200, medium_count: 1_200, low_count: 1_200 })
    const { code, stdout, stderr } = await run(argv, machine())
    assert.strictEqual(code, 0, stderr)
    const recorded = JSON.parse(stdout)
    assert.strictEqual(recorded.compliant, false)
    assert.isAbove(recorded.files[0].size, JSON_PART_BYTES_MAX)
  })

  it("keeps room for the data of the user", async () => {
    writeFileSync(join(cwd, "data.json"), JSON.stringify({ note: "n".repeat(200_000) }))
    writeFileSync(join(cwd, "scan.json"), JSON.stringify(scan(500)))
    const { code, stdout } = await run([...argv, "--user-data", "data.json"], machine())
    assert.strictEqual(code, 0)
    assert.strictEqual(JSON.parse(stdout).compliant, false)
  })
})
