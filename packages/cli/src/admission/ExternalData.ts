/**
 * The form in which Gatekeeper asks a provider of external data about images, which Kyverno can send too. Pure.
 *
 * An image about which nothing could be learnt is an error of its item, so that the caller's policy says what holds.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { IMAGES_MAX } from "./Admission.js"
import type { FoundImage } from "./AdmissionPolicy.js"

const GROUP = "externaldata.gatekeeper.sh/"

const ProviderRequest = Schema.Struct({
  apiVersion: Schema.String.pipe(Schema.startsWith(GROUP), Schema.maxLength(64)),
  kind: Schema.Literal("ProviderRequest"),
  request: Schema.Struct({
    keys: Schema.Array(Schema.String).pipe(Schema.maxItems(IMAGES_MAX))
  })
})

/** The images that are asked about, and the version of the form. */
export interface ProviderRequest {
  readonly apiVersion: string
  readonly keys: ReadonlyArray<string>
}

const decode = Schema.decodeUnknownEither(Schema.parseJson(ProviderRequest))

/** Reads a request; a problem for any other body. */
export const parse = (text: string): Either.Either<ProviderRequest, string> =>
  Either.mapBoth(decode(text), {
    onLeft: () => `the body is no ProviderRequest with at most ${IMAGES_MAX} keys`,
    onRight: ({ apiVersion, request }) => ({ apiVersion, keys: request.keys })
  })

const itemOf = ({ finding, image }: FoundImage) => {
  if (finding.type === "unanswered") return { key: image, error: finding.why }
  const { digest } = finding
  return {
    key: image,
    value: {
      compliant: finding.type === "compliant",
      digest: digest === undefined ? null : `sha256:${digest}`,
      why: finding.type === "compliant" ? null : finding.why,
      reasons: finding.type === "compliant" ? [] : finding.reasons.map(({ text }) => text)
    }
  }
}

/** The body of the answer; undefined findings for a namespace that is not looked at. */
export const print = (
  { apiVersion }: ProviderRequest,
  findings: ReadonlyArray<FoundImage> | undefined
): string =>
  JSON.stringify({
    apiVersion,
    kind: "ProviderResponse",
    response: {
      idempotent: false,
      items: (findings ?? []).map(itemOf),
      systemError: findings === undefined ? "no rule is for this namespace" : ""
    }
  })
