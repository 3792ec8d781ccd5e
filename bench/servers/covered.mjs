/**
 * The assembled server without the worker of the log, whose coverage can be asked for: a line of its input names the
 * file into which it writes the modules and functions of ours that ran since the line before.
 */
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector/promises"
import { createInterface } from "node:readline"

const session = new Session()
session.connect()
await session.post("Profiler.enable")
await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: true })

createInterface({ input: process.stdin }).on("line", async (file) => {
  const { result } = await session.post("Profiler.takePreciseCoverage")
  const ran = result
    .filter(
      ({ url, functions }) =>
        url.includes("/packages/") && functions.some(({ ranges }) => ranges[0].count > 0)
    )
    .map(({ url }) => url.replace(/.*\/packages\/([^/]+)\/dist\//, "$1/").replace(/\.js$/, ""))
  writeFileSync(file, JSON.stringify(ran))
  process.stdout.write(`done ${file}\n`)
})

await import("./without-log-worker.mjs")
