/** `attestry report kubernetes ENV`: the running containers in the pods of a cluster. */
import type { Arguments } from "../shared/Arguments.js"
import type { CommandContext } from "../shared/CommandContext.js"
import * as Json from "../shared/Json.js"
import * as NameFilter from "./NameFilter.js"
import { command } from "./Report.js"
import {
  type ReportDraft,
  type Reporter,
  type ReporterInput,
  together,
  type WatchInput
} from "./Reporter.js"
import * as KubernetesApi from "./source/KubernetesApi.js"
import * as KubernetesConfig from "./source/KubernetesConfig.js"
import * as PodUnits from "./source/PodUnits.js"

/** How long to wait for digests that the cluster has not reported yet. */
const SETTLE_MS = 10_000
const SETTLE_PAUSE_MS = 2_000

/** Pods, and the namespaces that the cluster refused to list. */
interface Pods {
  readonly pods: ReadonlyArray<Json.Fields>
  readonly refused: ReadonlyArray<string>
  readonly resourceVersion: string
}

const connect = async (
  context: CommandContext,
  args: Arguments
): Promise<KubernetesApi.KubernetesApi> =>
  KubernetesApi.make(context, await KubernetesConfig.load(context.host, args.text("context")))

const ALL_PODS = "/api/v1/pods"

const podsPath = (namespace: string): string =>
  `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods`

/** The query of `--selector`. */
const selection = (args: Arguments): string => {
  const selector = args.text("selector")
  return selector === undefined ? "" : `?labelSelector=${encodeURIComponent(selector)}`
}

/** Lists the pods of each namespace; omits a namespace that the cluster refuses. */
const eachOf = async (
  api: KubernetesApi.KubernetesApi,
  namespaces: ReadonlyArray<string>,
  query: string
): Promise<Pods> => {
  const pods: Array<Json.Fields> = []
  const refused: Array<string> = []
  let resourceVersion = ""
  for (const namespace of namespaces) {
    try {
      const listing = await api.list(podsPath(namespace) + query)
      pods.push(...listing.items)
      resourceVersion = listing.resourceVersion
    } catch (error) {
      if (!(error instanceof KubernetesApi.Refused)) throw error
      refused.push(`namespace ${namespace}: ${error.message}`)
    }
  }
  return { pods, refused, resourceVersion }
}

/** Lists the pods of the whole cluster, or of each namespace if the account may not list them at once. */
const allOf = async (api: KubernetesApi.KubernetesApi, query: string): Promise<Pods> => {
  try {
    const { items, resourceVersion } = await api.list(ALL_PODS + query)
    return { pods: items, refused: [], resourceVersion }
  } catch (error) {
    if (!(error instanceof KubernetesApi.Refused)) throw error
    const { items } = await api.list("/api/v1/namespaces")
    const names = items.map((each) => PodUnits.placeOf(each).name)
    return eachOf(api, names, query)
  }
}

const readPods = async (
  { context, args, reads }: ReporterInput,
  api: KubernetesApi.KubernetesApi
): Promise<Pods> => {
  const filter = await NameFilter.of(args, "namespace")
  const query = selection(args)
  context.output.trace(`reading the pods of ${api.shown}`)
  if (filter.names !== undefined) return eachOf(api, filter.names, query)
  // WHY no filter in the request: environments that share the listing have different filters.
  const key = `kubernetes ${args.text("context") ?? ""} ${query}`
  const all = await reads.once(key, () => allOf(api, query))
  const refused = all.refused.filter((text) =>
    filter.accepts(/^namespace ([^:]*):/.exec(text)?.[1] ?? "")
  )
  return {
    ...all,
    refused,
    pods: all.pods.filter((pod) => filter.accepts(PodUnits.placeOf(pod).namespace))
  }
}

/** Reads pods with unknown digests again until the digests are known; omits pods that have been deleted meanwhile. */
const settled = async (
  { host }: CommandContext,
  api: KubernetesApi.KubernetesApi,
  pods: ReadonlyArray<Json.Fields>
): Promise<ReadonlyArray<Json.Fields>> => {
  let current = pods
  for (let waited = 0; waited < SETTLE_MS; waited += SETTLE_PAUSE_MS) {
    if (!current.some(PodUnits.isUnsettled)) return current
    await host.sleep(SETTLE_PAUSE_MS, host.signal)
    const again = await Promise.all(
      current.map(async (pod) => {
        if (!PodUnits.isUnsettled(pod)) return pod
        const { namespace, name } = PodUnits.placeOf(pod)
        return api.get(`${podsPath(namespace)}/${encodeURIComponent(name)}`)
      })
    )
    current = again.filter((pod) => pod !== undefined)
  }
  return current
}

const summaryOf = (units: ReadonlyArray<Json.Fields>): string => {
  const pods = new Set(units.map(({ namespace, podName }) => `${namespace}/${podName}`)).size
  const images = new Set(
    units.flatMap(({ digests }) => Json.members(digests).map((member) => member.join(" ")))
  ).size
  return `${pods} ${pods === 1 ? "pod" : "pods"}, ${images} ${images === 1 ? "image" : "images"}`
}

const gather = async (input: ReporterInput): Promise<ReportDraft> => {
  const { context, args } = input
  const api = await connect(context, args)
  const { pods, refused, resourceVersion } = await readPods(input, api)
  const includesFailed = args.has("include-failed")
  const reported = pods.filter((pod) => PodUnits.isReported(pod, includesFailed))
  const read = together((await settled(context, api, reported)).map(PodUnits.unitsOf))
  return {
    ...read,
    leftOut: [...refused, ...read.leftOut],
    summary: summaryOf(read.units),
    mark: resourceVersion
  }
}

/** Waits until a pod changes. */
const changed = async ({ context, args, last, signal }: WatchInput): Promise<void> => {
  const { names } = await NameFilter.of(args, "namespace")
  const api = await connect(context, args)
  const [only, ...others] = names ?? []
  const path = only !== undefined && others.length === 0 ? podsPath(only) : ALL_PODS
  await api.changed(path + selection(args), last?.mark ?? "", signal)
}

/** Reports environments of kind `K8S`. */
export const reporter: Reporter = { kind: () => "K8S", gather, changed }

/** Runs `attestry report kubernetes`. */
export const { run } = command(reporter)
