/** Detects the CI job of this process, and fills gaps from `git`. */
import { readFileSync } from "node:fs"
import * as WorkingTree from "@attestry/client/node/PlainWorkingTree"
import { type Host, variable } from "../shared/Host.js"
import { type Job, repositoryOf, webUrlOf } from "./Job.js"
import * as JobDetection from "./JobDetection.js"

const EVENT_BYTES_MAX = 5_000_000

/** The event that started a workflow, as JSON; undefined without a readable file. */
const eventOf = (host: Host): unknown => {
  const path = variable(host, "GITHUB_EVENT_PATH")
  if (path === undefined) return undefined
  try {
    const text = readFileSync(path, "utf8")
    return text.length > EVENT_BYTES_MAX ? undefined : JSON.parse(text)
  } catch {
    // WHY: the event only adds details to the job.
    return undefined
  }
}

const LINE = /^\s*([^#!=:\s][^=:\s]*)\s*[=:]\s*(.*)$/

/** The properties of a TeamCity build; empty without a readable file. */
const propertiesOf = (host: Host): ReadonlyMap<string, string> => {
  const path = variable(host, "TEAMCITY_BUILD_PROPERTIES_FILE")
  if (path === undefined) return new Map()
  try {
    const lines = readFileSync(path, "latin1").slice(0, EVENT_BYTES_MAX).split(/\r?\n/)
    return new Map(
      lines.flatMap((line) => {
        const [, name, value] = LINE.exec(line) ?? []
        return name === undefined || value === undefined
          ? []
          : [[name, value.replaceAll(/\\(.)/g, "$1")] as const]
      })
    )
  } catch {
    // WHY: the properties only add details to the job.
    return new Map()
  }
}

/** The job of this process. */
export const find = async (host: Host): Promise<Job> => {
  const job = JobDetection.detect({
    env: host.env,
    event: eventOf(host),
    properties: propertiesOf(host)
  })
  const head = job.commit === undefined ? await WorkingTree.head(host.cwd) : undefined
  const remote = job.repository === undefined ? await WorkingTree.remote(host.cwd) : undefined
  const url = remote === undefined ? undefined : webUrlOf(remote)
  return {
    ...job,
    commit: job.commit ?? head?.commit,
    branch: job.branch ?? head?.branch,
    repository: job.repository ?? (url === undefined ? undefined : repositoryOf(url))
  }
}

const safe = (text: string): string =>
  text.replaceAll(/[^A-Za-z0-9._~-]+/g, "-").replace(/^[^A-Za-z0-9]+/, "")

/** The name of a trail from the pattern in the repository's file; undefined if the job lacks one of its variables. */
export const trailName = (pattern: string, job: Job, nowMs: number): string | undefined => {
  const parts = new Map<string, string | undefined>([
    ["commit", job.commit],
    ["short", job.commit?.slice(0, 7)],
    ["branch", job.branch],
    ["tag", job.tag],
    ["run", job.run],
    ["pr", job.pullRequest],
    ["date", new Date(nowMs).toISOString().slice(0, 10)]
  ])
  let isMissing = false
  const name = pattern.replaceAll(/\{([a-z]+)\}/g, (_, part: string) => {
    const value = parts.get(part)
    if (value === undefined) isMissing = true
    return safe(value ?? "")
  })
  return isMissing ? undefined : safe(name)
}
