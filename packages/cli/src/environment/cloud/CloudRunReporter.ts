/** `attestry report cloud-run ENV`: the revisions of Google Cloud Run services that have traffic, and jobs. */
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { usage } from "../../shared/CommandFailure.js"
import { variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as NameFilter from "../NameFilter.js"
import { command } from "../Report.js"
import { type ReportDraft, type Reporter, type ReporterInput, together } from "../Reporter.js"
import * as BearerService from "./BearerService.js"
import * as CloudRequests from "./CloudRequests.js"
import * as GoogleToken from "./GoogleToken.js"
import * as RegistryDigest from "./RegistryDigest.js"

const ENDPOINT = "https://run.googleapis.com"
const PAGE_SIZE = 100
/** The registries that accept a Google Cloud token. */
const OWN_REGISTRY = /(?:^|\.)(?:gcr\.io|pkg\.dev)$/

/** The inputs for reading one region. */
interface Runtime {
  readonly context: CommandContext
  readonly service: BearerService.BearerService
  readonly token: string
  readonly filter: NameFilter.NameFilter
  readonly parent: string
}

/** A running revision of a service, or a job. */
interface Running {
  readonly shown: string
  readonly place: Json.Fields
  readonly containers: unknown
  readonly created: unknown
}

const lastOf = (name: unknown): string => {
  const text = Json.text(name) ?? ""
  return text.slice(text.lastIndexOf("/") + 1)
}

const nextPage =
  (path: string) =>
  (page: Json.Fields): string | undefined => {
    const token = Json.text(page.nextPageToken) ?? ""
    return token === "" ? undefined : `${path}&pageToken=${encodeURIComponent(token)}`
  }

const listed = (
  { service, parent }: Runtime,
  noun: string
): Promise<ReadonlyArray<Json.Fields>> => {
  const path = `/v2/${parent}/${noun}?pageSize=${PAGE_SIZE}`
  return service.all(path, noun, nextPage(path))
}

/** The revisions of a service with traffic or a tag. */
export const revisionsOf = (service: Json.Fields): ReadonlyArray<string> => {
  const latest = lastOf(service.latestReadyRevision)
  const names = Json.objects(service.trafficStatuses)
    .filter(({ percent, tag }) => Json.number(percent) > 0 || (Json.text(tag) ?? "") !== "")
    .map(({ revision }) => {
      const name = lastOf(revision)
      return name === "" ? latest : name
    })
  return [...new Set(names)].filter((name) => name !== "")
}

const secondsOf = (time: unknown): number => {
  const millis = Date.parse(Json.text(time) ?? "")
  return Number.isNaN(millis) ? 0 : Math.floor(millis / 1_000)
}

const unitOf = async (
  { context, token }: Runtime,
  { shown, place, containers, created }: Running
): Promise<ReportDraft> => {
  const images = Json.objects(containers).map(({ image }) => Json.text(image) ?? "")
  const found = await CloudRequests.parallel([...new Set(images)], async (image) => {
    const isOwn = OWN_REGISTRY.test(RegistryDigest.registryOf(image))
    const login = isOwn ? { username: "oauth2accesstoken", password: token } : undefined
    return { image, ...(await RegistryDigest.find(context, image, login)) }
  })
  const named = found.filter(({ image }) => image !== "")
  return {
    units: [
      {
        digests: Object.fromEntries(named.map(({ image, digest }) => [image, digest])),
        creationTimestamp: secondsOf(created),
        ...place
      }
    ],
    leftOut: [],
    unknown: named
      .filter(({ digest }) => digest === "")
      .map(({ image, reason }) => `${shown}, ${image}: its digest is unknown (${reason})`),
    warnings: []
  }
}

const servicesOf = async (runtime: Runtime): Promise<ReadonlyArray<Running>> => {
  const services = (await listed(runtime, "services")).filter(({ name }) =>
    runtime.filter.accepts(lastOf(name))
  )
  const pairs = services.flatMap((service) =>
    revisionsOf(service).map((revision) => ({ name: String(service.name), revision }))
  )
  return CloudRequests.parallel(pairs, async ({ name, revision }) => {
    const path = `/v2/${name}/revisions/${encodeURIComponent(revision)}`
    const { containers, createTime } = await runtime.service.json(path)
    return {
      shown: `revision ${revision}`,
      place: { kind: "service", serviceName: lastOf(name), revisionName: revision },
      containers,
      created: createTime
    }
  })
}

const jobsOf = async (runtime: Runtime): Promise<ReadonlyArray<Running>> =>
  (await listed(runtime, "jobs"))
    .filter(({ name }) => runtime.filter.accepts(lastOf(name)))
    .map(({ name, template, createTime, updateTime }) => ({
      shown: `job ${lastOf(name)}`,
      place: { kind: "job", jobName: lastOf(name) },
      containers: Json.object(Json.object(template).template).containers,
      created: updateTime ?? createTime
    }))

const regionUnits = async (runtime: Runtime, region: string): Promise<ReportDraft> => {
  try {
    const running = [...(await servicesOf(runtime)), ...(await jobsOf(runtime))]
    const parts: Array<ReportDraft> = []
    for (const each of running) parts.push(await unitOf(runtime, each))
    return together(parts)
  } catch (error) {
    if (!(error instanceof CloudRequests.CloudRefusal)) throw error
    return { units: [], leftOut: [`region ${region}: ${error.message}`], warnings: [] }
  }
}

const regionsOf = async (
  args: Arguments,
  service: BearerService.BearerService,
  project: string
): Promise<ReadonlyArray<string>> => {
  const given = args.texts("region")
  if (given.length > 0) return given
  const path = `/v1/projects/${encodeURIComponent(project)}/locations?pageSize=${PAGE_SIZE}`
  const locations = await service.all(path, "locations", nextPage(path))
  return locations.map(({ locationId }) => Json.text(locationId) ?? "").filter((id) => id !== "")
}

const projectsOf = (
  { host }: CommandContext,
  args: Arguments,
  own: string | undefined
): ReadonlyArray<string> => {
  const given = args.texts("project")
  if (given.length > 0) return given
  const project =
    variable(host, "GOOGLE_CLOUD_PROJECT") ?? variable(host, "CLOUDSDK_CORE_PROJECT") ?? own
  if (project === undefined)
    throw usage("the project is not known", "give --project, or set GOOGLE_CLOUD_PROJECT")
  return [project]
}

const projectUnits = async (
  runtime: Omit<Runtime, "parent">,
  args: Arguments,
  project: string
): Promise<ReportDraft> => {
  const regions = await regionsOf(args, runtime.service, project)
  const parts = await CloudRequests.parallel(regions, (region) => {
    const parent = `projects/${encodeURIComponent(project)}/locations/${encodeURIComponent(region)}`
    return regionUnits({ ...runtime, parent }, region)
  })
  return together(parts)
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const filter = await NameFilter.of(args, "service")
  const requests = await CloudRequests.make(context)
  const account = await GoogleToken.find(context.host, requests)
  const { token } = account
  context.output.hide(token)
  const service = BearerService.make(requests, args.text("endpoint") ?? ENDPOINT, token)
  const parts: Array<ReportDraft> = []
  for (const project of projectsOf(context, args, account.project))
    parts.push(await projectUnits({ context, service, token, filter }, args, project))
  const read = together(parts)
  const { length } = read.units
  return {
    ...read,
    summary: `${length} ${length === 1 ? "revision or job" : "revisions and jobs"}`
  }
}

/** Reports environments of kind `serverless-run`. */
export const reporter: Reporter = { kind: () => "serverless-run", gather }

/** Runs `attestry report cloud-run`. */
export const { run } = command(reporter)
