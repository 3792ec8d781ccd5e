/**
 * The rows that would change their verdict if policies were attached to an environment, switched to another mode, or
 * detached.
 *
 * Running rows are evaluated on their current facts, with the policies as they are and as they would be. Nothing is
 * written.
 */
import * as Environment from "@attestry/core/Environment"
import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { isKnown } from "@attestry/core/Fingerprint"
import {
  type EnvironmentName,
  type OrgName,
  type PolicyId,
  PolicyName
} from "@attestry/core/Identifier"
import type { Moment } from "@attestry/core/Moment"
import { PolicyNotFound } from "@attestry/core/Policy"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { PolicyMode } from "@attestry/core/PolicyMode"
import type { PolicyReason } from "@attestry/core/PolicyReason"
import { type PolicySet, PolicySets, readingOf } from "@attestry/core/PolicySets"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { type GrantedWithin, Reaches } from "@attestry/core/Reaches"
import { type KnownOf, RowEvidence } from "@attestry/core/RowEvidence"
import type { SnapshotRow } from "@attestry/core/Snapshot"
import * as SnapshotCounts from "@attestry/core/SnapshotCounts"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { UpToDateEnvironments } from "@attestry/core/UpToDateEnvironments"
import type { Verdict } from "@attestry/core/Verdict"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** The most rows of one answer. */
export const PREVIEWED_MAX = 100

/** How policies would count: in a mode, or not at all. */
export type PreviewMode = PolicyMode | "detach"

/** Policies, and how they would count. */
export interface Previewed {
  /** Absent for every attached policy that warns. */
  readonly names?: ReadonlyArray<string>
  readonly mode: PreviewMode
}

/** A row that would turn red, or that is red and would not be, with the reasons for which it is. */
export interface TurningRow {
  readonly environment: EnvironmentName
  readonly name: string
  readonly fingerprint: string
  readonly reasons: ReadonlyArray<PolicyReason>
}

/** What would change. */
export interface PolicyPreview {
  readonly now: SnapshotCounts.SnapshotCounts
  readonly after: SnapshotCounts.SnapshotCounts
  /** How many rows would have a warning. */
  readonly warned: number
  /** Rows that would turn red. */
  readonly turning: ReadonlyArray<TurningRow>
  /** Rows that are red and would not be. */
  readonly released: ReadonlyArray<TurningRow>
  /** How many more rows either list would have. */
  readonly leftOut: number
  /** How many rows are not judged, because a flow knows them that the caller may not read. */
  readonly hidden: number
}

/** A running row, where it runs and whether it is allowed there. */
interface PlacedRow {
  readonly row: SnapshotRow
  readonly environment: EnvironmentName
  readonly isAllowed: boolean
}

/** The evidence of rows, and the moment of an evaluation. */
interface Evidence {
  readonly knownOf: KnownOf
  readonly moment: Moment
}

const evaluate = (set: PolicySet, { isAllowed, row }: PlacedRow, { knownOf, moment }: Evidence) => {
  const { fingerprint, name } = row
  const facts = { artifact: { name, fingerprint }, flows: knownOf(fingerprint).facts }
  const evaluation = PolicyEvaluation.evaluate(set.compiled, facts, moment)
  const verdict: Verdict = isAllowed ? "Compliant" : evaluation.verdict
  return { verdict, evaluation }
}

/** Compares the verdicts of two sets of policies about rows. */
const compare = (
  rows: ReadonlyArray<PlacedRow>,
  sets: { readonly now: PolicySet; readonly after: PolicySet },
  known: Evidence
): Omit<PolicyPreview, "hidden"> => {
  const evaluated = rows.map((placed) => {
    const after = evaluate(sets.after, placed, known)
    return { placed, now: evaluate(sets.now, placed, known), after }
  })
  const isRed = ({ verdict }: { readonly verdict: Verdict }) => verdict === "NonCompliant"
  const turning = evaluated.filter(({ after, now }) => isRed(after) && !isRed(now))
  const released = evaluated.filter(({ after, now }) => isRed(now) && !isRed(after))
  const shown = (each: ReadonlyArray<(typeof evaluated)[number]>, of: "now" | "after") =>
    each.slice(0, PREVIEWED_MAX).map(({ placed, ...said }) => ({
      environment: placed.environment,
      name: placed.row.name,
      fingerprint: placed.row.fingerprint,
      reasons: PolicyEvaluation.reasons(sets[of].compiled, said[of].evaluation)
    }))
  return {
    now: SnapshotCounts.count(evaluated.map(({ now }) => now)),
    after: SnapshotCounts.count(evaluated.map(({ after }) => after)),
    warned: evaluated.filter(
      ({ after }) => PolicyEvaluation.warnings(sets.after.compiled, after.evaluation).length > 0
    ).length,
    turning: shown(turning, "after"),
    released: shown(released, "now"),
    leftOut:
      Math.max(0, turning.length - PREVIEWED_MAX) + Math.max(0, released.length - PREVIEWED_MAX)
  }
}

/** The environment with other policies, as if they were attached or detached. */
const changed = (
  environment: Environment.Environment,
  named: ReadonlyArray<PolicyId>,
  mode: PreviewMode
): Environment.Environment =>
  Environment.revise(
    environment,
    mode === "detach"
      ? { policies: environment.policies.filter((id) => !named.includes(id)), modes: new Map() }
      : {
          policies: [...new Set([...environment.policies, ...named])],
          modes: new Map(named.map((id) => [id, mode]))
        },
    environment.last_modified_at
  )

const decodePolicy = Schema.decodeOption(PolicyName)

/** Use cases of previewing. */
export class PolicyPreviews extends Effect.Service<PolicyPreviews>()(
  "@attestry/policy-lab/PolicyPreviews",
  {
    effect: Effect.gen(function* () {
      const environments = yield* EnvironmentStore
      const snapshots = yield* SnapshotStore
      const settled = yield* UpToDateEnvironments
      const policies = yield* PolicyStore
      const sets = yield* PolicySets
      const evidence = yield* RowEvidence
      const transaction = yield* Transaction
      const momentsOf = yield* EnvironmentMoments.make
      const reaches = yield* Reaches

      /** The ids of policies by their names, each once; one that the caller does not read is as absent. */
      const idsOf = (granted: GrantedWithin, names: ReadonlyArray<string>) =>
        Effect.forEach([...new Set(names)], (given) =>
          Effect.gen(function* () {
            const { org, orgId } = granted
            const notFound = new PolicyNotFound({ org, policy: given })
            const name = decodePolicy(given)
            if (Option.isNone(name)) return yield* notFound
            const found = yield* policies.findByName({ org: orgId, name: name.value })
            if (Option.isNone(found)) return yield* notFound
            const { id } = found.value
            yield* reaches.permit(granted, { kind: "policy", id }, () => notFound)
            return id
          })
        )

      const runningIn = (environment: Environment.Environment) =>
        Effect.gen(function* () {
          const ref = Environment.ref(environment)
          const allowed = new Set<string>(
            (yield* environments.listAllowed(ref)).map(({ fingerprint }) => fingerprint)
          )
          return (yield* snapshots.running(ref)).map(
            (row): PlacedRow => ({
              row,
              environment: environment.name,
              isAllowed: allowed.has(row.fingerprint)
            })
          )
        })

      /** What runs in an environment, or in the members of a logical one. */
      const running = (environment: Environment.Environment) =>
        Effect.gen(function* () {
          const { included, org_id: org } = environment
          if (included === null) return yield* runningIn(environment)
          const all = yield* environments.list(org, included)
          const members = all.filter(({ archived_at }) => archived_at === null)
          return (yield* Effect.forEach(members, runningIn)).flat()
        })

      /** The rows that the caller may judge: those that no flow knows that it may not read. */
      const judged = (granted: GrantedWithin, rows: ReadonlyArray<PlacedRow>, knownOf: KnownOf) =>
        Effect.gen(function* () {
          if (granted.readable._tag === "Whole") return rows
          const flowsOf = ({ row }: PlacedRow) =>
            knownOf(row.fingerprint).records.map(({ artifact }) => artifact.flow_id)
          const things = [...new Set(rows.flatMap(flowsOf))]
          const readable = new Set(
            yield* reaches.keepReadable(granted, { kind: "flow", things, idOf: (id) => id })
          )
          return rows.filter((row) => flowsOf(row).every((id) => readable.has(id)))
        })

      const previewIn = (
        granted: GrantedWithin,
        environment: Environment.Environment,
        { mode, names, now: at }: Previewed & { readonly now: Timestamp }
      ) =>
        Effect.gen(function* () {
          const momentAt = yield* momentsOf(Environment.ref(environment))
          const warning = environment.policies.filter(
            (policy) => Environment.modeOf(environment, policy) === "warn"
          )
          const named = names === undefined ? warning : yield* idsOf(granted, names)
          const all = yield* running(environment)
          const now = yield* sets.latest(granted.orgId, Environment.selectionOf(environment))
          const next = Environment.selectionOf(changed(environment, named, mode))
          const after = yield* sets.latest(granted.orgId, next)
          const fingerprints = [...new Set(all.map(({ row }) => row.fingerprint))].filter(isKnown)
          const reading = readingOf(now, after)
          const knownOf = yield* evidence.gather(granted.orgId, fingerprints.sort(), reading)
          const rows = yield* judged(granted, all, knownOf)
          const found = compare(rows, { now, after }, { knownOf, moment: momentAt(at) })
          return { ...found, hidden: all.length - rows.length } satisfies PolicyPreview
        })

      /** What would change; for a logical environment, by its own policies alone. */
      const preview = Effect.fn("PolicyPreviews.preview")(function* (
        org: OrgName,
        name: EnvironmentName,
        { mode, names }: Previewed
      ) {
        const granted = yield* reaches.authorize(org, "org.read")
        return yield* settled.read(granted, name, (environment) =>
          transaction.run(granted.orgId, (scope) =>
            Effect.flatMap(scope.now, (now) =>
              previewIn(granted, environment, {
                mode,
                now,
                ...(names === undefined ? {} : { names })
              })
            )
          )
        )
      })

      return { preview } as const
    })
  }
) {}
