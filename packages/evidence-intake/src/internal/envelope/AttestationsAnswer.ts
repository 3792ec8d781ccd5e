/** The answer of GitHub's attestations API: a list of bundles, each of which is a document. */
import * as Either from "effect/Either"
import type { EvidenceProblem } from "../../EvidenceProblem.js"
import type { JsonObject } from "../Format.js"
import type { Formats } from "../Formats.js"
import * as Members from "../Members.js"
import * as Problem from "../Problem.js"
import type { ReadDocument } from "../ReadDocument.js"
import * as SigstoreBundle from "./SigstoreBundle.js"

/** The name of the format in messages; facts name the format of the bundles. */
export const NAME = "github-attestations"

/** Whether an object is an answer with at least one attestation. */
export const isAnswer = (value: JsonObject): boolean => {
  const attestations = Members.list(value, "attestations")
  return (
    attestations.length > 0 &&
    attestations.every((each) => Members.isObject(each) && Object.hasOwn(each, "bundle"))
  )
}

/** Reads all bundles of an answer. */
export const read = (
  formats: Formats,
  value: JsonObject
): Either.Either<ReadonlyArray<ReadDocument>, EvidenceProblem> =>
  Either.all(
    Members.objects(value, "attestations").map((attestation, index) => {
      const bundle = Members.object(attestation, "bundle")
      const document = SigstoreBundle.isBundle(bundle)
        ? SigstoreBundle.read(formats, bundle)
        : Either.left(Problem.unreadable("this is not a Sigstore bundle"))
      return Either.mapLeft(document, Problem.within(`attestations[${index}].bundle`))
    })
  )
