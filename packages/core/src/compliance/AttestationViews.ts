/**
 * Reads attestations: listed, by name on a trail or an artifact, and their files.
 *
 * WHY not in `attestation`: which attestations an artifact has is decided by binding.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type GrantedWithin, Reaches, readableIds, readableWithin } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { FingerprintPrefix } from "../artifact/Fingerprint.js"
import { AttachmentStore } from "../attestation/AttachmentStore.js"
import type { Attachment, Attestation } from "../attestation/Attestation.js"
import { type AttestationFilter, AttestationStore } from "../attestation/AttestationStore.js"
import type { TrailPath } from "../attestation/Attestations.js"
import type {
  AttestationId,
  CommitSha,
  FlowId,
  FlowName,
  OrgId,
  OrgName
} from "../shared/Identifier.js"
import type * as Page from "../shared/Page.js"
import * as Slices from "../shared/Slices.js"
import { TrailStore } from "../trail/TrailStore.js"
import * as AttestationNamePattern from "./AttestationNamePattern.js"
import * as AttestationCommits from "./internal/AttestationCommits.js"
import * as AttestationLookup from "./internal/AttestationLookup.js"

/** An attestation with the names of its flow and trail. */
export type AttestationView = AttestationLookup.AttestationView

/** The trail has no such attestation, or the attestation no such file. */
export class EvidenceNotFound extends Schema.TaggedError<EvidenceNotFound>()("EvidenceNotFound", {
  attestation: Schema.String
}) {
  override get message(): string {
    return `there is no evidence file of attestation \`${this.attestation}\` here`
  }
}

/** The most attestations in an answer about commits. */
export const ATTESTATIONS_MAX = 10_000

/** The trails of the commits have more attestations than one answer holds. */
export class TooManyAttestations extends Schema.TaggedError<TooManyAttestations>()(
  "TooManyAttestations",
  { total: Schema.Int }
) {
  override get message(): string {
    return `the trails of these commits have ${this.total} attestations, more than ${ATTESTATIONS_MAX}`
  }
}

/** Which attestations are listed, with names instead of ids. */
export interface AttestationQuery extends Omit<AttestationFilter, "flows" | "trail" | "commits"> {
  /** In one of these flows, or of `flowIds`; each must exist. */
  readonly flowNames?: ReadonlyArray<FlowName>
  /** In one of these flows, or of `flowNames`; an unknown id matches nothing. */
  readonly flowIds?: ReadonlyArray<FlowId>
  /** With a name that the pattern matches. */
  readonly namePattern?: AttestationNamePattern.NamePattern
}

/** Attestations in the order of a list, and the place of the last one where more follow. */
export interface AttestationsInOrder {
  readonly items: ReadonlyArray<AttestationView>
  readonly next: Option.Option<number>
}

/** Use cases of reading attestations. */
export class AttestationViews extends Effect.Service<AttestationViews>()(
  "@attestry/core/AttestationViews",
  {
    effect: Effect.gen(function* () {
      const store = yield* AttestationStore
      const contents = yield* AttachmentStore
      const artifacts = yield* ArtifactStore
      const trails = yield* TrailStore
      const reaches = yield* Reaches
      const { boundTo, findFlow, findTrail, named, recordsOf } = yield* AttestationLookup.make

      /** The names of the org's attestations that a pattern matches. */
      const matchingNames = (granted: GrantedWithin, pattern: AttestationNamePattern.NamePattern) =>
        Effect.gen(function* () {
          const max = AttestationNamePattern.NAMES_MAX + 1
          const all = yield* store.listNames(granted.orgId, max, readableIds(granted))
          yield* AttestationNamePattern.check(pattern, all)
          return yield* Slices.run(() => AttestationNamePattern.select(pattern, all))
        })

      /** The filter of a query: ids of flows for their names, names for their pattern. */
      const filterOf = (granted: GrantedWithin, query: AttestationQuery) =>
        Effect.gen(function* () {
          const { flowNames, flowIds, namePattern, ...filter } = query
          const named = yield* Effect.forEach(flowNames ?? [], (flow) => findFlow(granted, flow))
          const names =
            namePattern === undefined ? filter.names : yield* matchingNames(granted, namePattern)
          return {
            ...filter,
            ...readableWithin(granted),
            ...(names === undefined ? {} : { names }),
            ...(flowNames === undefined && flowIds === undefined
              ? {}
              : { flows: [...named.map(({ id }) => id), ...(flowIds ?? [])] })
          } satisfies AttestationFilter
        })

      /** One page of the org's attestations, newest first by default. SPEC §4.12 */
      const list = Effect.fn("AttestationViews.list")(function* (
        org: OrgName,
        query: AttestationQuery,
        page: Page.Page
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { orgId } = granted
        const filter = yield* filterOf(granted, query)
        const { items, total, next } = yield* store.list(orgId, filter, page)
        return { items: yield* named(orgId, items), total, next } satisfies AttestationsInOrder &
          Page.Paged<AttestationView>
      })

      /** The same list from a place on, without its length. */
      const listAfter = Effect.fn("AttestationViews.listAfter")(function* (
        org: OrgName,
        query: AttestationQuery,
        place: { readonly after: number; readonly limit: number }
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { orgId } = granted
        const filter = yield* filterOf(granted, query)
        const { items, next } = yield* store.listAfter(orgId, filter, place)
        return { items: yield* named(orgId, items), next } satisfies AttestationsInOrder
      })

      /** What the trails of attestations know of commits; artifacts only where a commit depends on them. */
      const commitsOfTrails = (orgId: OrgId, items: ReadonlyArray<Attestation>) =>
        Effect.gen(function* () {
          const asked = new Set(
            items.filter(AttestationCommits.needsRecords).map(({ trail_id }) => trail_id)
          )
          const found = yield* trails.listByIds(orgId, [
            ...new Set(items.map(({ trail_id }) => trail_id))
          ])
          const known = yield* Effect.forEach(found, ({ id, git_commit_info }) =>
            Effect.map(
              asked.has(id) ? artifacts.listFacts(orgId, id) : Effect.succeed([]),
              (records) => [id, { records, commit: git_commit_info?.sha1 ?? null }] as const
            )
          )
          return new Map(known)
        })

      /** The attestations of each commit, oldest first; a commit without any has an empty list. */
      const listOfCommits = Effect.fn("AttestationViews.listOfCommits")(function* (
        org: OrgName,
        query: AttestationQuery,
        commits: ReadonlyArray<CommitSha>
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        const { orgId } = granted
        const distinct = [...new Set(commits)]
        const filter = { ...(yield* filterOf(granted, query)), commits: distinct }
        const all = { page: 1, perPage: ATTESTATIONS_MAX }
        const { items, total } = yield* store.list(orgId, { ...filter, direction: "asc" }, all)
        if (total > ATTESTATIONS_MAX) return yield* new TooManyAttestations({ total })
        const ofTrails = yield* commitsOfTrails(orgId, items)
        const ofCommits = new Map<CommitSha, Array<AttestationView>>()
        for (const sha of distinct) ofCommits.set(sha, [])
        for (const view of yield* named(orgId, items)) {
          const trail = ofTrails.get(view.attestation.trail_id)
          const own = trail === undefined ? [] : AttestationCommits.of(view.attestation, trail)
          for (const sha of own) ofCommits.get(sha)?.push(view)
        }
        return ofCommits
      })

      /** Every attestation of a name on a trail or on its artifacts, newest first. */
      const listOnTrail = Effect.fn("AttestationViews.listOnTrail")(function* (
        at: TrailPath,
        name: string
      ) {
        const granted = yield* reaches.authorize(at.org, "org.read")
        const { orgId } = granted
        const trail = yield* findTrail(granted, at)
        const found = yield* store.listByName({ org: orgId, trail: trail.id, name })
        return yield* named(orgId, [...found].reverse())
      })

      /** Every attestation of a name that counts for an artifact in a flow, newest first. */
      const listOnArtifact = Effect.fn("AttestationViews.listOnArtifact")(function* (
        at: { readonly org: OrgName; readonly flow: FlowName; readonly prefix: FingerprintPrefix },
        name: string
      ) {
        const granted = yield* reaches.authorize(at.org, "org.read")
        const { orgId } = granted
        const { records } = yield* recordsOf(granted, at)
        return yield* named(orgId, yield* boundTo(records, { name }))
      })

      /** A file of an attestation on a trail: the named one, or the first. */
      const evidence = Effect.fn("AttestationViews.evidence")(function* (
        at: TrailPath,
        file: { readonly id: AttestationId; readonly fingerprint?: string | undefined }
      ) {
        const granted = yield* reaches.authorize(at.org, "org.read")
        const { orgId } = granted
        const trail = yield* findTrail(granted, at)
        const found = yield* store.find(orgId, file.id)
        const attachment = Option.flatMapNullable(found, ({ trail_id, attachments }) =>
          trail_id === trail.id ? pick(attachments, file.fingerprint) : undefined
        )
        if (Option.isNone(attachment)) {
          return yield* new EvidenceNotFound({ attestation: file.id })
        }
        const { fingerprint } = attachment.value
        // The content is gone after an erasure; the attestation still names it.
        if (!(yield* contents.has({ org: orgId, fingerprint }))) {
          return yield* new EvidenceNotFound({ attestation: file.id })
        }
        return { ...attachment.value, content: contents.read({ org: orgId, fingerprint }) }
      })

      return { list, listAfter, listOfCommits, listOnTrail, listOnArtifact, evidence } as const
    })
  }
) {}

const pick = (
  attachments: ReadonlyArray<Attachment>,
  fingerprint: string | undefined
): Attachment | undefined =>
  fingerprint === undefined
    ? attachments[0]
    : attachments.find((attachment) => attachment.fingerprint === fingerprint)
