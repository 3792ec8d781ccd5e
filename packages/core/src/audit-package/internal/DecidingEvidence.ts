/** Reads the attestations on which the verdicts of a snapshot's rows were decided. */
import * as Effect from "effect/Effect"
import { distinctKnown, type ReportedFingerprint } from "../../artifact/Fingerprint.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import * as EvaluationTimeline from "../../history/EvaluationTimeline.js"
import * as FactTimeline from "../../history/FactTimeline.js"
import * as FingerprintHistory from "../../history/FingerprintHistory.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import type { AttestationFact } from "../../policy/PolicyFacts.js"
import type { VisibilityBound } from "../../shared/CommitPosition.js"
import { AttestationId, type OrgId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { CompleteSnapshot } from "../../snapshot/Snapshots.js"
import { type SnapshotTooLarge, tooLarge } from "../SnapshotPackage.js"

type Row = CompleteSnapshot["rows"][number]

/** An attestation that a row was decided on. */
export interface DecidingAttestation
  extends Pick<AttestationFact, "name" | "type" | "is_compliant" | "level"> {
  readonly id: AttestationId
  readonly flow_name: string
  readonly trail_name: string
}

/** How many rows are read together. */
const BATCH = 50

const isRunning = ({ annotation }: Row): boolean => annotation.type !== "exited"

const keyOf = (environment: string, index: number): string => `${environment} ${index}`

/** The attestations of flows that the row shows. */
const shownOf = (
  { flows }: Row,
  known: ReadonlyArray<FactTimeline.KnownFlow>,
  {
    flowNames,
    idOf
  }: Pick<CompleteSnapshot, "flowNames"> & {
    readonly idOf: (sequence: number) => string | undefined
  }
): ReadonlyArray<DecidingAttestation> => {
  const shown = new Set<string>(flows.map(({ flow_id }) => flow_id))
  return known
    .filter(({ flow_id }) => shown.has(flow_id))
    .flatMap(({ flow_id, view: { attestations, flow_name: named, trail_name } }) =>
      attestations.flatMap(({ is_compliant, level, name, sequence, type }) => {
        const id = idOf(sequence)
        const flow_name = flowNames.get(flow_id) ?? named
        return id === undefined
          ? []
          : [
              {
                id: AttestationId.make(id),
                name,
                type,
                is_compliant,
                level,
                flow_name,
                trail_name
              }
            ]
      })
    )
}

/** Makes the reader. */
export const make = Effect.gen(function* () {
  const history = yield* HistoryStore
  const environments = yield* EnvironmentStore

  /** The environments in which rows run, by id. */
  const placesOf = (org: OrgId, { environment, snapshot }: CompleteSnapshot) =>
    snapshot.members === null
      ? Effect.succeed(new Map([[environment.id, environment.name]]))
      : environments.names(
          org,
          snapshot.members.map(({ environment_id }) => environment_id)
        )

  /** The bound on the evidence of the evaluation that decided a row; none for a row that nothing decided. */
  const boundsOf = (org: OrgId, found: CompleteSnapshot) =>
    Effect.gen(function* () {
      const bounds = new Map<string, VisibilityBound>()
      for (const [environment, name] of yield* placesOf(org, found)) {
        const ref = { org, environment }
        const own = found.rows.filter((row) => isRunning(row) && row.environment === name)
        const indexes = [...new Set(own.map(({ started_index }) => started_index))]
        const timeline = EvaluationTimeline.make(yield* history.evaluations(ref))
        for (const started of yield* history.snapshots(ref, indexes)) {
          const bound = timeline.evaluatedAt(started, found.snapshot.timestamp)
          bounds.set(keyOf(name, started.index), bound)
        }
      }
      return ({ environment, started_index }: Row) => bounds.get(keyOf(environment, started_index))
    })

  /** The facts about fingerprints over time, and the ids of attestations by their sequence numbers. */
  const evidenceOf = (org: OrgId, reported: ReadonlyArray<ReportedFingerprint>) =>
    Effect.gen(function* () {
      const fingerprints = distinctKnown(reported)
      const evidence =
        fingerprints.length === 0
          ? FingerprintHistory.EMPTY
          : yield* history.evidence(org, { fingerprints })
      const historyOf = FingerprintHistory.group(evidence)
      const templateOf = FactTimeline.templatesOf(evidence)
      const ids = new Map(
        evidence.trails.flatMap(({ attestations }) =>
          attestations.map(({ id, sequence }) => [sequence, id] as const)
        )
      )
      return {
        idOf: (sequence: number) => ids.get(sequence),
        at: (fingerprint: string, bound: VisibilityBound) =>
          FactTimeline.make(historyOf(fingerprint), templateOf).at(bound)
      }
    })

  /**
   * The attestations of each row, in the order of the rows; a row that has exited has none. Only those of flows that
   * the row shows. Fails when they are more than a package holds.
   */
  const read = (
    org: OrgId,
    found: CompleteSnapshot
  ): Effect.Effect<
    ReadonlyArray<ReadonlyArray<DecidingAttestation>>,
    StoreError | SnapshotTooLarge
  > =>
    Effect.gen(function* () {
      const { environment, rows, snapshot } = found
      const named = { environment: environment.name, index: snapshot.index }
      const boundOf = yield* boundsOf(org, found)
      const all: Array<ReadonlyArray<DecidingAttestation>> = []
      let count = 0
      for (let at = 0; at < rows.length; at += BATCH) {
        const batch = rows.slice(at, at + BATCH)
        const running = batch.filter(isRunning)
        const evidence = yield* evidenceOf(
          org,
          running.map(({ fingerprint }) => fingerprint)
        )
        for (const row of batch) {
          const bound = isRunning(row) ? boundOf(row) : undefined
          const known = bound === undefined ? [] : evidence.at(row.fingerprint, bound)
          const attestations = shownOf(row, known, {
            flowNames: found.flowNames,
            idOf: evidence.idOf
          })
          count += attestations.length
          all.push(attestations)
        }
        const failure = tooLarge(named, "attestations", count)
        if (failure !== undefined) return yield* failure
      }
      return all
    })

  return { read } as const
})
