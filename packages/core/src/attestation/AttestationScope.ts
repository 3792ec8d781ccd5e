/**
 * The target of an attestation: its trail, one artifact of the trail, or slots that may still be empty.
 *
 * Decides whether a request may name its target. `AttestationBinding` decides which artifact records an
 * attestation counts for, because artifacts may be reported later.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"

/** The target of an attestation: the trail when there is neither a fingerprint nor a slot. */
export interface AttestationScope<
  Content extends string = string,
  Slot extends string = string,
  Commit extends string = string
> {
  /** The artifact, in the whole trail, or only in `slots` when there are any. */
  readonly fingerprint: Content | null
  /** The slots; without a fingerprint, only for artifacts with the same commit. */
  readonly slots: ReadonlyArray<Slot>
  readonly commit: Commit | null
}

/** The fields of a request that name its target. */
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

/**
 * The trail, or one of the slots, has no artifact with the fingerprint. A contradiction in a report is a mistake of its
 * sender.
 */
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

/** An attestation that names slots needs a commit, which binds it to their artifacts. */
export class AttestationNeedsCommit extends Schema.TaggedError<AttestationNeedsCommit>()(
  "AttestationNeedsCommit",
  { slots: Schema.Array(Schema.String) }
) {
  override get message(): string {
    return `an attestation for \`${this.slots.join(", ")}\` needs a fingerprint or a commit`
  }
}

/** The target of a request, or why it is invalid; an empty list of slots names none. */
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
