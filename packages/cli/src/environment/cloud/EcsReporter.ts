/**
 * `attestry report ecs ENV`: the running tasks of Amazon ECS clusters, including tasks without a service.
 */
import * as Json from "../../shared/Json.js"
import * as NameFilter from "../NameFilter.js"
import { command } from "../Report.js"
import { type ReportDraft, type Reporter, type ReporterInput, together } from "../Reporter.js"
import * as AwsService from "./AwsService.js"
import { CloudRefusal, parallel } from "./CloudRequests.js"

const TARGET = "AmazonEC2ContainerServiceV20141113"
/** The maximum number of tasks per request, which ECS sets. */
const DESCRIBED_MAX = 100

interface Filters {
  readonly clusters: NameFilter.NameFilter
  readonly services: NameFilter.NameFilter
}

const call = (
  service: AwsService.AwsService,
  operation: string,
  body: Json.Fields
): Promise<Json.Fields> =>
  service.json({
    method: "POST",
    path: "/",
    headers: {
      "content-type": "application/x-amz-json-1.1",
      "x-amz-target": `${TARGET}.${operation}`
    },
    body: JSON.stringify(body)
  })

/** The items of all pages of a list. */
const listed = async (
  service: AwsService.AwsService,
  { operation, member }: { readonly operation: string; readonly member: string },
  body: Json.Fields
): Promise<ReadonlyArray<string>> => {
  const found: Array<string> = []
  let nextToken: string | undefined
  do {
    const page = await call(service, operation, {
      ...body,
      maxResults: DESCRIBED_MAX,
      ...(nextToken === undefined ? {} : { nextToken })
    })
    found.push(...Json.list(page[member]).filter((each) => typeof each === "string"))
    nextToken = Json.text(page.nextToken)
  } while (nextToken !== undefined && nextToken !== "")
  return found
}

/** The last part of an ARN. */
const nameOf = (arn: string): string => arn.slice(arn.lastIndexOf("/") + 1)

const digestOf = (container: Json.Fields): string =>
  /([0-9a-f]{64})$/.exec(Json.text(container.imageDigest) ?? "")?.[1] ??
  /@sha256:([0-9a-f]{64})$/.exec(Json.text(container.image) ?? "")?.[1] ??
  ""

/** The image of a container; the container's name if it has none. */
const imageOf = (container: Json.Fields): string => {
  const image = Json.text(container.image) ?? ""
  return image === "" ? (Json.text(container.name) ?? "") : image
}

const serviceOf = (task: Json.Fields): string | undefined =>
  /^service:(.+)$/.exec(Json.text(task.group) ?? "")?.[1]

/** The unit of a task, with the digests of its running containers. */
export const unitOf = (task: Json.Fields, cluster: string): ReportDraft => {
  const taskArn = Json.text(task.taskArn) ?? ""
  const containers = Json.objects(task.containers).filter(
    ({ lastStatus }) => lastStatus === undefined || lastStatus === "RUNNING"
  )
  const digests = containers.map((each) => [imageOf(each), digestOf(each)] as const)
  const service = serviceOf(task)
  return {
    units: [
      {
        digests: Object.fromEntries(digests.filter(([name]) => name !== "")),
        creationTimestamp: Math.floor(Json.number(task.startedAt) || Json.number(task.createdAt)),
        taskArn,
        cluster_name: cluster,
        ...(service === undefined ? {} : { service_name: service })
      }
    ],
    leftOut: [],
    unknown: digests
      .filter(([, digest]) => digest === "")
      .map(([name]) => `task ${nameOf(taskArn)} of ${cluster}, ${name}: its digest is unknown`),
    warnings: []
  }
}

const chunks = <A>(items: ReadonlyArray<A>): ReadonlyArray<ReadonlyArray<A>> =>
  Array.from({ length: Math.ceil(items.length / DESCRIBED_MAX) }, (_, at) =>
    items.slice(at * DESCRIBED_MAX, (at + 1) * DESCRIBED_MAX)
  )

const clusterUnits = async (
  service: AwsService.AwsService,
  arn: string,
  { services }: Filters
): Promise<ReportDraft> => {
  const cluster = nameOf(arn)
  const list = { operation: "ListTasks", member: "taskArns" }
  const arns = await listed(service, list, { cluster: arn, desiredStatus: "RUNNING" })
  const parts: Array<ReportDraft> = []
  for (const tasks of chunks(arns)) {
    const answer = await call(service, "DescribeTasks", { cluster: arn, tasks })
    const running = Json.objects(answer.tasks).filter(
      (task) => task.lastStatus === "RUNNING" && services.accepts(serviceOf(task) ?? "")
    )
    parts.push(...running.map((task) => unitOf(task, cluster)), failuresOf(answer, cluster))
  }
  return together(parts)
}

/** Reports the tasks that ECS failed to describe. A task that ended after it was listed is not a failure. */
const failuresOf = (answer: Json.Fields, cluster: string): ReportDraft => ({
  units: [],
  leftOut: Json.objects(answer.failures)
    .filter(({ reason }) => reason !== "MISSING")
    .map(({ arn, reason }) => `task ${nameOf(String(arn))} of ${cluster}: ${reason}`),
  warnings: []
})

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const filters: Filters = {
    clusters: await NameFilter.of(args, "cluster"),
    services: await NameFilter.of(args, "service")
  }
  const service = await AwsService.connect(context, args, { service: "ecs", name: "ECS" })
  const list = { operation: "ListClusters", member: "clusterArns" }
  const arns =
    filters.clusters.names ??
    (await listed(service, list, {})).filter((arn) => filters.clusters.accepts(nameOf(arn)))
  const parts = await parallel(arns, async (arn): Promise<ReportDraft> => {
    try {
      return await clusterUnits(service, arn, filters)
    } catch (error) {
      if (!(error instanceof CloudRefusal)) throw error
      return { units: [], leftOut: [`cluster ${nameOf(arn)}: ${error.message}`], warnings: [] }
    }
  })
  const read = together(parts)
  const { length } = read.units
  return { ...read, summary: `${length} ${length === 1 ? "task" : "tasks"}` }
}

/** Reports environments of kind `container-tasks`. */
export const reporter: Reporter = { kind: () => "container-tasks", gather }

/** Runs `attestry report ecs`. */
export const { run } = command(reporter)
