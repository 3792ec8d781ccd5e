/**
 * Reads the body that a Kubernetes API server sends to an admission webhook, and prints the answer. Pure.
 *
 * Reading is total: another form of body is a problem in words. The objects stay as they came, because the API server
 * has checked them by their own schemas; `PodImages` reads of them what it needs.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as ForeignText from "../shared/ForeignText.js"
import { isObject } from "../shared/Json.js"

/** The most bytes of a review: an object has at most 1.5 MiB, and an update has the object twice. */
export const BYTES_MAX = 3 * 1_024 * 1_024

/** The only version of reviews that is answered. */
export const API_VERSION = "admission.k8s.io/v1"

const UID_LENGTH_MAX = 256
/** API servers cut a longer warning. */
export const WARNING_LENGTH_MAX = 256
/** API servers cut more than 4,096 characters of warnings in all. */
export const WARNINGS_MAX = 15
/** The longest text of a denial. */
export const MESSAGE_LENGTH_MAX = 4_000

const { optional, String: Text } = Schema

/** A member that is missing, null or empty has no text. */
const optionalText = optional(Schema.NullOr(Text))

const AdmissionRequest = Schema.Struct({
  uid: Text.pipe(Schema.minLength(1), Schema.maxLength(UID_LENGTH_MAX)),
  kind: Schema.Struct({ group: optionalText, version: optionalText, kind: Text }),
  subResource: optionalText,
  name: optionalText,
  namespace: optionalText,
  operation: Text,
  userInfo: optional(Schema.NullOr(Schema.Struct({ username: optionalText }))),
  object: optional(Schema.Unknown),
  oldObject: optional(Schema.Unknown),
  dryRun: optional(Schema.NullOr(Schema.Boolean))
})

/** What an API server asks. */
export interface AdmissionRequest {
  readonly uid: string
  /** Empty for the core group. */
  readonly group: string
  readonly kind: string
  readonly subResource: string
  /** That of the object if the API server made it; the prefix of one that is not made yet. */
  readonly name: string
  readonly namespace: string
  readonly operation: string
  readonly user: string
  readonly object: unknown
  readonly oldObject: unknown
  readonly isDryRun: boolean
}

const decode = Schema.decodeUnknownEither(AdmissionRequest)

const nameOf = ({ object, name }: typeof AdmissionRequest.Type): string => {
  if (typeof name === "string" && name !== "") return name
  const metadata = isObject(object) && isObject(object.metadata) ? object.metadata : {}
  const names = [metadata.name, metadata.generateName]
  return names.find((each): each is string => typeof each === "string" && each !== "") ?? ""
}

const parsed = (text: string): Either.Either<unknown, string> =>
  Either.try({ try: (): unknown => JSON.parse(text), catch: () => "the body is not JSON" })

/** Reads a review; a problem for any other body. */
export const parse = (text: string): Either.Either<AdmissionRequest, string> =>
  Either.flatMap(parsed(text), (body) => {
    if (!isObject(body) || body.kind !== "AdmissionReview")
      return Either.left("the body is no AdmissionReview")
    if (body.apiVersion !== API_VERSION)
      return Either.left(`the review is not of the version ${API_VERSION}`)
    return Either.mapBoth(decode(body.request), {
      onLeft: () => "the request of the review has another form",
      onRight: (request) => ({
        uid: request.uid,
        group: request.kind.group ?? "",
        kind: request.kind.kind,
        subResource: request.subResource ?? "",
        name: nameOf(request),
        namespace: request.namespace ?? "",
        operation: request.operation,
        user: request.userInfo?.username ?? "",
        object: request.object,
        oldObject: request.oldObject,
        isDryRun: request.dryRun === true
      })
    })
  })

/** The answer to a review. */
export interface AdmissionAnswer {
  readonly isAllowed: boolean
  /** Why it is denied; empty if it is allowed. */
  readonly message: string
  readonly warnings: ReadonlyArray<string>
  /** Notes for the audit log of the API server. */
  readonly notes: { readonly [name: string]: string }
}

const cut = (text: string, max: number): string =>
  text.length <= max ? text : `${text.slice(0, max - 1)}…`

const warningsOf = (warnings: ReadonlyArray<string>): ReadonlyArray<string> => {
  const shown = warnings.length <= WARNINGS_MAX ? warnings : warnings.slice(0, WARNINGS_MAX - 1)
  const more = warnings.length - shown.length
  const all = more === 0 ? shown : [...shown, `attestry: and ${more} more warnings`]
  return all.map((each) => cut(ForeignText.line(each), WARNING_LENGTH_MAX))
}

/** The body of the answer to a review. */
export const print = (uid: string, answer: AdmissionAnswer): string =>
  JSON.stringify({
    apiVersion: API_VERSION,
    kind: "AdmissionReview",
    response: {
      uid,
      allowed: answer.isAllowed,
      ...(answer.isAllowed
        ? {}
        : {
            status: {
              code: 403,
              reason: "Forbidden",
              message: cut(answer.message, MESSAGE_LENGTH_MAX)
            }
          }),
      ...(answer.warnings.length === 0 ? {} : { warnings: warningsOf(answer.warnings) }),
      auditAnnotations: answer.notes
    }
  })
