/** Reads the rows of a snapshot that a dry run judges, of a physical or of a logical environment. DECISION B-422 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Environment from "../../environment/Environment.js"
import { EnvironmentStore } from "../../environment/EnvironmentStore.js"
import type { VersionKey } from "../../policy/internal/PolicySets.js"
import * as PolicyEvaluation from "../../policy/PolicyEvaluation.js"
import { isEnforced, toField } from "../../policy/PolicyMode.js"
import type { EnvironmentName, OrgId } from "../../shared/Identifier.js"
import * as Knowledge from "../../shared/Knowledge.js"
import * as Slices from "../../shared/Slices.js"
import type { StoreError } from "../../shared/StoreError.js"
import type { Timestamp } from "../../shared/Timestamp.js"
import * as Verdict from "../../shared/Verdict.js"
import type * as Snapshot from "../../snapshot/Snapshot.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import { type Held, HistoryStore } from "../HistoryStore.js"
import * as JudgingTimeline from "../JudgingTimeline.js"
import type * as PolicyDryRun from "../PolicyDryRun.js"
import { isHeldAt, isHeldBy } from "./AllowedAt.js"
import { Candidates } from "./Candidates.js"
import * as OwnPolicies from "./OwnPolicies.js"
import * as PastNames from "./PastNames.js"
import * as Timelines from "./Timelines.js"

/** By what is judged: what each row was judged by, what is known now, or what was known at an instant. */
export type DryRunKnowledge = "judged" | "now" | Timestamp

/** A snapshot of an environment, and by what its rows are judged. */
interface Wanted {
  readonly environment: Environment.Environment
  readonly head: Snapshot.Snapshot
  readonly asOf: DryRunKnowledge
}

/** Rows, and the versions that judge them beside the candidate. */
export interface Tried {
  readonly rows: ReadonlyArray<PolicyDryRun.TriedRow>
  readonly policies: ReadonlyArray<PolicyEvaluation.PolicyVersion>
  /** Of a logical environment; null otherwise. */
  readonly members: ReadonlyArray<PolicyDryRun.Member> | null
  /** Where a snapshot was judged. */
  readonly snapshot: {
    readonly environment: EnvironmentName
    readonly head: Snapshot.Snapshot
  } | null
}

const isRunning = ({ annotation }: Snapshot.ListedRow): boolean => annotation.type !== "exited"

/** A snapshot of a physical environment, and the instant for which its rows are judged. */
interface Asked {
  readonly snapshot: Snapshot.Snapshot
  readonly instant: Timestamp
  readonly asOf: DryRunKnowledge
  readonly timelineOf: Timelines.TimelineOf
}

const flowsOf = (
  timelineOf: Timelines.TimelineOf,
  fingerprint: string,
  knowledge: Knowledge.VisibilityBound
) =>
  timelineOf(fingerprint)
    .at(knowledge)
    .map(({ view }) => view)

/** Whether the allow-list counts: as for a snapshot, now, or at an instant. */
const holdsFor =
  (snapshot: Knowledge.VisibilityBound, asOf: DryRunKnowledge) =>
  (held: Held): boolean => {
    if (asOf === "now") return held.to === null
    return asOf === "judged" ? isHeldBy(held, snapshot) : isHeldAt(held, asOf)
  }

/** What is judged by, unless it is what judged. */
const knowledgeBy = (asOf: Exclude<DryRunKnowledge, "judged">): Knowledge.VisibilityBound =>
  asOf === "now" ? Knowledge.everything : Knowledge.asOf(asOf)

/** Makes what reads them. */
export const make = Effect.gen(function* () {
  const environments = yield* EnvironmentStore
  const snapshots = yield* SnapshotStore
  const history = yield* HistoryStore
  const candidates = yield* Candidates
  const past = yield* PastNames.make

  /** Stored versions; unknown ones are left out. */
  const versionsOf = (org: OrgId, keys: ReadonlyArray<VersionKey>) =>
    Effect.map(candidates.versions(org, keys), (versionOf) =>
      keys.flatMap((key) => {
        const version = versionOf(key)
        return version === undefined ? [] : [{ ...version, ...toField(key.mode) }]
      })
    )

  /** Says of a row of a snapshot by what it is judged. */
  const knowledgeOf = (
    ref: Environment.EnvironmentRef,
    rows: ReadonlyArray<Snapshot.SnapshotRow>,
    { asOf, instant, snapshot }: Asked
  ) =>
    Effect.gen(function* () {
      if (asOf !== "judged") return () => knowledgeBy(asOf)
      const indexes = [...new Set(rows.map(({ started_index }) => started_index))]
      // WHY by index: a later snapshot of a member may have the instant of the logical one that does not show it yet.
      const judgings = JudgingTimeline.make(
        (yield* history.judgings(ref)).filter(({ index }) => index <= snapshot.index)
      )
      const started = new Map(
        (yield* history.snapshots(ref, indexes)).map((each) => [each.index, each])
      )
      return ({ started_index }: Snapshot.SnapshotRow) => {
        const start = started.get(started_index)
        return start === undefined ? Knowledge.asOf(instant) : judgings.judgedAt(start, instant)
      }
    })

  /** The place of a snapshot in the order of knowledge. */
  const numberOf = (
    ref: Environment.EnvironmentRef,
    { index, timestamp }: Snapshot.Snapshot
  ): Effect.Effect<Knowledge.VisibilityBound, StoreError> =>
    Effect.map(
      history.snapshots(ref, [index]),
      ([numbered]) => numbered ?? Knowledge.asOf(timestamp)
    )

  /** The running rows of a physical environment with their facts, and its allow-list. */
  const physical = (ref: Environment.EnvironmentRef, asked: Asked) =>
    Effect.gen(function* () {
      const { asOf, snapshot, timelineOf } = asked
      const running = snapshot.rows.filter(isRunning)
      const byOf = yield* knowledgeOf(ref, running, asked)
      const allowances = yield* history.allowances(ref)
      const isAllowedFor = (by: Knowledge.VisibilityBound, as: DryRunKnowledge) => {
        const holds = holdsFor(by, as)
        const allowed = new Set<string>(
          allowances.filter(holds).map(({ fingerprint }) => fingerprint)
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
          } satisfies PolicyDryRun.TriedRow
        }
      })
      return { rows, isAllowedFor }
    })

  /** The members of a snapshot of a logical environment, with the snapshots that it shows of them. */
  const membersOf = ({ members, org_id: org }: Snapshot.Snapshot, asOf: DryRunKnowledge) =>
    Effect.gen(function* () {
      const listed = members ?? []
      const ids = listed.map(({ environment_id }) => environment_id)
      const names =
        typeof asOf === "number"
          ? yield* past.environmentNames(org, ids, asOf)
          : yield* environments.names(org, ids)
      const found = yield* Effect.forEach(listed, ({ environment_id: environment, index }) =>
        Effect.map(
          snapshots.find({ org, environment }, { _tag: "AtIndex", index }),
          Option.map((snapshot) => ({
            ...{ ref: { org, environment }, snapshot, name: names.get(environment) ?? "" }
          }))
        )
      )
      return found.flatMap(Option.toArray)
    })

  /** The rows of a snapshot; a physical environment is the case with itself as the only member. */
  const read = ({ asOf, environment, head }: Wanted): Effect.Effect<Tried, StoreError> =>
    Effect.gen(function* () {
      const { org_id: org, name: own } = environment
      const isLogical = head.members !== null
      const members = isLogical
        ? yield* membersOf(head, asOf)
        : [{ ref: Environment.ref(environment), snapshot: head, name: own }]
      const running = members.flatMap(({ snapshot }) => snapshot.rows.filter(isRunning))
      const prints = running.map(({ fingerprint }) => fingerprint)
      const timelineOf = yield* Timelines.read(history, org, prints)
      const judged = yield* numberOf(Environment.ref(environment), head)
      const policies = yield* versionsOf(org, head.policies)
      const isShared = OwnPolicies.sharedOf(running)
      const counting = head.policies.filter(isEnforced).map(({ failing, id, version }) => ({
        failing: new Set(failing),
        policy: PolicyEvaluation.compile(
          policies.filter((each) => each.id === id && each.version === version)
        )
      }))
      /** What the environment's own policies said about a row. */
      const saidOf = ({ fingerprint, name }: Snapshot.SnapshotRow): Verdict.Verdict => {
        const again = (policy: PolicyEvaluation.CompiledPolicies) =>
          PolicyEvaluation.evaluate(policy, {
            artifact: { name, fingerprint },
            flows: flowsOf(timelineOf, fingerprint, judged)
          }).verdict === "Compliant"
        const passes = counting.every(
          ({ failing, policy }) =>
            !failing.has(fingerprint) || (isShared(fingerprint) && again(policy))
        )
        return passes ? "Compliant" : "NonCompliant"
      }
      const knowledge = asOf === "judged" ? judged : knowledgeBy(asOf)
      const rows = yield* Effect.forEach(members, ({ name, ref, snapshot }) =>
        Effect.gen(function* () {
          const asked = { snapshot, instant: head.timestamp, asOf, timelineOf }
          const inside = yield* physical(ref, asked)
          if (!isLogical) return inside.rows.map(({ tried }): PolicyDryRun.TriedRow => tried)
          const wasAllowed = inside.isAllowedFor(judged, "judged")
          const isAllowed = inside.isAllowedFor(judged, asOf)
          return yield* Slices.map(inside.rows, ({ row, tried }): PolicyDryRun.TriedRow => {
            const { artifact } = tried.facts
            const { fingerprint } = row
            const said = wasAllowed(fingerprint) ? "Compliant" : saidOf(row)
            return {
              facts: { artifact, flows: flowsOf(timelineOf, fingerprint, knowledge) },
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
          ? yield* Effect.forEach(members, ({ name, snapshot }) =>
              Effect.map(versionsOf(org, snapshot.policies), (versions) => ({
                name,
                policies: versions
              }))
            )
          : null,
        snapshot: { environment: own, head }
      } satisfies Tried
    })

  return { read, versionsOf } as const
})
