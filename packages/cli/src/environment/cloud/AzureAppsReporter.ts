/** `attestry report azure-apps ENV`: the running web and function apps of Azure App Service. */
import type { Arguments } from "../../shared/Arguments.js"
import type { CommandContext } from "../../shared/CommandContext.js"
import { CommandFailure, unreadable, usage } from "../../shared/CommandFailure.js"
import { variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as NameFilter from "../NameFilter.js"
import { command } from "../Report.js"
import { type ReportDraft, type Reporter, type ReporterInput, together } from "../Reporter.js"
import * as AzureRegistry from "./AzureRegistry.js"
import * as AzureToken from "./AzureToken.js"
import * as BearerService from "./BearerService.js"
import * as CloudRequests from "./CloudRequests.js"
import * as KeyTree from "./KeyTree.js"
import * as RegistryDigest from "./RegistryDigest.js"
import * as ZipContents from "./ZipContents.js"

const ENDPOINT = "https://management.azure.com"
const VERSION = "api-version=2023-12-01"
/** The maximum size of a package. */
const PACKAGE_BYTES_MAX = 1_073_741_824

interface Runtime {
  readonly context: CommandContext
  readonly requests: CloudRequests.CloudRequests
  readonly service: BearerService.BearerService
  readonly token: string
  readonly source: string
}

interface App {
  readonly id: string
  readonly name: string
  readonly kind: string
  readonly properties: Json.Fields
}

/** The image or the package that an app runs. */
interface Content {
  readonly name: string
  readonly digest: string
  readonly reason: string
  readonly source: string
}

const appOf = ({ id, name, kind, properties }: Json.Fields): App => ({
  id: Json.text(id) ?? "",
  name: Json.text(name) ?? "",
  kind: Json.text(kind) ?? "app",
  properties: Json.object(properties)
})

/** The image of an app; undefined for an app that runs a package. */
const imageOf = async (
  { service }: Runtime,
  { id, properties }: App
): Promise<string | undefined> => {
  const listed = Json.object(properties.siteConfig)
  const imageIn = (config: Json.Fields) =>
    Json.text(config.linuxFxVersion) || Json.text(config.windowsFxVersion)
  const version =
    imageIn(listed) ||
    imageIn(Json.object((await service.json(`${id}/config/web?${VERSION}`)).properties))
  const [, form = "", rest = ""] = /^([A-Z]+)\|(.*)$/.exec(version ?? "") ?? []
  if (form === "DOCKER") return rest
  if (form === "COMPOSE" || form === "SITECONTAINERS")
    throw unreadable(`it runs several containers (${form.toLowerCase()}), which are not imageIn`)
  return undefined
}

/** The newest digest in an app's container log. */
export const digestInLog = (log: string): string | undefined =>
  [...log.matchAll(/Digest:\s*sha256:([0-9a-f]{64})/g)].at(-1)?.[1]

const imageContent = async (runtime: Runtime, app: App, image: string): Promise<Content> => {
  const { context, requests, service, token, source } = runtime
  if (source === "logs") {
    const log = await service.post(`${app.id}/containerlogs?${VERSION}`)
    const digest = digestInLog(log)
    const reason = digest === undefined ? "its log tells no digest" : ""
    return { name: image, digest: digest ?? "", reason, source }
  }
  const login = await AzureRegistry.loginOf(requests, RegistryDigest.registryOf(image), token)
  return { name: image, source, ...(await RegistryDigest.find(context, image, login)) }
}

/** The host that serves the package of an app. */
const packageHostOf = ({ properties }: App): string | undefined =>
  Json.objects(properties.hostNameSslStates)
    .filter(({ hostType }) => hostType === "Repository")
    .map(({ name }) => Json.text(name))
    .find((name) => name !== undefined)

const readPackage = async ({ service }: Runtime, url: string): Promise<Buffer> => {
  const answer = await service.stream(url)
  const pieces: Array<Uint8Array> = []
  let size = 0
  try {
    if (answer.status !== 200) throw unreadable(`its package is not given out (${answer.status})`)
    for await (const piece of answer.body) {
      size += piece.length
      if (size > PACKAGE_BYTES_MAX) throw unreadable("its package is too large")
      pieces.push(piece)
    }
  } finally {
    answer.close()
  }
  return Buffer.concat(pieces)
}

const packageContent = async (runtime: Runtime, app: App): Promise<Content> => {
  const host = packageHostOf(app)
  if (host === undefined) throw unreadable("Azure names no host that gives out its package")
  const { protocol } = new URL(runtime.service.base)
  const bytes = await readPackage(runtime, `${protocol}//${host}/api/zip/site/wwwroot/`)
  const digest = KeyTree.digestOf(ZipContents.digestsOf(bytes))
  return { name: app.name, digest, reason: "", source: "package" }
}

const contentOf = async (runtime: Runtime, app: App): Promise<Content> => {
  try {
    const image = await imageOf(runtime, app)
    return await (image === undefined
      ? packageContent(runtime, app)
      : imageContent(runtime, app, image))
  } catch (error) {
    if (!(error instanceof CommandFailure) || error.word !== "unreadable") throw error
    // WHY: the app runs, so it is reported, without a digest.
    return { name: app.name, digest: "", reason: error.message, source: runtime.source }
  }
}

const unitOf = async (runtime: Runtime, app: App): Promise<ReportDraft> => {
  const { name, digest, reason, source } = await contentOf(runtime, app)
  const modified = Date.parse(`${Json.text(app.properties.lastModifiedTimeUtc) ?? ""}`)
  return {
    units: [
      {
        digests: { [name]: digest },
        creationTimestamp: Number.isNaN(modified) ? 0 : Math.floor(modified / 1_000),
        app_name: app.name,
        app_kind: app.kind,
        digests_source: source
      }
    ],
    leftOut: [],
    unknown: digest === "" ? [`app ${app.name}: its digest is unknown (${reason})`] : [],
    warnings: []
  }
}

const scopesOf = (context: CommandContext, args: Arguments): ReadonlyArray<string> => {
  const id = args.text("subscription") ?? variable(context.host, "AZURE_SUBSCRIPTION_ID")
  if (id === undefined)
    throw usage(
      "the subscription is not known",
      "give --subscription, or set AZURE_SUBSCRIPTION_ID"
    )
  const subscription = `/subscriptions/${encodeURIComponent(id)}`
  const groups = args.texts("resource-group")
  return groups.length === 0
    ? [subscription]
    : groups.map((group) => `${subscription}/resourceGroups/${encodeURIComponent(group)}`)
}

const scopeUnits = async (
  runtime: Runtime,
  scope: string,
  filter: NameFilter.NameFilter
): Promise<ReportDraft> => {
  try {
    const path = `${scope}/providers/Microsoft.Web/sites?${VERSION}`
    const sites = await runtime.service.all(path, "value", (page) => Json.text(page.nextLink))
    const apps = sites
      .map(appOf)
      .filter(({ name, properties }) => properties.state === "Running" && filter.accepts(name))
    return together(await CloudRequests.parallel(apps, (app) => unitOf(runtime, app)))
  } catch (error) {
    if (!(error instanceof CloudRequests.CloudRefusal)) throw error
    return { units: [], leftOut: [`${scope}: ${error.message}`], warnings: [] }
  }
}

const gather = async ({ context, args }: ReporterInput): Promise<ReportDraft> => {
  const filter = await NameFilter.of(args, "app")
  const scopes = scopesOf(context, args)
  const requests = await CloudRequests.make(context)
  const endpoint = args.text("endpoint") ?? ENDPOINT
  const token = await AzureToken.find(context.host, requests, new URL(endpoint).origin)
  context.output.hide(token)
  const service = BearerService.make(requests, endpoint, token)
  const source = args.text("digests-source") ?? "registry"
  const runtime: Runtime = { context, requests, service, token, source }
  const parts: Array<ReportDraft> = []
  for (const scope of scopes) parts.push(await scopeUnits(runtime, scope, filter))
  const read = together(parts)
  const { length } = read.units
  return { ...read, summary: `${length} ${length === 1 ? "app" : "apps"}` }
}

/** Reports environments of kind `cloudx-apps`. */
export const reporter: Reporter = { kind: () => "cloudx-apps", gather }

/** Runs `attestry report azure-apps`. */
export const { run } = command(reporter)
