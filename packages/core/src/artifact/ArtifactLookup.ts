/**
 * Resolves a fingerprint prefix in a flow to one fingerprint.
 *
 * A whole fingerprint resolves to itself. SPEC §4.3. A guess could name the wrong artifact.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { FlowName, OrgName } from "../shared/Identifier.js"
import type { Fingerprint } from "./Fingerprint.js"

/** No artifact of the flow has a fingerprint with this prefix. */
export class ArtifactNotFound extends Schema.TaggedError<ArtifactNotFound>()("ArtifactNotFound", {
  org: OrgName,
  flow: FlowName,
  fingerprint: Schema.String
}) {
  override get message(): string {
    return `there is no artifact \`${this.fingerprint}\` in flow \`${this.flow}\``
  }
}

/** Several artifacts of the flow have fingerprints with this prefix. */
export class AmbiguousFingerprint extends Schema.TaggedError<AmbiguousFingerprint>()(
  "AmbiguousFingerprint",
  { prefix: Schema.String, count: Schema.Int }
) {
  override get message(): string {
    return `\`${this.prefix}\` begins ${this.count} different fingerprints`
  }
}

/** The fingerprint, given every fingerprint of the flow with the prefix. */
export const resolve = (
  query: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: string },
  matches: ReadonlyArray<Fingerprint>
): Either.Either<Fingerprint, ArtifactNotFound | AmbiguousFingerprint> => {
  const { org, flow, prefix } = query
  const [first] = matches
  const exact = matches.find((fingerprint) => fingerprint === prefix)
  if (exact !== undefined) return Either.right(exact)
  if (first === undefined)
    return Either.left(new ArtifactNotFound({ org, flow, fingerprint: prefix }))
  return matches.length === 1
    ? Either.right(first)
    : Either.left(new AmbiguousFingerprint({ prefix, count: matches.length }))
}
