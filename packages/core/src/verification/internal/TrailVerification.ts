/** Verifies evaluations of trails by computing each again from the trail's evidence and template. */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { StoredEvaluation } from "../../compliance/StoredEvaluation.js"
import * as TrailCompliance from "../../compliance/TrailCompliance.js"
import * as FlowTemplate from "../../flow/FlowTemplate.js"
import type { EvidenceHistory, TrailHistory } from "../../history/FingerprintHistory.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { DamagedRecords } from "../../shared/DamagedRecords.js"
import { type OrgId, type TemplateId, TrailId } from "../../shared/Identifier.js"
import { attempt } from "../../shared/internal/ReadableDamage.js"
import type { StoreError } from "../../shared/StoreError.js"
import { Transaction } from "../../shared/Transaction.js"
import { TrailStore } from "../../trail/TrailStore.js"
import { AuditStore, type Columns } from "../AuditStore.js"
import { type TableFinding, unreadable } from "../TableFinding.js"
import type { Replay, ReplayedEvaluation } from "./Replay.js"

const isTrailId = Schema.is(TrailId)

/** The number of trails read at once. */
const TRAILS = 100

const changed = (
  table: "trail_evaluation" | "trail_event",
  key: string,
  column: string
): TableFinding => ({ _tag: "VerdictChanged", table, key, column })

/** The evaluation of a trail after a journal entry; undefined if its template is unreadable. */
const evaluateAt = (
  { templates }: EvidenceHistory,
  { artifacts, attestations }: TrailHistory,
  by: { readonly template: TemplateId; readonly sequence: number }
): TrailCompliance.TrailEvaluation | undefined => {
  const isSeen = ({ sequence }: { readonly sequence: number }) => sequence <= by.sequence
  const template = FlowTemplate.parse(templates.get(by.template) ?? "")
  return Either.isLeft(template)
    ? undefined
    : TrailCompliance.evaluate({
        template: template.right,
        artifacts: artifacts.filter(isSeen),
        attestations: attestations.filter(isSeen)
      })
}

/** The stored last evaluation of a trail, and the journal entry that caused it. */
interface LastEvaluation {
  readonly stored: StoredEvaluation
  /** The columns of its stored row; undefined if the store has no such row. */
  readonly raw: Columns | undefined
  readonly replayed: ReplayedEvaluation | undefined
}

/** The columns of a trail's last evaluation that differ. */
const compareLast = (
  evidence: EvidenceHistory,
  trail: TrailHistory,
  { stored, raw, replayed }: LastEvaluation
): ReadonlyArray<TableFinding> => {
  const again = evaluateAt(evidence, trail, {
    template: stored.template_id,
    sequence: Number.MAX_SAFE_INTEGER
  })
  const last = trail.events.find(({ sequence }) => sequence === replayed?.sequence)
  const expected: { readonly [column: string]: readonly [unknown, unknown] } = {
    flow_id: [trail.flow_id, stored.flow_id],
    template_id: [last?.template_id ?? stored.template_id, stored.template_id],
    evaluated_at: [replayed?.at ?? null, stored.evaluated_at],
    status: [again?.trail.status ?? null, trail.evaluated.status],
    // WHY the stored columns: decoding a status drops unknown members.
    trail_status: [again?.trail ?? null, raw?.trail_status ?? stored.trail],
    record_statuses: [again?.records ?? null, raw?.record_statuses ?? stored.records]
  }
  return Object.entries(expected).flatMap(([column, [left, right]]) =>
    CanonicalJson.equals(left, right) ? [] : [changed("trail_evaluation", trail.id, column)]
  )
}

/** Finds rows of `trail_event` without a journal entry, and journal entries without a row. */
const compareEvents = (
  { id, events }: TrailHistory,
  entries: ReadonlyMap<number, boolean>
): ReadonlyArray<TableFinding> => {
  const there = new Set(events.map(({ sequence }) => sequence))
  const key = (sequence: number) => ({ table: "trail_event", key: `${id} ${sequence}` })
  return [
    ...[...entries]
      .filter(([sequence, isEvent]) => isEvent && !there.has(sequence))
      .map(([sequence]): TableFinding => ({ _tag: "RecordMissing", ...key(sequence) })),
    ...[...there]
      .filter((sequence) => !entries.has(sequence))
      .map((sequence): TableFinding => ({ _tag: "RecordUnexpected", ...key(sequence) }))
  ]
}

/** Compares the statuses after each event of a trail, each with the evidence of its time. */
const compareStatuses = (
  evidence: EvidenceHistory,
  trail: TrailHistory
): ReadonlyArray<TableFinding> =>
  trail.events.flatMap(({ sequence, status, template_id: template }) =>
    evaluateAt(evidence, trail, { template, sequence })?.trail.status === status
      ? []
      : [changed("trail_event", `${trail.id} ${sequence}`, "status")]
  )

/** Verifies evaluations with the ports of a store. */
export const make = Effect.gen(function* () {
  const [evaluations, history] = [yield* TrailStore, yield* HistoryStore]
  const [transaction, records] = [yield* Transaction, yield* AuditStore]

  /** Splits trails that cannot be read together in halves; a single unreadable trail is a finding. */
  const compareHalves = (
    org: OrgId,
    ids: ReadonlyArray<TrailId>,
    state: Replay
  ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> => {
    const [first] = ids
    if (first === undefined) return Effect.succeed([])
    if (ids.length === 1) return Effect.succeed([unreadable("trail_evaluation", first)])
    const middle = Math.ceil(ids.length / 2)
    return Effect.zipWith(
      compareSome(org, ids.slice(0, middle), state),
      compareSome(org, ids.slice(middle), state),
      (left, right) => [...left, ...right]
    )
  }

  const compareSome = (
    org: OrgId,
    ids: ReadonlyArray<TrailId>,
    state: Replay
  ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> =>
    Effect.flatMap(
      attempt(transaction, org, compareTogether(org, ids, state)),
      Option.match({ onNone: () => compareHalves(org, ids, state), onSome: Effect.succeed })
    )

  const compareTogether = (
    org: OrgId,
    ids: ReadonlyArray<TrailId>,
    state: Replay
  ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> =>
    Effect.gen(function* () {
      const evidence = yield* history.evidence(org, { trails: ids })
      const stored = new Map(
        // WHY: one unreadable trail must not hide the others.
        (yield* Effect.provideService(
          evaluations.listEvaluations(org, ids),
          DamagedRecords,
          []
        )).map((each) => [each.trail_id, each])
      )
      const raw = new Map<string, Columns>(
        records.derivedKinds.includes("trail_evaluation")
          ? (yield* records.listRecords(org, "trail_evaluation", { keys: ids })).map(
              ({ key, columns }) => [key, columns] as const
            )
          : []
      )
      const trails = new Map(evidence.trails.map((trail) => [trail.id, trail]))
      return ids.flatMap((id): ReadonlyArray<TableFinding> => {
        const [trail, evaluation] = [trails.get(id), stored.get(id)]
        if (evaluation === undefined) {
          const _tag = trail === undefined ? "RecordMissing" : "RecordUnreadable"
          return [{ _tag, table: "trail_evaluation", key: id }]
        }
        // Level 3 reports a missing trail.
        if (trail === undefined) return []
        const last = { stored: evaluation, raw: raw.get(id), replayed: state.evaluations.get(id) }
        return [
          ...compareLast(evidence, trail, last),
          ...compareStatuses(evidence, trail),
          ...compareEvents(trail, state.evaluated.get(id) ?? new Map())
        ]
      })
    })

  /** Finds the evaluations that differ when they are computed again. */
  const verify = (
    org: OrgId,
    state: Replay
  ): Effect.Effect<ReadonlyArray<TableFinding>, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<TableFinding> = []
      const trails = [...state.table("trail").keys()]
      for (let begin = 0; begin < trails.length; begin += TRAILS) {
        // A tampered entry may have something that is not an id; its record is then reported as unexpected.
        const ids = trails.slice(begin, begin + TRAILS).filter(isTrailId)
        findings.push(...(yield* compareSome(org, ids, state)))
      }
      return findings
    })

  return { verify } as const
})
