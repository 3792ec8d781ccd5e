/**
 * The files of ours in which a function runs while a report that changes something is served: those that every write
 * runs too, and those of reports alone. Files that run in each of several such requests are counted, so that work in
 * the background is not.
 */
import { mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { artifactsOf, reportOf, startDeployment } from "./lib/deployment.mjs"

const REQUESTS = 6

/** Runs the count. */
export const run = async () => {
  const deployment = await startDeployment({
    main: join(import.meta.dirname, "servers/covered.mjs")
  })
  const { put, send, server } = deployment
  const folder = mkdtempSync(join(tmpdir(), "attestry-bench-"))
  const file = join(folder, "ran.json")
  let version = 0
  const report = () => {
    version += 1
    const artifacts = artifactsOf(10, (index) => (index === 0 ? version : 0))
    return send(put("/environments/bench/prod/report/cloudx-apps", reportOf(artifacts)))
  }
  const flow = () => {
    version += 1
    return send(put("/flows/bench", { name: "build", description: `version ${version}` }))
  }
  const filesOf = async (request) => {
    let common
    for (let count = 0; count < REQUESTS; count++) {
      await server.ask(file)
      await request()
      await server.ask(file)
      const ran = new Set(JSON.parse(readFileSync(file, "utf8")))
      common = common === undefined ? ran : new Set([...common].filter((each) => ran.has(each)))
    }
    return common
  }
  await send(put("/environments/bench", { name: "prod", type: "cloudx-apps" }))
  await report()
  const [reports, others] = [await filesOf(report), await filesOf(flow)]
  const own = [...reports].filter((each) => !others.has(each)).sort()
  process.stdout.write(
    `files on the path of a changed report: ${own.length} of reports alone, ` +
      `${reports.size - own.length} that a write of a flow runs too\n${own.join("\n")}\n`
  )
  rmSync(folder, { recursive: true, force: true })
  await deployment.stop()
}
