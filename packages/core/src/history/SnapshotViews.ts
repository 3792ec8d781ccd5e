/** Reads a snapshot as recorded, or with its rows evaluated on the evidence of an instant. SPEC §4.5 */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import { isKnown } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import type { Facts } from "../policy/PolicyFacts.js"
import { isEnforced } from "../policy/PolicyMode.js"
import { type PolicySet, PolicySets, type VersionKey } from "../policy/PolicySets.js"
import * as CommitPosition from "../shared/CommitPosition.js"
import type { EnvironmentId, EnvironmentName, OrgId, OrgName } from "../shared/Identifier.js"
import * as Slices from "../shared/Slices.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as Verdict from "../shared/Verdict.js"
import type { EvaluatedRow } from "../snapshot/internal/EvaluatedRow.js"
import * as RowDecision from "../snapshot/RowDecision.js"
import type * as Snapshot from "../snapshot/Snapshot.js"
import * as SnapshotCounts from "../snapshot/SnapshotCounts.js"
import type { SnapshotExpression } from "../snapshot/SnapshotExpression.js"
import { type CompleteSnapshot, Snapshots } from "../snapshot/Snapshots.js"
import type * as AsOf from "./AsOf.js"
import * as EnvironmentMoments from "./EnvironmentMoments.js"
import * as FactTimeline from "./FactTimeline.js"
import * as FingerprintHistory from "./FingerprintHistory.js"
import { HistoryStore } from "./HistoryStore.js"
import * as AsOfEvaluation from "./internal/AsOfEvaluation.js"
import * as ShownRows from "./internal/ShownRows.js"
import * as SnapshotsThen from "./internal/SnapshotsThen.js"
import * as NamesAsOf from "./NamesAsOf.js"
import { isValidFor } from "./ValidityPeriod.js"

/** Which policies evaluate the rows: those recorded in the snapshot, or the current ones. */
export type EvaluatingPolicies = "recorded" | "latest"

/** A snapshot to read, and the policies for an evaluation as of an instant. */
export interface SnapshotAsked {
  readonly expression: SnapshotExpression
  readonly policies: EvaluatingPolicies
}

/** A row as of an instant. */
export interface RowAsOf extends EvaluatedRow {
  /** The recorded verdict. */
  readonly recorded: Verdict.Verdict
  readonly late: ReadonlyArray<AsOfEvaluation.LateEvidence>
  readonly facts: Facts
}

/** A snapshot as of an instant. */
export interface SnapshotAsOf extends CompleteSnapshot {
  readonly asOf: Timestamp
  readonly recorded: Verdict.Verdict
  readonly rows: ReadonlyArray<RowAsOf>
}

const isRunning = ({ annotation }: EvaluatedRow): boolean => annotation.type !== "exited"

/** The policy versions by which a row was evaluated. */
const versionsOf = ({ decisions }: EvaluatedRow): ReadonlyArray<VersionKey> =>
  decisions.map(({ mode, policy_id: id, policy_name: name, version }) => ({
    id,
    name,
    version,
    ...(mode === undefined ? {} : { mode })
  }))

/** The context for evaluating the rows of one environment. */
interface Place {
  readonly environment: Environment.Environment
  /** The commit position of a snapshot. */
  readonly startedAt: (index: number) => CommitPosition.VisibilityBound | undefined
  readonly isAllowed: (fingerprint: string) => boolean
  readonly momentAt: EnvironmentMoments.MomentAt
}

/** A row and the policies that evaluate it; undefined if the row stays as recorded. */
interface Asked {
  readonly row: EvaluatedRow
  readonly by: { readonly place: Place; readonly set: PolicySet } | undefined
}

/** The rows of a snapshot as of an instant, and the policies that evaluate them. */
interface WholeAsked {
  readonly rows: ReadonlyArray<RowAsOf>
  readonly policies: EvaluatingPolicies
  readonly asOf: Timestamp
}

/** A row with new decisions and the verdict that follows from them. */
const evaluated = (
  row: EvaluatedRow,
  set: PolicySet,
  { asked, place }: { readonly asked: AsOfEvaluation.AskedRow; readonly place: Place }
): RowAsOf => {
  const policy_decisions = AsOfEvaluation.decide(set.compiled, asked)
  // INVARIANT: decisions have the order of the set's versions.
  const decisions = RowDecision.fromDecisions(
    policy_decisions,
    (_, index) => set.versions[index]?.id ?? ""
  )
  const verdict = place.isAllowed(row.fingerprint) ? "Compliant" : RowDecision.verdictOf(decisions)
  const started = place.startedAt(row.started_index)
  return {
    ...row,
    verdict,
    decisions,
    policy_decisions,
    reasons: RowDecision.reasonsOf(verdict, policy_decisions),
    warnings: RowDecision.warningsOf(policy_decisions),
    recorded: row.verdict,
    late: started === undefined ? [] : AsOfEvaluation.lateEvidence(set.compiled, asked, started),
    facts: AsOfEvaluation.factsOf(asked)
  }
}

const asRecorded = (row: EvaluatedRow): RowAsOf => ({
  ...row,
  recorded: row.verdict,
  late: [],
  facts: { artifact: { name: row.name, fingerprint: row.fingerprint }, flows: [] }
})

/** The verdict of the rows of one environment. */
const verdictOf = (
  rows: ReadonlyArray<RowAsOf>,
  hasPolicies: boolean,
  reasons?: CompleteSnapshot["snapshot"]["reasons"]
): Verdict.Verdict => SnapshotCounts.verdictOf(SnapshotCounts.count(rows), { hasPolicies, reasons })

const hasEnforced = (rows: ReadonlyArray<RowAsOf>): boolean =>
  rows.some(({ policy_decisions }) => policy_decisions.some(isEnforced))

/** Use cases of reading snapshots. */
export class SnapshotViews extends Effect.Service<SnapshotViews>()("@attestry/core/SnapshotViews", {
  effect: Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const snapshotThen = yield* SnapshotsThen.make
    const names = yield* NamesAsOf.make
    const history = yield* HistoryStore
    const environments = yield* EnvironmentStore
    const sets = yield* PolicySets
    const momentsOf = yield* EnvironmentMoments.make
    const reaches = yield* Reaches
    const shownRows = yield* ShownRows.make

    const placeOf = (
      environment: Environment.Environment,
      rows: ReadonlyArray<EvaluatedRow>,
      shown: Pick<Snapshot.Snapshot, "index" | "timestamp">
    ) =>
      Effect.gen(function* () {
        const ref = Environment.ref(environment)
        const indexes = [
          ...new Set([shown.index, ...rows.map(({ started_index }) => started_index)])
        ]
        const numbered = new Map(
          (yield* history.snapshots(ref, indexes)).map((each) => [each.index, each])
        )
        const then = numbered.get(shown.index) ?? CommitPosition.asOf(shown.timestamp)
        const allowed = new Set<string>(
          (yield* history.allowedPeriods(ref))
            .filter((period) => isValidFor(period, then))
            .map(({ fingerprint }) => fingerprint)
        )
        return {
          environment,
          startedAt: (index: number) => numbered.get(index),
          isAllowed: (fingerprint: string) => allowed.has(fingerprint),
          momentAt: yield* momentsOf(ref)
        } satisfies Place
      })

    /** The environments of a snapshot's members, with the names under which their rows are shown. */
    const membersOf = (
      org: OrgId,
      ids: ReadonlyArray<EnvironmentId>,
      { asOf, isEarlier }: NamesAsOf.Moment
    ) =>
      Effect.gen(function* () {
        const found = yield* environments.list(org, ids)
        if (!isEarlier) return found
        const called = yield* names.environmentNames(org, ids, asOf)
        return found.map((each) => ({ ...each, name: called.get(each.id) ?? each.name }))
      })

    /** The environments in which rows run, by name. */
    const placesOf = (org: OrgId, found: CompleteSnapshot, moment: NamesAsOf.Moment) =>
      Effect.gen(function* () {
        const { environment, rows, snapshot } = found
        const { timestamp } = snapshot
        const members = new Map<EnvironmentId, number>(
          snapshot.members?.map(({ environment_id, index }) => [environment_id, index])
        )
        const all =
          snapshot.members === null
            ? [environment]
            : yield* membersOf(org, [...members.keys()], moment)
        const places = yield* Effect.forEach(all, (each) =>
          placeOf(
            each,
            rows.filter((row) => row.environment === each.name),
            { index: members.get(each.id) ?? snapshot.index, timestamp }
          )
        )
        return new Map<string, Place>(places.map((place) => [place.environment.name, place]))
      })

    /** The policies that evaluate a row. */
    const setOf = (
      org: OrgId,
      row: EvaluatedRow,
      by: { readonly place: Place; readonly policies: EvaluatingPolicies }
    ) =>
      by.policies === "latest"
        ? sets.latest(org, Environment.selectionOf(by.place.environment))
        : sets.at(org, versionsOf(row))

    const rowsOf = (
      org: OrgId,
      found: CompleteSnapshot,
      asked: NamesAsOf.Moment & {
        readonly bound: CommitPosition.VisibilityBound
        readonly policies: EvaluatingPolicies
      }
    ) =>
      Effect.gen(function* () {
        const places = yield* placesOf(org, found, asked)
        const running = found.rows.filter(isRunning)
        const known = [...new Set(running.map(({ fingerprint }) => fingerprint).filter(isKnown))]
        const evidence =
          known.length === 0
            ? FingerprintHistory.EMPTY
            : yield* history.evidence(org, { fingerprints: known })
        const historyOf = FingerprintHistory.group(evidence)
        const timelines = new Map<string, FactTimeline.FactTimeline>()
        const timelineOf = (fingerprint: string) => {
          const made = timelines.get(fingerprint) ?? FactTimeline.make(historyOf(fingerprint))
          timelines.set(fingerprint, made)
          return made
        }
        const evaluation = yield* Effect.forEach(
          found.rows,
          (row): Effect.Effect<Asked, StoreError> => {
            const place = places.get(row.environment)
            return place === undefined || !isRunning(row)
              ? Effect.succeed({ row, by: undefined })
              : Effect.map(setOf(org, row, { place, policies: asked.policies }), (set) => ({
                  row,
                  by: { place, set }
                }))
          }
        )
        const rows = yield* Slices.map(evaluation, ({ by, row }) => {
          if (by === undefined) return asRecorded(row)
          const { fingerprint, name } = row
          return evaluated(row, by.set, {
            asked: {
              name,
              fingerprint,
              history: historyOf(fingerprint),
              timeline: timelineOf(fingerprint),
              bound: asked.bound,
              moment: by.place.momentAt(asked.asOf)
            },
            place: by.place
          })
        })
        const views = () => Array.from(timelines.values(), (each) => each.at(asked.bound)).flat()
        return { rows, evidence, views }
      })

    /** The decisions of a logical environment's own policies about rows. */
    const ownOf = (org: OrgId, found: CompleteSnapshot, asked: WholeAsked) =>
      Effect.gen(function* () {
        const { environment, snapshot } = found
        const momentAt = yield* momentsOf(Environment.ref(environment))
        const moment = momentAt(asked.asOf)
        const set =
          asked.policies === "latest"
            ? yield* sets.latest(org, Environment.selectionOf(environment))
            : yield* sets.at(org, snapshot.policies)
        const decided = yield* Slices.map(asked.rows, ({ facts, verdict, decisions }) => ({
          fingerprint: facts.artifact.fingerprint,
          isAllowed: verdict === "Compliant" && RowDecision.verdictOf(decisions) !== "Compliant",
          own: RowDecision.fromDecisions(
            AsOfEvaluation.decideFacts(set.compiled, facts, moment),
            (_, index) => set.versions[index]?.id ?? ""
          )
        }))
        return { set, decided }
      })

    /** The policies of a snapshot with the rows that each fails, and the verdict of the snapshot. */
    const wholeOf = (org: OrgId, found: CompleteSnapshot, asked: WholeAsked) =>
      Effect.gen(function* () {
        const rows = asked.rows.filter(isRunning)
        const isLogical = found.snapshot.members !== null
        const { set, decided } = yield* ownOf(org, found, { ...asked, rows })
        const own = isLogical ? decided : []
        const failingOf = (id: string) => {
          const failing = isLogical
            ? own.filter((row) =>
                row.own.some((one) => one.policy_id === id && one.status !== "COMPLIANT")
              )
            : rows.filter((row) =>
                row.decisions.some((one) => one.policy_id === id && one.status !== "COMPLIANT")
              )
          return [...new Set(failing.map(({ fingerprint }) => fingerprint))].sort()
        }
        const dumpOf = yield* sets.dumpsOf(org, set.versions)
        const policies = set.versions.map(({ id, mode, name, version }) => ({
          id,
          name,
          version,
          policy_dump: dumpOf({ id, version }),
          failing_artifacts: failingOf(id),
          ...(mode === undefined ? {} : { mode })
        }))
        if (!isLogical)
          return {
            policies,
            verdict: verdictOf(rows, set.versions.some(isEnforced), found.snapshot.reasons)
          }
        const names = [...new Set(rows.map(({ environment }) => environment))]
        const members = names.map((name) => {
          const inside = rows.filter(({ environment }) => environment === name)
          return verdictOf(inside, hasEnforced(inside))
        })
        const ownVerdict: ReadonlyArray<Verdict.Verdict> = set.versions.some(isEnforced)
          ? [
              own.every((row) => row.isAllowed || RowDecision.verdictOf(row.own) === "Compliant")
                ? "Compliant"
                : "NonCompliant"
            ]
          : []
        return {
          policies,
          verdict:
            rows.length === 0
              ? found.snapshot.verdict
              : Verdict.minimum([...members, ...ownVerdict])
        }
      })

    /** The snapshot of an expression, evaluated on the evidence of an instant. */
    const evaluate = Effect.fn("SnapshotViews.evaluate")(function* (
      org: OrgName,
      name: EnvironmentName,
      { policies: evaluation, ...wanted }: SnapshotAsked & { readonly asOf: AsOf.AsOf }
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const read = yield* snapshotThen(granted, { environment: name, ...wanted })
      const { asOf, found } = read
      const evaluated = yield* rowsOf(granted.orgId, found, { ...read, policies: evaluation })
      const { rows } = evaluated
      const { policies, verdict } = yield* wholeOf(granted.orgId, found, {
        rows,
        policies: evaluation,
        asOf
      })
      const counts = SnapshotCounts.count(rows.filter(isRunning))
      return {
        ...found,
        snapshot: { ...found.snapshot, verdict, counts },
        rows: yield* shownRows(granted, found, evaluated),
        policies: yield* snapshots.shownPolicies(granted, policies),
        asOf,
        recorded: found.snapshot.verdict
      } satisfies SnapshotAsOf
    })

    /** The snapshot of an expression, as recorded or evaluated on the evidence of an instant. */
    const get = (
      org: OrgName,
      name: EnvironmentName,
      { asOf, ...asked }: SnapshotAsked & { readonly asOf?: AsOf.AsOf | undefined }
    ) =>
      asOf === undefined
        ? snapshots.get(org, name, asked.expression)
        : evaluate(org, name, { ...asked, asOf })

    return { get, evaluate } as const
  })
}) {}
