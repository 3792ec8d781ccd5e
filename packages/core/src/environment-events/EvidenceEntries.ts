/**
 * Finds the entries of the log that recorded an artifact, an attestation or a snapshot, so that pages and commands
 * can request receipts for them.
 *
 * WHY not in `log`: it reads artifacts, attestations and snapshots, which are of later modules.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Access from "../access/Access.js"
import { authorize } from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import { AttestationStore } from "../attestation/AttestationStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { FlowStore } from "../flow/FlowStore.js"
import { JournalStore } from "../journal/JournalStore.js"
import type { LogEpochNotFound } from "../log/LogProof.js"
import { type LogQuestion, LogViews } from "../log/LogViews.js"
import type { AttestationId, EnvironmentName, FlowName, OrgId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"

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

      const ofArtifact = Effect.fn(function* (
        org: OrgId,
        { fingerprint, flow }: Extract<Recorded, { readonly _tag: "Artifact" }>
      ) {
        const found = Option.isSome(flow)
          ? yield* flows.findByName({ org, name: flow.value })
          : Option.none()
        if (Option.isSome(flow) && Option.isNone(found)) return []
        const records = yield* artifacts.listByContent({
          org,
          fingerprint,
          ...(Option.isSome(found) ? { flow: found.value.id } : {})
        })
        return records.map(({ sequence }) => sequence)
      })

      const ofSnapshot = Effect.fn(function* (
        org: OrgId,
        { environment, index }: Extract<Recorded, { readonly _tag: "Snapshot" }>
      ) {
        const found = yield* environments.findByName({ org, name: environment })
        if (Option.isNone(found)) return []
        const { id } = found.value.environment
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

      /** The numbers of the journal entries that recorded it, newest first. The caller has authorized the read. */
      const sequencesOf = (
        org: OrgId,
        what: Recorded
      ): Effect.Effect<ReadonlyArray<number>, StoreError> => {
        switch (what._tag) {
          case "Attestation":
            return Effect.map(attestations.find(org, what.id), (found) =>
              Option.toArray(found).map(({ sequence }) => sequence)
            )
          case "Artifact":
            return ofArtifact(org, what)
          case "Snapshot":
            return ofSnapshot(org, what)
        }
      }

      /** The entries that recorded it, newest first, at most `ENTRIES_MAX`; none for what is unknown. */
      const find = Effect.fn("EvidenceEntries.find")(function* (
        question: LogQuestion,
        what: Recorded
      ): Effect.fn.Return<
        ReadonlyArray<EvidenceEntry>,
        StoreError | Access.AccessDenied | LogEpochNotFound,
        CurrentActor
      > {
        const { orgId } = yield* authorize(yield* CurrentActor, question.org, "org.read")
        const sequences = yield* sequencesOf(orgId, what)
        return yield* views.locate(question, sequences.slice(0, ENTRIES_MAX))
      })

      return { find, sequencesOf } as const
    })
  }
) {}
