/** Reads the rows of a snapshot for a dry run, of a physical or a logical environment. */

import * as CommitPosition from "@attestry/core/CommitPosition"
import * as Environment from "@attestry/core/Environment"
import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import * as EvaluationTimeline from "@attestry/core/EvaluationTimeline"
import * as FactTimelines from "@attestry/core/FactTimelines"
import { HistoryStore } from "@attestry/core/HistoryStore"
import type { EnvironmentName, OrgId } from "@attestry/core/Identifier"
import type { Moment } from "@attestry/core/Moment"
import * as NamesAsOf from "@attestry/core/NamesAsOf"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import { isEnforced, toField } from "@attestry/core/PolicyMode"
import type { VersionKey } from "@attestry/core/PolicySets"
import { PolicyStore } from "@attestry/core/PolicyStore"
import * as PolicyVersions from "@attestry/core/PolicyVersions"
import * as Slices from "@attestry/core/Slices"
import type * as Snapshot from "@attestry/core/Snapshot"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import {
  isInForce,
  isValidAt,
  isValidFor,
  type ValidityPeriod
} from "@attestry/core/ValidityPeriod"
import * as Verdict from "@attestry/core/Verdict"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as LogicalEnvironmentReplay from "../../backtest/internal/LogicalEnvironmentReplay.js"
import type * as PolicyDryRun from "../PolicyDryRun.js"

/** The evidence of a dry run: that of each row's recorded evaluation, that of now, or that of an instant. */
export type DryRunAsOf = "judged" | "now" | Timestamp

/** A snapshot of an environment, and the evidence to use. */
interface Wanted {
  readonly environment: Environment.Environment
  readonly head: Snapshot.Snapshot
  readonly asOf: DryRunAsOf
  readonly now: Timestamp
}

/** Rows, and the policies that evaluate them beside the candidate. */
export interface DryRunInput {
  readonly rows: ReadonlyArray<PolicyDryRun.DryRunRow>
  readonly policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>
  /** Of a logical environment; null otherwise. */
  readonly members: ReadonlyArray<PolicyDryRun.Member> | null
  /** The evaluated snapshot; null without one. */
  readonly snapshot: {
    readonly environment: EnvironmentName
    readonly head: Snapshot.Snapshot
  } | null
  /** The moment of the evaluations. */
  readonly moment: Moment
}

const isRunning = ({ annotation }: Snapshot.ListedRow): boolean => annotation.type !== "exited"

/** A snapshot of a physical environment, and the instant for which its rows are evaluated. */
interface Asked {
  readonly snapshot: Snapshot.Snapshot
  readonly instant: Timestamp
  readonly asOf: DryRunAsOf
  readonly now: Timestamp
  readonly timelineOf: FactTimelines.TimelineOf
}

const flowsOf = (
  timelineOf: FactTimelines.TimelineOf,
  fingerprint: string,
  bound: CommitPosition.VisibilityBound
) =>
  timelineOf(fingerprint)
    .at(bound)
    .map(({ view }) => view)

/** Whether a period of the allow-list counts: for a snapshot, now, or at an instant. */
const validFor =
  (
    snapshot: CommitPosition.VisibilityBound,
    { asOf, now }: { readonly asOf: DryRunAsOf; readonly now: Timestamp }
  ) =>
  (period: ValidityPeriod): boolean => {
    if (asOf === "now") return period.to === null && isInForce(period, now)
    return asOf === "judged" ? isValidFor(period, snapshot) : isValidAt(period, asOf)
  }

/** The bound of the evidence of now, or of an instant. */
const boundBy = (asOf: Exclude<DryRunAsOf, "judged">): CommitPosition.VisibilityBound =>
  asOf === "now" ? CommitPosition.everything : CommitPosition.asOf(asOf)

/** The instant that a dry run is for; a snapshot that others followed is tried at its own. */
const instantOf = ({ asOf, head, now }: Wanted): Timestamp => {
  if (asOf !== "judged") return asOf === "now" ? now : asOf
  return head.next_timestamp === null ? now : head.timestamp
}

/** Makes the reader. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const snapshots = yield* SnapshotStore
  const history = yield* HistoryStore
  const policies = yield* PolicyStore
  const namesAsOf = yield* NamesAsOf.make
  const momentsOf = yield* EnvironmentMoments.make

  /** Stored versions; unknown ones are left out. */
  const versionsOf = (org: OrgId, keys: ReadonlyArray<VersionKey>) =>
    Effect.map(PolicyVersions.read(policies, org, keys), (versionOf) =>
      keys.flatMap((key) => {
        const version = versionOf(key)
        return version === undefined ? [] : [{ ...version, ...toField(key.mode) }]
      })
    )

  /** The bound on the evidence of each row of a snapshot. */
  const boundOf = (
    ref: Environment.EnvironmentRef,
    rows: ReadonlyArray<Snapshot.SnapshotRow>,
    { asOf, instant, snapshot }: Asked
  ) =>
    Effect.gen(function* () {
      if (asOf !== "judged") return () => boundBy(asOf)
      const indexes = [...new Set(rows.map(({ started_index }) => started_index))]
      // WHY by index: a later snapshot of a member may have the instant of the logical one that does not show it yet.
      const evaluations = EvaluationTimeline.make(
        (yield* history.evaluations(ref)).filter(({ index }) => index <= snapshot.index)
      )
      const started = new Map(
        (yield* history.snapshots(ref, indexes)).map((each) => [each.index, each])
      )
      return ({ started_index }: Snapshot.SnapshotRow) => {
        const start = started.get(started_index)
        return start === undefined
          ? CommitPosition.asOf(instant)
          : evaluations.evaluatedAt(start, instant)
      }
    })

  /** The commit position of a snapshot. */
  const numberOf = (
    ref: Environment.EnvironmentRef,
    { index, timestamp }: Snapshot.Snapshot
  ): Effect.Effect<CommitPosition.VisibilityBound, StoreError> =>
    Effect.map(history.snapshots(ref, [index]), ([numbered]) =>
      numbered === undefined ? CommitPosition.asOf(timestamp) : EvaluationTimeline.boundOf(numbered)
    )

  /** The running rows of a physical environment with their facts, and its allow-list. */
  const physical = (ref: Environment.EnvironmentRef, asked: Asked) =>
    Effect.gen(function* () {
      const { asOf, now, snapshot, timelineOf } = asked
      const running = snapshot.rows.filter(isRunning)
      const byOf = yield* boundOf(ref, running, asked)
      const allowedPeriods = yield* history.allowedPeriods(ref)
      const isAllowedFor = (by: CommitPosition.VisibilityBound, as: DryRunAsOf) => {
        const holds = validFor(by, { asOf: as, now })
        const allowed = new Set<string>(
          allowedPeriods.filter(holds).map(({ fingerprint }) => fingerprint)
        )
        return (fingerprint: string) => allowed.has(fingerprint)
      }
      const isAllowed = isAllowedFor(yield* numberOf(ref, snapshot), asOf)
      const rows = yield* Slices.map(running, (row) => {
        const { fingerprint, name, verdict } = row
        const flows = flowsOf(timelineOf, fingerprint, byOf(row))
        return {
          row,
          tried: {
            facts: { artifact: { name, fingerprint }, flows },
            was: verdict,
            isAllowed: isAllowed(fingerprint)
          } satisfies PolicyDryRun.DryRunRow
        }
      })
      return { rows, isAllowedFor }
    })

  /** The members of a snapshot of a logical environment, with the snapshots that it shows of them. */
  const membersOf = ({ members, org_id: org }: Snapshot.Snapshot, asOf: DryRunAsOf) =>
    Effect.gen(function* () {
      const listed = members ?? []
      const ids = listed.map(({ environment_id }) => environment_id)
      const names =
        typeof asOf === "number"
          ? yield* namesAsOf.environmentNames(org, ids, asOf)
          : yield* environments.names(org, ids)
      const found = yield* Effect.forEach(listed, ({ environment_id: environment, index }) =>
        Effect.map(
          snapshots.find({ org, environment }, { _tag: "AtIndex", index }),
          Option.map((snapshot) => ({
            ref: { org, environment },
            snapshot,
            name: names.get(environment) ?? ""
          }))
        )
      )
      return found.flatMap(Option.toArray)
    })

  /** The rows of a snapshot; a physical environment is the case with itself as the only member. */
  const read = (wanted: Wanted): Effect.Effect<DryRunInput, StoreError> =>
    Effect.gen(function* () {
      const { asOf, environment, head, now } = wanted
      const momentAt = yield* momentsOf(Environment.ref(environment))
      const { org_id: org, name: own } = environment
      const isLogical = head.members !== null
      const members = isLogical
        ? yield* membersOf(head, asOf)
        : [{ ref: Environment.ref(environment), snapshot: head, name: own }]
      const running = members.flatMap(({ snapshot }) => snapshot.rows.filter(isRunning))
      const prints = running.map(({ fingerprint }) => fingerprint)
      const timelineOf = yield* FactTimelines.read(history, org, prints)
      const evaluated = yield* numberOf(Environment.ref(environment), head)
      const policies = yield* versionsOf(org, head.policies)
      const isShared = LogicalEnvironmentReplay.sharedOf(running)
      const counting = head.policies.filter(isEnforced).map(({ failing, id, version }) => ({
        failing: new Set(failing),
        policy: PolicyEvaluation.compile(
          policies.filter((each) => each.id === id && each.version === version)
        )
      }))
      /** The recorded verdict of the environment's own policies about a row. */
      const saidOf = ({ fingerprint, name }: Snapshot.SnapshotRow): Verdict.Verdict => {
        const again = (policy: PolicyEvaluation.CompiledPolicies) =>
          PolicyEvaluation.evaluate(
            policy,
            {
              artifact: { name, fingerprint },
              flows: flowsOf(timelineOf, fingerprint, evaluated)
            },
            momentAt(evaluated.at)
          ).verdict === "Compliant"
        const passes = counting.every(
          ({ failing, policy }) =>
            !failing.has(fingerprint) || (isShared(fingerprint) && again(policy))
        )
        return passes ? "Compliant" : "NonCompliant"
      }
      const bound = asOf === "judged" ? evaluated : boundBy(asOf)
      const rows = yield* Effect.forEach(members, ({ name, ref, snapshot }) =>
        Effect.gen(function* () {
          const asked = { snapshot, instant: head.timestamp, asOf, now, timelineOf }
          const inside = yield* physical(ref, asked)
          if (!isLogical) return inside.rows.map(({ tried }): PolicyDryRun.DryRunRow => tried)
          const wasAllowed = inside.isAllowedFor(evaluated, "judged")
          const isAllowed = inside.isAllowedFor(evaluated, asOf)
          return yield* Slices.map(inside.rows, ({ row, tried }): PolicyDryRun.DryRunRow => {
            const { artifact } = tried.facts
            const { fingerprint } = row
            const said = wasAllowed(fingerprint) ? "Compliant" : saidOf(row)
            return {
              facts: { artifact, flows: flowsOf(timelineOf, fingerprint, bound) },
              was: counting.length === 0 ? tried.was : Verdict.min(tried.was, said),
              isAllowed: isAllowed(fingerprint),
              member: { name, facts: tried.facts, isAllowed: tried.isAllowed }
            }
          })
        })
      )
      return {
        rows: rows.flat(),
        policies,
        members: isLogical
          ? yield* Effect.forEach(members, ({ name, ref, snapshot }) =>
              Effect.gen(function* () {
                const moment = (yield* momentsOf(ref))(instantOf(wanted))
                return { name, policies: yield* versionsOf(org, snapshot.policies), moment }
              })
            )
          : null,
        snapshot: { environment: own, head },
        moment: momentAt(instantOf(wanted))
      } satisfies DryRunInput
    })

  return { read, versionsOf } as const
})
