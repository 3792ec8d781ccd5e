/** Reads everything about a snapshot: rows, policies, events, the evidence of rows, and receipts. SPEC §4.21 */
import * as Chunk from "effect/Chunk"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { CurrentActor } from "../access/Actor.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import type { Attachment } from "../attestation/Attestation.js"
import type { AttestationView } from "../compliance/AttestationViews.js"
import { SnapshotEvents } from "../environment-events/SnapshotEvents.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import type { ReceiptQuestion } from "../receipt/Receipts.js"
import {
  type AttestationId,
  type EnvironmentName,
  FlowName,
  TrailName
} from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import { versionsOf } from "../snapshot/internal/EvaluatedRow.js"
import type { SnapshotExpression } from "../snapshot/SnapshotExpression.js"
import { type CompleteSnapshot, Snapshots } from "../snapshot/Snapshots.js"
import * as DecidingEvidence from "./internal/DecidingEvidence.js"
import * as StoredEvidence from "./internal/StoredEvidence.js"
import { type PackagedReceipt, PackageReceipts } from "./PackageReceipts.js"
import { tooLarge } from "./SnapshotPackage.js"

/** A policy version that decided about rows, with its text. */
export interface PackagedPolicy {
  readonly name: string
  readonly version: number
  readonly text: string
}

/** An attestation, and the fingerprints of its files whose content is not stored any more. */
export interface PackagedAttestation {
  readonly view: AttestationView
  readonly gone: ReadonlySet<string>
}

/** The content of the audit package of a snapshot, as its caller may see it. */
export interface SnapshotPackage {
  readonly madeBy: string
  readonly isPartial: boolean
  readonly found: CompleteSnapshot
  /** The attestations that each row was decided on, in the order of the rows. */
  readonly evidence: ReadonlyArray<ReadonlyArray<DecidingEvidence.DecidingAttestation>>
  /** By name and version. The policy that requires provenance has no text. */
  readonly policies: ReadonlyArray<PackagedPolicy>
  /** The lines of the audit log of the environment for this snapshot. */
  readonly events: Uint8Array
  /** Every attestation of rows once, in the order of the rows, read while the stream is. */
  readonly attestations: Stream.Stream<PackagedAttestation, StoreError>
  /** The content of a file; fails where it does not have the size that was reported. */
  readonly contentOf: (file: Attachment) => Stream.Stream<Uint8Array, StoreError>
  /** Of the snapshot, then of each artifact that runs in it; made while the stream is read. */
  readonly receipts: Stream.Stream<PackagedReceipt, StoreError>
  /** The public keys of the org, as `/keys` answers them. */
  readonly keys: string
}

/** The names of the flow and the trail of each attestation. */
type Filing = ReadonlyMap<AttestationId, Omit<AttestationView, "attestation">>

const filingOf = (evidence: SnapshotPackage["evidence"]): Filing =>
  new Map(
    evidence
      .flat()
      .map(({ flow_name, id, trail_name }) => [
        id,
        { flow: FlowName.make(flow_name), trail: TrailName.make(trail_name) }
      ])
  )

const joined = (chunks: Chunk.Chunk<Uint8Array>): Uint8Array => {
  const pieces = Chunk.toReadonlyArray(chunks)
  const bytes = new Uint8Array(pieces.reduce((sum, { byteLength }) => sum + byteLength, 0))
  let at = 0
  for (const piece of pieces) {
    bytes.set(piece, at)
    at += piece.byteLength
  }
  return bytes
}

/** Use case: audit packages of snapshots. */
export class SnapshotPackages extends Effect.Service<SnapshotPackages>()(
  "@attestry/core/SnapshotPackages",
  {
    effect: Effect.gen(function* () {
      const [reaches, snapshots] = [yield* Reaches, yield* Snapshots]
      const [events, receipts] = [yield* SnapshotEvents, yield* PackageReceipts]
      const policies = yield* PolicyStore
      const deciding = yield* DecidingEvidence.make
      const stored = yield* StoredEvidence.make

      /** The texts of the policies that decided, of those that the caller reads. */
      const textsOf = (granted: GrantedWithin, { rows, snapshot }: CompleteSnapshot) =>
        Effect.gen(function* () {
          const keys = versionsOf(snapshot, rows).filter(({ version }) => version > 0)
          const readable = yield* reaches.keepReadable(granted, {
            kind: "policy",
            things: keys,
            idOf: ({ id }) => id
          })
          if (readable.length === 0) return []
          const found = yield* policies.listVersions(granted.orgId, { keys: readable })
          const names = new Map<string, string>(readable.map(({ id, name }) => [id, name]))
          return found
            .map(({ policy_id, policy_yaml: text, version }): PackagedPolicy => {
              return { name: names.get(policy_id) ?? "", version, text }
            })
            .sort((left, right) =>
              left.name === right.name
                ? left.version - right.version
                : left.name < right.name
                  ? -1
                  : 1
            )
        })

      /** The lines of the audit log for one snapshot: no other has its instant. */
      const eventsOf = (
        { org }: GrantedWithin,
        { environment, snapshot: { timestamp } }: CompleteSnapshot
      ) =>
        Effect.gen(function* () {
          const at = { from: timestamp, to: timestamp }
          const lines = yield* events.auditLog(org, environment.name, at)
          return joined(yield* Stream.runCollect(lines))
        })

      /** Fails where attestations have more files than a package holds. */
      const checkFiles = (
        { orgId }: GrantedWithin,
        { environment, snapshot }: CompleteSnapshot,
        ids: ReadonlyArray<AttestationId>
      ) =>
        Effect.gen(function* () {
          const files = yield* Stream.runFold(
            stored.list(orgId, ids),
            0,
            (sum, { attachments }) => sum + attachments.length
          )
          const named = { environment: environment.name, index: snapshot.index }
          const failure = tooLarge(named, "files", files)
          if (failure !== undefined) return yield* failure
        })

      /** Everything about the snapshot that an expression means; fails for one that is too large. */
      const read = Effect.fn("SnapshotPackages.read")(function* (
        question: ReceiptQuestion,
        asked: { readonly environment: EnvironmentName; readonly expression: SnapshotExpression }
      ) {
        const granted = yield* reaches.authorize(question.org, "org.read")
        const whole = yield* snapshots.whole(granted, asked.environment, asked.expression)
        const { environment, rows, snapshot } = whole
        const named = { environment: environment.name, index: snapshot.index }
        const failure = tooLarge(named, "rows", rows.length)
        if (failure !== undefined) return yield* failure
        const found = yield* snapshots.shown(granted, whole)
        const evidence = yield* deciding.read(granted.orgId, found)
        const filing = filingOf(evidence)
        const ids = [...filing.keys()]
        yield* checkFiles(granted, found, ids)
        return {
          madeBy: granted.actor.name,
          isPartial: granted.readable._tag === "Part",
          found,
          evidence,
          policies: yield* textsOf(granted, found),
          events: yield* eventsOf(granted, found),
          attestations: Stream.flatMap(stored.read(granted.orgId, ids), ({ attestation, gone }) => {
            const names = filing.get(attestation.id)
            return names === undefined
              ? Stream.empty
              : Stream.succeed({ view: { attestation, ...names }, gone })
          }),
          contentOf: stored.contentOf(granted.orgId),
          receipts: Stream.provideService(
            receipts.ofSnapshot(granted, question, whole),
            CurrentActor,
            granted.actor
          ),
          keys: yield* receipts.keysOf(granted)
        } satisfies SnapshotPackage
      })

      return { read } as const
    })
  }
) {}

/** An attestation that a row was decided on. */
export type { DecidingAttestation } from "./internal/DecidingEvidence.js"
