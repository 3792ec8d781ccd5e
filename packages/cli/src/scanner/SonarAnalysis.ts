/**
 * An analysis on a Sonar server: its task, its revision and its quality gate.
 *
 * The token is sent only to a server that a flag or a variable names, never to one that a file names.
 */
import type { CommandContext } from "../shared/CommandContext.js"
import { unreadable } from "../shared/CommandFailure.js"
import * as Json from "../shared/Json.js"
import type { ForeignApi, Paging } from "../transport/ForeignApi.js"

/** A Sonar server and its client. */
export interface SonarServer {
  readonly url: string
  readonly api: ForeignApi
}

/** Selects an analysis of a project. */
export interface ProjectQuery {
  readonly project: string
  readonly revision: string | undefined
  readonly branch: string | undefined
  readonly pullRequest: string | undefined
}

const PAUSE_MS = 1_000
const PAUSE_MS_MAX = 10_000
const PAGE = 500

/** A page is an object with the total number of items. */
const COUNTED: Paging = {
  items: ({ body }) => {
    const { analyses } = Json.object(body)
    return Array.isArray(analyses) ? analyses : undefined
  },
  next: ({ body }, url) => {
    const { pageIndex, pageSize, total } = Json.object(Json.object(body).paging)
    if (Json.number(pageIndex) * Json.number(pageSize) >= Json.number(total)) return undefined
    const next = new URL(url)
    next.searchParams.set("p", String(Json.number(pageIndex) + 1))
    return next.href
  }
}

const address = (
  server: SonarServer,
  path: string,
  query: { readonly [name: string]: string | undefined }
): string => {
  const url = new URL(`${server.url}/api/${path}`)
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) url.searchParams.set(name, value)
  return url.href
}

/** Waits, with growing pauses, until the server has finished the task of an analysis. */
const finishedTask = async (
  { host }: CommandContext,
  server: SonarServer,
  { id, waitMs }: { readonly id: string; readonly waitMs: number }
): Promise<Json.Fields> => {
  const url = address(server, "ce/task", { id })
  let left = waitMs
  for (let pause = PAUSE_MS; ; pause = Math.min(PAUSE_MS_MAX, pause * 1.5)) {
    const task = Json.object(Json.object(await server.api.need(url, `there is no task ${id}`)).task)
    if (task.status === "SUCCESS") return task
    if (task.status !== "PENDING" && task.status !== "IN_PROGRESS")
      throw unreadable(
        `the analysis ${id} ended as ${task.status}`,
        Json.text(task.errorMessage)?.slice(0, 500)
      )
    if (left <= 0)
      throw unreadable(`the analysis ${id} is still ${task.status}`, "wait longer with --wait 5m")
    const millis = Math.min(pause, left)
    left -= millis
    await host.sleep(millis, host.signal)
  }
}

const conditionOf = (condition: Json.Fields): Json.Fields => ({
  metric: Json.text(condition.metricKey) ?? "",
  errorThreshold: Json.text(condition.errorThreshold) ?? "",
  operator: Json.text(condition.comparator) ?? "",
  ...(condition.actualValue === undefined ? {} : { value: condition.actualValue }),
  status: Json.text(condition.status) ?? ""
})

/** The quality gate of an analysis; undefined for a project without one. */
const gateOf = async (server: SonarServer, analysisId: string): Promise<Json.Fields> => {
  const url = address(server, "qualitygates/project_status", { analysisId })
  const answer = await server.api.need(url, "the analysis has no quality gate")
  const { status, conditions } = Json.object(Json.object(answer).projectStatus)
  if (status === "NONE" || typeof status !== "string") return {}
  return { qualityGate: { status, conditions: Json.objects(conditions).map(conditionOf) } }
}

const analysesOf = async (
  server: SonarServer,
  { project, branch, pullRequest }: Omit<ProjectQuery, "revision">
): Promise<ReadonlyArray<Json.Fields>> => {
  const query = { project, branch, pullRequest, ps: String(PAGE) }
  const url = address(server, "project_analyses/search", query)
  return Json.objects(await server.api.all(url, `there is no project ${project}`, COUNTED))
}

const projectUrl = (
  server: SonarServer,
  { project, branch, pullRequest }: ProjectQuery
): string => {
  const url = new URL(`${server.url}/dashboard`)
  url.searchParams.set("id", project)
  if (branch !== undefined) url.searchParams.set("branch", branch)
  if (pullRequest !== undefined) url.searchParams.set("pullRequest", pullRequest)
  return url.href
}

const resultOf = async (
  server: SonarServer,
  query: ProjectQuery,
  found: { readonly analysis: Json.Fields; readonly task: Json.Fields }
): Promise<Json.Fields> => {
  const { analysis, task } = found
  const name = Json.text(task.componentName)
  const branch = { name: query.branch, type: Json.text(task.branchType) }
  return {
    serverUrl: server.url,
    ...(task.id === undefined ? {} : { taskId: task.id, status: task.status }),
    analysedAt: Json.text(analysis.date) ?? "",
    revision: Json.text(analysis.revision) ?? "",
    project: {
      key: query.project,
      ...(name === undefined ? {} : { name }),
      url: projectUrl(server, query)
    },
    ...(branch.name === undefined
      ? {}
      : {
          branch: { name: branch.name, ...(branch.type === undefined ? {} : { type: branch.type }) }
        }),
    ...(query.pullRequest === undefined ? {} : { pullRequest: query.pullRequest }),
    ...(await gateOf(server, Json.text(analysis.key) ?? ""))
  }
}

/** The results of a task's analysis. */
export const ofTask = async (
  context: CommandContext,
  server: SonarServer,
  asked: { readonly id: string; readonly waitMs: number }
): Promise<Json.Fields> => {
  const task = await finishedTask(context, server, asked)
  const query: ProjectQuery = {
    project: Json.text(task.componentKey) ?? "",
    revision: undefined,
    branch: Json.text(task.branch),
    pullRequest: Json.text(task.pullRequest)
  }
  const key = Json.text(task.analysisId)
  if (key === undefined) throw unreadable(`the task ${asked.id} made no analysis`)
  const known = (await analysesOf(server, query)).find((each) => each.key === key)
  const analysis = known ?? { key, date: task.executedAt ?? task.submittedAt }
  return resultOf(server, query, { analysis, task })
}

/** The results of a project's newest analysis, or of the analysis of a revision. */
export const ofProject = async (server: SonarServer, query: ProjectQuery): Promise<Json.Fields> => {
  const { project, revision } = query
  const analysis = (await analysesOf(server, query)).find(
    (each) => revision === undefined || each.revision === revision
  )
  if (analysis === undefined)
    throw unreadable(
      `${project} has no analysis${revision === undefined ? "" : ` of revision ${revision}`}`,
      "has the scanner run, and for this branch?"
    )
  return resultOf(server, query, { analysis, task: {} })
}
