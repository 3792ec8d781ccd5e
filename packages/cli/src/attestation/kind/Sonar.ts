/** `attest sonar`: the quality gate of an analysis, found by a scanner's working folder, a task or a project. */
import { existsSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import * as SonarAnalysis from "../../scanner/SonarAnalysis.js"
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { unreadable, usage } from "../../shared/CommandFailure.js"
import { variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as ForeignApi from "../../transport/ForeignApi.js"
import { command } from "../Attest.js"
import * as EvidenceFields from "../EvidenceFields.js"

const WAIT_MS = 30_000
/** The public server, which gets the token even if no flag names it. */
const PUBLIC_SERVER = "https://sonarcloud.io"
const REPORT_BYTES_MAX = 65_536

/** The properties of `report-task.txt`. */
const reportOf = ({ host }: CommandContext, args: Arguments): ReadonlyMap<string, string> => {
  const folder = args.text("scanner-dir") ?? ".scannerwork"
  const file = join(resolve(host.cwd, folder), "report-task.txt")
  if (!existsSync(file))
    throw unreadable(
      `there is no ${join(folder, "report-task.txt")}`,
      "run the scanner first, name its folder with --scanner-dir, or give --task-url or --project"
    )
  const text = readFileSync(file, "utf8").slice(0, REPORT_BYTES_MAX)
  return new Map(
    text.split(/\r?\n/).flatMap((line) => {
      const at = line.indexOf("=")
      return at < 1 ? [] : [[line.slice(0, at).trim(), line.slice(at + 1).trim()] as const]
    })
  )
}

const named = ({ host }: CommandContext, args: Arguments): string | undefined =>
  args.text("server-url") ?? variable(host, "SONAR_HOST_URL")

/** The server from a flag or a variable. A file may only name the same server, or the public one. */
const serverUrl = (
  context: CommandContext,
  args: Arguments,
  ofFile: string | undefined
): string => {
  const url = named(context, args)
  const base =
    url === undefined ? undefined : ForeignApi.baseOf(url, "--server-url or SONAR_HOST_URL")
  const found = ofFile?.replace(/\/+$/, "")
  if (found === undefined || found === base || found === PUBLIC_SERVER) {
    if (found === PUBLIC_SERVER && base === undefined) return found
    if (base !== undefined) return base
  }
  throw usage(
    found === undefined
      ? "the server of the analysis is not known"
      : `a file names the server ${found}, and a file does not say where a token goes`,
    `give --server-url${found === undefined ? "" : ` ${found}`}, or set SONAR_HOST_URL`
  )
}

const serverOf = async (
  context: CommandContext,
  url: string
): Promise<SonarAnalysis.SonarServer> => {
  const token = variable(context.host, "SONAR_TOKEN")
  if (token === undefined) throw usage("the server needs a token", "set SONAR_TOKEN")
  const basic = Buffer.from(`${token}:`).toString("base64")
  for (const secret of [token, basic]) context.output.hide(secret)
  const api = await ForeignApi.make(context, {
    headers: { authorization: `Basic ${basic}` },
    lacking: "the token needs to browse the project, and to see the tasks of its analyses"
  })
  return { url, api }
}

const taskOf = (text: string): { readonly server: string; readonly id: string } => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const id = url?.searchParams.get("id") ?? ""
  const at = url?.pathname.indexOf("/api/ce/task") ?? -1
  if (url === undefined || id === "" || at < 0)
    throw usage(`--task-url: \`${text}\` is no task`, "write https://HOST/api/ce/task?id=ID")
  return { server: `${url.origin}${url.pathname.slice(0, at)}`, id }
}

const results = async (context: CommandContext, args: Arguments): Promise<Json.Fields> => {
  const waitMs = args.duration("wait") ?? WAIT_MS
  const [project, ...others] = args.texts("project")
  if (others.length > 0) throw usage("--project is given twice: an attestation is about one")
  const taskUrl = args.text("task-url")
  if (project !== undefined && taskUrl !== undefined)
    throw usage("--project and --task-url name an analysis each: give one of them")
  if (project !== undefined) {
    const server = await serverOf(context, serverUrl(context, args, undefined))
    return SonarAnalysis.ofProject(server, {
      project,
      revision: args.text("revision"),
      branch: args.text("branch"),
      pullRequest: args.text("pull-request")
    })
  }
  if (taskUrl !== undefined) {
    const { server, id } = taskOf(taskUrl)
    const base = ForeignApi.baseOf(server, "--task-url")
    return SonarAnalysis.ofTask(context, await serverOf(context, base), { id, waitMs })
  }
  const report = reportOf(context, args)
  const id = report.get("ceTaskId")
  if (id === undefined) throw unreadable("report-task.txt names no task")
  const url = serverUrl(context, args, report.get("serverUrl"))
  return SonarAnalysis.ofTask(context, await serverOf(context, url), { id, waitMs })
}

const failing = (found: Json.Fields): ReadonlyArray<Json.Fields> =>
  Json.objects(Json.object(found.qualityGate).conditions).filter(({ status }) => status === "ERROR")

/** Runs `attestry attest sonar`. */
export const { run } = command({
  operation: "attestation.sonar",
  word: "sonar",
  gather: async (context, args) => {
    const found = await results(context, args)
    const commit = await EvidenceFields.commitOf(context, args)
    const { revision } = found
    if (commit !== undefined && revision !== "" && revision !== commit)
      context.output.warn(`the analysis is of revision ${revision}, not of commit ${commit}`)
    const status = Json.text(Json.object(found.qualityGate).status) ?? "none"
    return {
      fields: { sonar_results: found },
      files: [],
      summary: `${Json.object(found.project).key}: quality gate ${status}`,
      findings: (style) =>
        failing(found).map(
          ({ metric, value, operator, errorThreshold }) =>
            `  ${style.text(metric)} is ${style.text(value)}, ` +
            `and must not be ${style.text(operator)} ${style.text(errorThreshold)}`
        )
    }
  }
})
