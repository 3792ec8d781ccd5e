/** `attest junit PATH…`: the results of test suites, from the XML files of test runners. */
import { readdirSync, statSync } from "node:fs"
import { join, resolve } from "node:path"
import { junit } from "@attestry/client/node/PromiseEvidence"
import { unreadable } from "../../shared/CommandFailure.js"
import * as AttachedFile from "../AttachedFile.js"
import { command } from "../Attest.js"

type Suites = Awaited<ReturnType<typeof junit>>["junit_results"]

const filesIn = (path: string): ReadonlyArray<string> =>
  statSync(path).isDirectory()
    ? readdirSync(path, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.toLowerCase().endsWith(".xml"))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort()
    : [path]

const read = async (path: string, shown: string): Promise<Suites> => {
  try {
    return (await junit(path)).junit_results
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause)
    throw unreadable(why.replace(path, shown), undefined, cause)
  }
}

const total = (suites: Suites, count: (suite: Suites[number]) => number): number =>
  suites.reduce((sum, suite) => sum + count(suite), 0)

const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`

/** Runs `attestry attest junit`. */
export const { run } = command({
  operation: "attestation.junit",
  word: "junit",
  gather: async ({ host }, args) => {
    const paths = args.positionals.map((path) => resolve(host.cwd, path))
    const suites: Array<Suites[number]> = []
    for (const [at, path] of paths.entries())
      suites.push(...(await read(path, args.positionals[at] ?? path)))
    const files = args.has("no-upload") ? [] : paths.flatMap(filesIn)
    return {
      fields: { junit_results: suites },
      files: files.map((file) => AttachedFile.fromPath(host.cwd, file)),
      summary: [
        plural(suites.length, "suite"),
        plural(
          total(suites, (suite) => suite.total),
          "test"
        ),
        plural(
          total(suites, (suite) => suite.failures),
          "failure"
        ),
        plural(
          total(suites, (suite) => suite.errors),
          "error"
        ),
        `${total(suites, (suite) => suite.skipped)} skipped`
      ].join(", "),
      findings: (style) =>
        suites
          .filter(({ failures, errors }) => failures + errors > 0)
          .map(
            ({ name, failures, errors }) =>
              `  ${style.tint("red", "FAILED")}  ${style.text(name)}: ` +
              `${plural(failures, "failure")}, ${plural(errors, "error")}`
          )
    }
  }
})
