/** Verifies the evaluations of trails: each is made again from the evidence of the trail and its template. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { EvaluationStore } from "../../compliance/EvaluationStore.js"
import type { StoredEvaluation } from "../../compliance/StoredEvaluation.js"
import * as TrailCompliance from "../../compliance/TrailCompliance.js"
import * as FlowTemplate from "../../flow/FlowTemplate.js"
import type { EvidenceHistory, TrailPast } from "../../history/FingerprintHistory.js"
import { HistoryStore } from "../../history/HistoryStore.js"
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import { DamagedRecords } from "../../shared/DamagedRecords.js"
import { type OrgId, type TemplateId, TrailId } from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { RecordFinding } from "../RecordFinding.js"
import { readable } from "./Readable.js"

/** Trails that are read at a time. */
const TRAILS = 100

const changed = (
  table: "trail_evaluation" | "trail_knowledge",
  key: string,
  column: string
): RecordFinding => ({ _tag: "VerdictChanged", table, key, column })

/** The evaluation of a trail after an entry of the journal; undefined for a template that cannot be read. */
const evaluateAt = (
  { templates }: EvidenceHistory,
  { artifacts, attestations }: TrailPast,
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

/** What the last evaluation of a trail differs in. */
const compareLast = (
  evidence: EvidenceHistory,
  trail: TrailPast,
  stored: StoredEvaluation
): ReadonlyArray<RecordFinding> => {
  const again = evaluateAt(evidence, trail, {
    ...{ template: stored.template_id, sequence: Number.MAX_SAFE_INTEGER }
  })
  const last = trail.marks.at(-1)
  const expected: { readonly [column: string]: readonly [unknown, unknown] } = {
    flow_id: [trail.flow_id, stored.flow_id],
    template_id: [last?.template_id ?? stored.template_id, stored.template_id],
    evaluated_at: [last?.at ?? stored.evaluated_at, stored.evaluated_at],
    status: [again?.trail.status ?? null, trail.evaluated.status],
    trail_status: [again?.trail ?? null, stored.trail],
    record_statuses: [again?.records ?? null, stored.records]
  }
  return Object.entries(expected).flatMap(([column, [left, right]]) =>
    CanonicalJson.equals(left, right) ? [] : [changed("trail_evaluation", trail.id, column)]
  )
}

/** The statuses that the events of a trail left, each by the evidence of its time. */
const compareMarks = (evidence: EvidenceHistory, trail: TrailPast): ReadonlyArray<RecordFinding> =>
  trail.marks.flatMap(({ sequence, status, template_id: template }) =>
    evaluateAt(evidence, trail, { template, sequence })?.trail.status === status
      ? []
      : [changed("trail_knowledge", `${trail.id} ${sequence}`, "status")]
  )

/** Verifies evaluations with the ports of a store. */
export const make = Effect.gen(function* () {
  const [evaluations, history] = [yield* EvaluationStore, yield* HistoryStore]

  /** Halves of some trails, where they cannot be read together; one alone is named. */
  const compareHalves = (
    org: OrgId,
    ids: ReadonlyArray<TrailId>
  ): Effect.Effect<ReadonlyArray<RecordFinding>, StoreError> => {
    const [first] = ids
    if (first === undefined) return Effect.succeed([])
    if (ids.length === 1)
      return Effect.succeed([{ _tag: "RecordUnreadable", table: "trail_evaluation", key: first }])
    const middle = Math.ceil(ids.length / 2)
    return Effect.zipWith(
      compareSome(org, ids.slice(0, middle)),
      compareSome(org, ids.slice(middle)),
      (left, right) => [...left, ...right]
    )
  }

  const compareSome = (
    org: OrgId,
    ids: ReadonlyArray<TrailId>
  ): Effect.Effect<ReadonlyArray<RecordFinding>, StoreError> =>
    Effect.gen(function* () {
      const read = yield* readable(history.trails(org, ids))
      if (Option.isNone(read)) return yield* compareHalves(org, ids)
      const evidence = read.value
      const stored = new Map(
        // WHY: one that cannot be read must not hide the others.
        (yield* Effect.provideService(evaluations.list(org, ids), DamagedRecords, [])).map(
          (each) => [each.trail_id, each]
        )
      )
      const pasts = new Map(evidence.trails.map((trail) => [trail.id, trail]))
      return ids.flatMap((id): ReadonlyArray<RecordFinding> => {
        const [trail, evaluation] = [pasts.get(id), stored.get(id)]
        if (evaluation === undefined) {
          const _tag = trail === undefined ? "RecordMissing" : "RecordUnreadable"
          return [{ _tag, table: "trail_evaluation", key: id }]
        }
        // A trail that is missing is found by level 3.
        if (trail === undefined) return []
        return [...compareLast(evidence, trail, evaluation), ...compareMarks(evidence, trail)]
      })
    })

  /** What evaluating trails again does not give. */
  const verify = (
    org: OrgId,
    trails: ReadonlyArray<string>
  ): Effect.Effect<ReadonlyArray<RecordFinding>, StoreError> =>
    Effect.gen(function* () {
      const findings: Array<RecordFinding> = []
      for (let begin = 0; begin < trails.length; begin += TRAILS) {
        const ids = trails.slice(begin, begin + TRAILS).map((id) => TrailId.make(id))
        findings.push(...(yield* compareSome(org, ids)))
      }
      return findings
    })

  return { verify } as const
})
