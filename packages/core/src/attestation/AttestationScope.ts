/**
 * What an attestation is about: its whole trail, one artifact in it, or slots that may still be empty.
 *
 * Decides only whether a request may name what it names. Which artifact records an attestation then
 * counts for is `AttestationBinding`'s question, because artifacts may arrive later.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** What an attestation is about. With neither fingerprint nor slots it is about the trail. */
export interface AttestationScope<
  Content extends string = string,
  Slot extends string = string,
  Commit extends string = string
> {
  /** The artifact it is about, wherever in the trail, or only in `slots` when there are any. */
  readonly fingerprint: Content | null
  /** The slots it is about; without a fingerprint, as far as their artifact has the same commit. */
  readonly slots: ReadonlyArray<Slot>
  readonly commit: Commit | null
}

/** The fields of a request that say what it is about. */
export interface ScopeRequest<
  Content extends string = string,
  Slot extends string = string,
  Commit extends string = string
> {
  readonly artifact_fingerprint?: Content | null | undefined
  readonly target_artifacts?: ReadonlyArray<Slot> | null | undefined
  readonly git_commit_info?: { readonly sha1: Commit } | null | undefined
}

/** The trail that a request writes to. */
export interface ScopeTrail {
  readonly org: string
  readonly flow: string
  readonly trail: string
}

/** An artifact of the trail. */
export interface ScopeArtifact {
  readonly slot: string
  readonly fingerprint: string
}

/** The trail, or each of the slots asked for, holds no artifact with the fingerprint. DECISION D2.8 */
export class ArtifactNotInTrail extends Schema.TaggedError<ArtifactNotInTrail>()(
  "ArtifactNotInTrail",
  {
    org: Schema.String,
    flow: Schema.String,
    trail: Schema.String,
    fingerprint: Schema.String,
    slots: Schema.Array(Schema.String)
  }
) {
  override get message(): string {
    const where = this.slots.length === 0 ? "" : ` in slots \`${this.slots.join(", ")}\``
    return `there is no artifact \`${this.fingerprint}\`${where} in trail \`${this.trail}\` of flow \`${this.flow}\``
  }
}

/** An attestation that names slots needs the commit that will bind it to their artifacts. */
export class AttestationNeedsCommit extends Schema.TaggedError<AttestationNeedsCommit>()(
  "AttestationNeedsCommit",
  { slots: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `an attestation for \`${this.slots.join(", ")}\` needs a fingerprint or a commit`
  }
}

/** What a request is about, or why it cannot be about that; an empty list of slots names none. */
export const locate = <Content extends string, Slot extends string, Commit extends string>(
  request: ScopeRequest<Content, Slot, Commit>,
  { org, flow, trail }: ScopeTrail,
  artifacts: ReadonlyArray<ScopeArtifact>
): Either.Either<
  AttestationScope<Content, Slot, Commit>,
  ArtifactNotInTrail | AttestationNeedsCommit
> => {
  const fingerprint = request.artifact_fingerprint ?? null
  const slots = [...new Set(request.target_artifacts ?? [])]
  const commit = request.git_commit_info?.sha1 ?? null
  if (fingerprint === null)
    return slots.length > 0 && commit === null
      ? Either.left(new AttestationNeedsCommit({ slots }))
      : Either.right({ fingerprint, slots, commit })
  const named = new Set<string>(slots)
  const isThere = artifacts.some(
    (artifact) =>
      artifact.fingerprint === fingerprint && (named.size === 0 || named.has(artifact.slot))
  )
  return isThere
    ? Either.right({ fingerprint, slots, commit })
    : Either.left(new ArtifactNotInTrail({ org, flow, trail, fingerprint, slots }))
}
