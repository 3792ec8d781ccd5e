/**
 * The images that a change of a Kubernetes object starts to use: those of pods, and of everything that makes pods.
 * Pure; an object of another kind or form has none.
 */
import * as Json from "../shared/Json.js"
import type { AdmissionRequest } from "./AdmissionReview.js"

/** An image, and where the object uses it first. */
export interface PodImage {
  readonly image: string
  /** For people: `container web`. */
  readonly place: string
}

/** The annotation of pods with the reason of an emergency. */
export const BREAK_GLASS = "attestry.dev/break-glass"

type Find = (object: Json.Fields) => Json.Fields

const specOf = ({ spec }: Json.Fields): Json.Fields => Json.object(spec)
const templateOf: Find = (object) => Json.object(specOf(object).template)

/** Where each kind has its pods, by group and kind. */
const PODS: ReadonlyMap<string, Find> = new Map([
  ["/Pod", (object) => object],
  ["/PodTemplate", ({ template }) => Json.object(template)],
  ["/ReplicationController", templateOf],
  ["apps/Deployment", templateOf],
  ["apps/ReplicaSet", templateOf],
  ["apps/StatefulSet", templateOf],
  ["apps/DaemonSet", templateOf],
  ["batch/Job", templateOf],
  ["batch/CronJob", (object) => templateOf(Json.object(specOf(object).jobTemplate))]
])

/** The lists of containers, with their words for people. */
const LISTS = [
  ["initContainers", "init container"],
  ["containers", "container"],
  ["ephemeralContainers", "ephemeral container"]
] as const

const ofContainers = (spec: Json.Fields): ReadonlyArray<PodImage> =>
  LISTS.flatMap(([list, word]) =>
    Json.objects(spec[list]).flatMap(({ image, name }) =>
      typeof image === "string" && image !== ""
        ? [{ image, place: `${word} ${Json.text(name) ?? "?"}` }]
        : []
    )
  )

/** Images that are mounted as volumes. */
const ofVolumes = (spec: Json.Fields): ReadonlyArray<PodImage> =>
  Json.objects(spec.volumes).flatMap(({ image, name }) => {
    const reference = Json.text(Json.object(image).reference)
    return reference === undefined || reference === ""
      ? []
      : [{ image: reference, place: `volume ${Json.text(name) ?? "?"}` }]
  })

const podOf = ({ group, kind }: AdmissionRequest, object: unknown): Json.Fields =>
  PODS.get(`${group}/${kind}`)?.(Json.object(object)) ?? {}

/** Every image of an object, each once. */
const imagesOf = (request: AdmissionRequest, object: unknown): ReadonlyMap<string, PodImage> => {
  const spec = specOf(podOf(request, object))
  const images = new Map<string, PodImage>()
  for (const each of [...ofContainers(spec), ...ofVolumes(spec)])
    if (!images.has(each.image)) images.set(each.image, each)
  return images
}

/** WHY this one: it adds containers to a pod that runs. Others, such as `status` and `scale`, change no image. */
const SUBRESOURCES = ["", "ephemeralcontainers"]

const OPERATIONS = ["CREATE", "UPDATE"]

/** The images that a request starts to use; an update, those that the object did not have before. */
export const ask = (request: AdmissionRequest): ReadonlyArray<PodImage> => {
  const { operation, subResource, object, oldObject } = request
  if (!OPERATIONS.includes(operation) || !SUBRESOURCES.includes(subResource)) return []
  const images = imagesOf(request, object)
  if (operation === "CREATE") return [...images.values()]
  const before = imagesOf(request, oldObject)
  return [...images.values()].filter(({ image }) => !before.has(image))
}

/** The reason of an emergency on the pods; undefined without the annotation, and empty without a reason. */
export const breakGlassOf = (request: AdmissionRequest): string | undefined => {
  const { annotations } = Json.object(podOf(request, request.object).metadata)
  const fields = Json.object(annotations)
  return Object.hasOwn(fields, BREAK_GLASS)
    ? (Json.text(fields[BREAK_GLASS]) ?? "").trim()
    : undefined
}
