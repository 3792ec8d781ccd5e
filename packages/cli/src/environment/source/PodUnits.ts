/**
 * The units of pods: every running container of any type, with the digest that the cluster reports. Pure.
 *
 * A container without a registry digest is reported with a remark, so that nothing that runs is hidden.
 */
import * as Json from "../../shared/Json.js"
import type { ReportDraft } from "../Reporter.js"

/** A running container. */
interface Running {
  readonly name: string
  readonly image: string
  readonly imageId: string
}

const LISTS = [
  ["containerStatuses", "containers"],
  ["initContainerStatuses", "initContainers"],
  ["ephemeralContainerStatuses", "ephemeralContainers"]
] as const

const BARE = /^(?:sha256:)?[0-9a-f]{64}$/

const imageOf = (status: Json.Fields, containers: unknown): string => {
  const reported = Json.text(status.image) ?? ""
  if (reported !== "" && !BARE.test(reported)) return reported
  const own = Json.objects(containers).find(({ name }) => name === status.name)
  const asked = Json.text(own?.image) ?? ""
  return asked === "" ? reported : asked
}

const counts = (status: Json.Fields, isFailed: boolean): boolean => {
  const state = Json.object(status.state)
  return Json.isObject(state.running) || (isFailed && Json.isObject(state.terminated))
}

/** The containers of a pod to report: running ones, and ended ones of a failed pod. */
export const runningIn = (pod: Json.Fields): ReadonlyArray<Running> => {
  const [spec, status] = [Json.object(pod.spec), Json.object(pod.status)]
  const isFailed = status.phase === "Failed"
  return LISTS.flatMap(([statuses, containers]) =>
    Json.objects(status[statuses])
      .filter((each) => counts(each, isFailed))
      .map((each) => ({
        name: Json.text(each.name) ?? "",
        image: imageOf(each, spec[containers]),
        imageId: Json.text(each.imageID) ?? ""
      }))
  )
}

/** The namespace and name of a pod, for messages and paths. */
export const placeOf = (
  pod: Json.Fields
): { readonly namespace: string; readonly name: string } => {
  const metadata = Json.object(pod.metadata)
  return { namespace: Json.text(metadata.namespace) ?? "", name: Json.text(metadata.name) ?? "" }
}

/** Whether a report includes a pod. */
export const isReported = (pod: Json.Fields, includesFailed: boolean): boolean => {
  const { phase } = Json.object(pod.status)
  return phase === "Running" || (includesFailed && phase === "Failed")
}

/** Whether the cluster has not yet reported the image of a container. */
export const isUnsettled = (pod: Json.Fields): boolean =>
  runningIn(pod).some(({ imageId }) => imageId === "")

const digestOf = (imageId: string): string => /([0-9a-f]{64})$/.exec(imageId)?.[1] ?? ""

const OWNER_FIELDS = ["apiVersion", "kind", "name", "uid", "controller", "blockOwnerDeletion"]

const ownersOf = (metadata: Json.Fields): ReadonlyArray<Json.Fields> | null => {
  const owners = Json.objects(metadata.ownerReferences)
  return owners.length === 0
    ? null
    : owners.map((owner) =>
        Object.fromEntries(Object.entries(owner).filter(([name]) => OWNER_FIELDS.includes(name)))
      )
}

const secondsOf = (time: unknown): number => {
  const millis = Date.parse(Json.text(time) ?? "")
  return Number.isNaN(millis) ? 0 : Math.floor(millis / 1_000)
}

/**
 * Digests by image name, one map per unit. An image name with several digests, as during a rolling update, needs
 * several units.
 */
const digestsOf = (
  containers: ReadonlyArray<Running>
): ReadonlyArray<{ readonly [name: string]: string }> => {
  const units: Array<Map<string, string>> = []
  for (const { image, imageId } of containers) {
    const digest = digestOf(imageId)
    const found = units.find((unit) => !unit.has(image) || unit.get(image) === digest)
    if (found === undefined) units.push(new Map([[image, digest]]))
    else found.set(image, digest)
  }
  return units.map((unit) => Object.fromEntries(unit))
}

const IS_ID = "the image has no registry digest: reported under its id"
const IS_UNKNOWN = "the cluster has not reported its digest: reported as unknown"

/** The units of a pod. */
export const unitsOf = (pod: Json.Fields): ReportDraft => {
  const metadata = Json.object(pod.metadata)
  const { namespace, name } = placeOf(pod)
  const containers = runningIn(pod).filter(({ image }) => image !== "")
  const nameless = runningIn(pod).filter(({ image }) => image === "")
  const remark = (each: Running, text: string): string =>
    `${namespace}/${name}, container ${each.name} (${each.image}): ${text}`
  return {
    units: digestsOf(containers).map((digests) => ({
      digests,
      creationTimestamp: secondsOf(metadata.creationTimestamp),
      podName: name,
      namespace,
      owners: ownersOf(metadata)
    })),
    leftOut: nameless.map((each) => remark(each, "the cluster has not reported its image")),
    unknown: containers
      .filter(({ imageId }) => digestOf(imageId) === "")
      .map((each) => remark(each, IS_UNKNOWN)),
    warnings: containers
      .filter(({ imageId }) => BARE.test(imageId))
      .map((each) => remark(each, IS_ID))
  }
}
