/**
 * The checks of `attestry doctor` on this machine: settings, git, the CI job, container runtimes, the spool and Node.
 */
import { existsSync } from "node:fs"
import { join } from "node:path"
import type { Settings } from "../settings/Settings.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as Duration from "../shared/Duration.js"
import { type Host, variable } from "../shared/Host.js"
import * as SpoolStore from "../spool/SpoolStore.js"
import { type Check, failed, ok, skip, warn } from "./Check.js"

/** Checks that the settings can be read. */
export const settingsCheck = async (
  context: CommandContext
): Promise<{ readonly check: Check; readonly settings: Settings | undefined }> => {
  try {
    const settings = await context.settings()
    const { profile, repository, url } = settings
    const parts = [
      ...(profile === undefined ? [] : [`profile ${profile.value}`]),
      ...(repository === undefined ? [] : [repository.shownPath]),
      ...(url === undefined ? [] : [`address from ${url.source}`])
    ]
    if (url === undefined) throw (await import("../settings/Settings.js")).noUrl()
    return { check: ok("settings", parts.join("; ")), settings }
  } catch (thrown) {
    return { check: failed("settings", thrown), settings: undefined }
  }
}

/** Checks the commit, and which CI runs this. */
export const jobChecks = async (context: CommandContext): Promise<ReadonlyArray<Check>> => {
  const { ci, commit, notes } = await context.job()
  const remarks = notes.length === 0 ? "" : ` (${notes.join("; ")})`
  return [
    commit === undefined
      ? warn("commit", "none is known", "run in a working tree, or give --commit")
      : ok("commit", `${commit}${remarks}`),
    ci === "git" ? skip("job", "no CI is recognised here") : ok("job", ci)
  ]
}

const dockerCheck = (host: Host): Check => {
  const address = variable(host, "DOCKER_HOST") ?? "unix:///var/run/docker.sock"
  const socket = address.startsWith("unix://") ? address.slice("unix://".length) : undefined
  if (socket === undefined) return ok("docker", address)
  return existsSync(socket) ? ok("docker", socket) : skip("docker", `there is no ${socket}`)
}

const kubernetesCheck = (host: Host): Check => {
  if (variable(host, "KUBERNETES_SERVICE_HOST") !== undefined)
    return ok("kubernetes", "inside a cluster")
  const file = variable(host, "KUBECONFIG") ?? join(host.home, ".kube/config")
  return existsSync(file) ? ok("kubernetes", file) : skip("kubernetes", `there is no ${file}`)
}

const waitingCheck = (host: Host, { entries, folder }: SpoolStore.Spool): Check => {
  const [oldest] = entries
  if (oldest === undefined) return ok("spool", "nothing waits")
  const count = entries.length === 1 ? "1 entry waits" : `${entries.length} entries wait`
  const since = Duration.print(host.now() - oldest.recordedMs)
  return warn("spool", `${count} since ${since} in ${folder}`, "attestry spool send")
}

/** Checks the spool for waiting, damaged and refused entries. */
const spoolCheck = (host: Host): Check => {
  try {
    const spool = SpoolStore.read(host)
    const [damaged] = spool.damaged
    if (damaged !== undefined)
      return warn(
        "spool",
        `${spool.damaged.length} damaged in ${spool.folder}`,
        `attestry spool drop ${damaged}`
      )
    const refused = SpoolStore.readRefused(host).length
    return spool.entries.length === 0 && refused > 0
      ? warn("spool", `${refused} refused by the server`, "attestry spool list")
      : waitingCheck(host, spool)
  } catch (thrown) {
    return failed("spool", thrown)
  }
}

/** Checks the container runtimes, the spool and Node. */
export const hereChecks = ({ host }: CommandContext): ReadonlyArray<Check> => [
  dockerCheck(host),
  kubernetesCheck(host),
  spoolCheck(host),
  ok("node", process.versions.node)
]
