/**
 * Which content a beginning of a fingerprint means in a flow: none, exactly one, or too many to say.
 *
 * A whole fingerprint always means itself. SPEC §4.3, DECISION D1.9
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { FlowName, OrgName } from "../shared/Identifier.js"
import type { Fingerprint } from "./Fingerprint.js"

/** No artifact in the flow has a fingerprint that begins like this. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {
  org: OrgName,
  flow: FlowName,
  fingerprint: Schema.String
}) {
  override get message(): string {
    return `there is no artifact \`${this.fingerprint}\` in flow \`${this.flow}\``
  }
}

/** Several artifacts in the flow have fingerprints that begin like this. */
export class AmbiguousFingerprint extends Schema.TaggedError<AmbiguousFingerprint>()(
  "AmbiguousFingerprint",
  { prefix: Schema.String, count: Schema.Int }
) {
  override get message(): string {
    return `\`${this.prefix}\` begins ${this.count} different fingerprints`
  }
}

/** The content that is meant, given every fingerprint of the flow that begins like this. */
export const resolve = (
  asked: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: string },
  matches: ReadonlyArray<Fingerprint>
): Either.Either<Fingerprint, ArtifactNotFound | AmbiguousFingerprint> => {
  const { org, flow, prefix } = asked
  const [first] = matches
  const exact = matches.find((fingerprint) => fingerprint === prefix)
  if (exact !== undefined) return Either.right(exact)
  if (first === undefined)
    return Either.left(new ArtifactNotFound({ org, flow, fingerprint: prefix }))
  return matches.length === 1
    ? Either.right(first)
    : Either.left(new AmbiguousFingerprint({ prefix, count: matches.length }))
}
