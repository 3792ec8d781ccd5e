/**
 * Links documents to artifacts that are reported after them, in the transaction of the report.
 *
 * WHY there, and not in a worker: the attestation is there as soon as the report is answered, and no order of commits
 * can lose it. The report holds its trail and then the fingerprint, and acceptances lock fingerprints after trails too,
 * so either the report sees the document, or the acceptance sees the artifact.
 */
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { ArtifactWatcher, type ReportedArtifact } from "../../artifact/internal/ArtifactWatcher.js"
import type { JournalActor } from "../../journal/JournalEntry.js"
import { StoreError } from "../../shared/StoreError.js"
import { EvidenceStore } from "../EvidenceStore.js"
import * as EvidenceAttestations from "./EvidenceAttestations.js"

/** The actor of attestations that follow from a report. */
const INTAKE: JournalActor = { kind: "system", id: "intake", name: "system:intake" }

/** Makes the attestations of documents that wait for reported artifacts. */
export class WaitingEvidence extends Effect.Service<WaitingEvidence>()(
  "@attestry/core/WaitingEvidence",
  {
    effect: Effect.gen(function* () {
      const store = yield* EvidenceStore
      const { attestAll } = yield* EvidenceAttestations.make

      /** Makes the attestations of an artifact on its locked trail. */
      const link = Effect.fnUntraced(function* ({ event, fingerprint, org }: ReportedArtifact) {
        const { flow, trail, writer } = event
        const by = { ...writer, actor: INTAKE }
        const waiting: Array<EvidenceAttestations.JudgedDocument> = []
        for (const subject of yield* store.holdSubjects(writer.org, fingerprint)) {
          const { digest, position } = subject
          const found = yield* store.find({ org: writer.org, digest, position })
          if (Option.isSome(found))
            waiting.push({ record: found.value, judgement: subject, remarks: {} })
        }
        // WHY in the order of acceptance: of attestations of one name the newest decides, and files that are accepted
        // after the artifact come in this order too.
        waiting.sort((left, right) => left.record.sequence - right.record.sequence)
        const place = { org, event: { writer: by, flow, trail }, fingerprint }
        for (const document of waiting) yield* attestAll(by, document, [place])
      })

      return { link } as const
    })
  }
) {}

/** `ArtifactWatcher` that links documents. */
export const layer = Layer.effect(
  ArtifactWatcher,
  Effect.map(WaitingEvidence, ({ link }) => ({
    reported: (artifact) =>
      Effect.mapError(link(artifact), (cause) =>
        // WHY: the artifact is on the trail, so that an attestation about it has a target.
        cause._tag === "StoreError"
          ? cause
          : new StoreError({ operation: "WaitingEvidence.link", cause })
      )
  }))
)
