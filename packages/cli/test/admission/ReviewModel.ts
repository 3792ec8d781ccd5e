/**
 * What a review asks about and how it is answered, in plain words: by the rules of the webhook that clusters install,
 * and by a walk through the whole object, which knows no kind.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { parse } from "yaml"
import * as Json from "../../src/shared/Json.js"

const MANIFEST = join(import.meta.dirname, "../../../../deploy/kubernetes/admission.yaml")

/** The operations and resources that API servers ask about, as `CREATE apps/deployments`. */
const asked = (): ReadonlySet<string> => {
  const documents = readFileSync(MANIFEST, "utf8").split("\n---\n")
  const webhooks = documents.flatMap((document) =>
    Json.objects(Json.object(parse(document)).webhooks)
  )
  const words = webhooks
    .flatMap(({ rules }) => Json.objects(rules))
    .flatMap(({ apiGroups, operations, resources }) =>
      Json.list(operations).flatMap((operation) =>
        Json.list(apiGroups).flatMap((group) =>
          Json.list(resources).map((resource) => `${operation} ${group}/${resource}`)
        )
      )
    )
  return new Set(words)
}

const ASKED = asked()

const CONTAINERS = ["containers", "initContainers", "ephemeralContainers"]

const isText = (value: unknown): value is string => typeof value === "string" && value !== ""

/** The images of all containers and volumes in a value, wherever they are. */
const imagesIn = (value: unknown): ReadonlyArray<string> => {
  if (Array.isArray(value)) return value.flatMap(imagesIn)
  return Json.members(value).flatMap(([key, inner]) => {
    const images = CONTAINERS.includes(key)
      ? Json.objects(inner).map(({ image }) => image)
      : key === "volumes"
        ? Json.objects(inner).map(({ image }) => Json.object(image).reference)
        : []
    return [...images.filter(isText), ...imagesIn(inner)]
  })
}

/**
 * The request of a published body: of a review, or by itself, as policy engines keep it; undefined for anything else.
 * WHY the forms of names: some bodies were made without a cluster, and no cluster has their kind or their resource.
 */
export const requestIn = (body: unknown): Json.Fields | undefined => {
  const outer = Json.object(body)
  const request = Json.isObject(outer.request) ? outer.request : outer
  const kind = Json.text(Json.object(request.kind).kind) ?? ""
  const plural = Json.text(Json.object(request.resource).resource) ?? "none"
  const isRequest = isText(request.uid) && isText(request.operation)
  return isRequest && /^[A-Z]/.test(kind) && /^[a-z]+$/.test(plural) ? request : undefined
}

/** A request as an API server sends it today. */
export const reviewOf = (request: Json.Fields): string =>
  JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request })

/** The images that a request starts to use, sorted; none if no API server asks about it. */
export const images = (request: Json.Fields): ReadonlyArray<string> => {
  const { kind, oldObject, object, operation, resource, subResource } = request
  const { group, resource: plural } = Json.object(resource)
  const name = Json.text(plural) ?? `${Json.text(Json.object(kind).kind)?.toLowerCase()}s`
  const path = isText(subResource) ? `${name}/${subResource}` : name
  const place = Json.text(group) ?? Json.text(Json.object(kind).group) ?? ""
  if (!ASKED.has(`${operation} ${place}/${path}`)) return []
  const before = operation === "UPDATE" ? imagesIn(oldObject) : []
  return [...new Set(imagesIn(object))].filter((image) => !before.includes(image)).sort()
}

const MEMBERS = ["uid", "allowed", "status", "warnings", "auditAnnotations"]

/** What an API server would not take of an answer to the request with this id. */
export const problemsOf = (answer: string, uid: unknown): ReadonlyArray<string> => {
  const body = Json.object(JSON.parse(answer))
  const response = Json.object(body.response)
  const { allowed, auditAnnotations, status, warnings = [] } = response
  const message = Json.text(Json.object(status).message) ?? ""
  const checks: ReadonlyArray<readonly [boolean, string]> = [
    [body.kind === "AdmissionReview" && body.apiVersion === "admission.k8s.io/v1", "no review"],
    [response.uid === uid, "another uid"],
    [typeof allowed === "boolean", "not allowed and not denied"],
    [allowed === true || (message !== "" && Json.object(status).code === 403), "no reason"],
    [Array.isArray(warnings) && warnings.every(isText), "warnings that are no texts"],
    [
      Json.members(auditAnnotations).every(
        ([key, value]) => /^[a-z]+$/.test(key) && typeof value === "string"
      ),
      "annotations that are no texts"
    ],
    [Object.keys(response).every((key) => MEMBERS.includes(key)), "unknown members"]
  ]
  return checks.flatMap(([holds, problem]) => (holds ? [] : [problem]))
}
