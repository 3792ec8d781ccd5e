/**
 * Finds the entries of the log that recorded an artifact, an attestation or a snapshot, so that pages and commands
 * can request receipts for them.
 *
 * WHY not in `log`: it reads artifacts, attestations and snapshots, which are of later modules.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Access from "../access/Access.js"
import type { CurrentActor } from "../access/Actor.js"
import * as Reach from "../access/Reach.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowStore } from "../flow/FlowStore.js"
import type { JournalSubject } from "../journal/JournalEntry.js"
import { JournalStore } from "../journal/JournalStore.js"
import type { LogEpochNotFound } from "../log/LogProof.js"
import { type LogQuestion, LogViews, type ReceiptQuestion } from "../log/LogViews.js"
import {
  type AttestationId,
  type EnvironmentName,
  type FlowName,
  type OrgId,
  TrailId
} from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import type { PlacedThing } from "../space/ThingPlace.js"
import { TrailStore } from "../trail/TrailStore.js"

/** What the entries are of. */
export type Recorded =
  | { readonly _tag: "Attestation"; readonly id: AttestationId }
  | {
      readonly _tag: "Artifact"
      readonly fingerprint: Fingerprint
      readonly flow: Option.Option<FlowName>
    }
  | { readonly _tag: "Snapshot"; readonly environment: EnvironmentName; readonly index: number }

/** An entry: its id, and its index where a published tree has its leaf. */
export interface EvidenceEntry {
  readonly entry: string
  readonly index: Option.Option<number>
}

/** The most entries of an answer. */
export const ENTRIES_MAX = 100

/** Who reads, and what. */
type Reader = Pick<GrantedWithin, "orgId" | "readable">

/** The subjects of entries that have a place under their id. */
const PLACED: ReadonlyArray<PlacedThing["kind"]> = ["flow", "environment", "policy", "control"]

/** How many entries around the time of a snapshot are looked at. */
const NEAREST = 32

const indexIn = (content: string): unknown => {
  // INVARIANT: the content of an entry is JSON.
  const value: unknown = JSON.parse(content)
  return typeof value === "object" && value !== null && "index" in value ? value.index : undefined
}

/** Use case: entries of what was recorded. */
export class EvidenceEntries extends Effect.Service<EvidenceEntries>()(
  "@attestry/core/EvidenceEntries",
  {
    effect: Effect.gen(function* () {
      const views = yield* LogViews
      const journal = yield* JournalStore
      const attestations = yield* AttestationStore
      const artifacts = yield* ArtifactStore
      const flows = yield* FlowStore
      const environments = yield* EnvironmentStore
      const snapshots = yield* SnapshotStore
      const trails = yield* TrailStore
      const reaches = yield* Reaches

      const ofArtifact = Effect.fn(function* (
        granted: Reader,
        { fingerprint, flow }: Extract<Recorded, { readonly _tag: "Artifact" }>
      ) {
        const { orgId: org } = granted
        const found = Option.isSome(flow)
          ? yield* flows.findByName({ org, name: flow.value })
          : Option.none()
        if (Option.isSome(flow) && Option.isNone(found)) return []
        const records = yield* artifacts.listByContent({
          org,
          fingerprint,
          ...(Option.isSome(found) ? { flow: found.value.id } : {})
        })
        const shown = yield* reaches.keepReadable(granted, {
          kind: "flow",
          things: records,
          idOf: ({ flow_id }) => flow_id
        })
        return shown.map(({ sequence }) => sequence)
      })

      const ofSnapshot = Effect.fn(function* (
        granted: Reader,
        { environment, index }: Extract<Recorded, { readonly _tag: "Snapshot" }>
      ) {
        const { orgId: org } = granted
        const found = yield* environments.findByName({ org, name: environment })
        if (Option.isNone(found)) return []
        const { id } = found.value.environment
        if (!(yield* reaches.isReadable(granted, { kind: "environment", id }))) return []
        const ref = { org, environment: id }
        const [head] = yield* snapshots.heads(ref, { first: index, last: index })
        if (head === undefined) return []
        const near = yield* journal.listNearest({
          org,
          subject: { type: "environment", id },
          kind: "snapshot_created",
          at: head.timestamp,
          limit: NEAREST
        })
        return near.flatMap(({ content, sequence }) =>
          indexIn(content) === index ? [sequence] : []
        )
      })

      const ofAttestation = Effect.fn(function* (granted: Reader, id: AttestationId) {
        const shown = yield* reaches.keepReadable(granted, {
          kind: "flow",
          things: Option.toArray(yield* attestations.find(granted.orgId, id)),
          idOf: ({ flow_id }) => flow_id
        })
        return shown.map(({ sequence }) => sequence)
      })

      const numbersFor = (
        granted: Reader,
        what: Recorded
      ): Effect.Effect<ReadonlyArray<number>, StoreError> => {
        switch (what._tag) {
          case "Attestation":
            return ofAttestation(granted, what.id)
          case "Artifact":
            return ofArtifact(granted, what)
          case "Snapshot":
            return ofSnapshot(granted, what)
        }
      }

      /** The numbers of the journal entries that recorded it, newest first. The caller has authorized the read. */
      const sequencesOf = (org: OrgId, what: Recorded) =>
        numbersFor({ orgId: org, readable: Reach.whole }, what)

      /** Whether the caller reads what an entry is about; what has no place is for those who read the whole org. */
      const isShown = (granted: Reader, subject: JournalSubject) =>
        Effect.gen(function* () {
          const { id, type } = subject
          if (granted.readable._tag === "Whole") return true
          if (type === "trail") {
            const [trail] = yield* trails.listByIds(granted.orgId, [TrailId.make(id)])
            if (trail === undefined) return false
            return yield* reaches.isReadable(granted, { kind: "flow", id: trail.flow_id })
          }
          const thing = PLACED.find((kind) => kind === type)
          return thing !== undefined && (yield* reaches.isReadable(granted, { kind: thing, id }))
        })

      /**
       * The receipt of an entry, as that of `LogViews`; without disclosures where the caller does not read what the
       * entry is about. Ids of entries cannot be guessed.
       */
      const receipt = Effect.fn("EvidenceEntries.receipt")(function* (
        question: LogQuestion,
        asked: ReceiptQuestion
      ) {
        const granted = yield* reaches.authorize(question.org, "org.read")
        const found = yield* views.receipt({ ...question, authorized: granted.orgId }, asked)
        if (Option.isNone(found)) return found
        return (yield* isShown(granted, found.value.subject))
          ? found
          : Option.some({ ...found.value, disclosures: [] })
      })

      /**
       * The entries that recorded it, newest first, at most `ENTRIES_MAX`; none for what is unknown, or is not for the
       * caller.
       */
      const find = Effect.fn("EvidenceEntries.find")(function* (
        question: LogQuestion,
        what: Recorded
      ): Effect.fn.Return<
        ReadonlyArray<EvidenceEntry>,
        StoreError | Access.AccessDenied | LogEpochNotFound,
        CurrentActor
      > {
        const granted = yield* reaches.authorize(question.org, "org.read")
        const sequences = yield* numbersFor(granted, what)
        const authorized = { ...question, authorized: granted.orgId }
        return yield* views.locate(authorized, sequences.slice(0, ENTRIES_MAX))
      })

      return { find, receipt, sequencesOf } as const
    })
  }
) {}
