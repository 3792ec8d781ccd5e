/** A snapshot → everything that is shown of it: its rows wherever they run, their policies, and names. */
import * as Effect from "effect/Effect"
import type { ReportedFingerprint } from "../../artifact/Fingerprint.js"
import type * as Environment from "../../environment/Environment.js"
import type { Naming } from "../../history/NamesAsOf.js"
import type { AppliedPolicy } from "../../policy/AppliedPolicy.js"
import { PolicySets } from "../../policy/PolicySets.js"
import type { FlowId, FlowName } from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import * as LogicalRows from "../LogicalRows.js"
import { ProvenanceStore } from "../ProvenanceStore.js"
import type * as Snapshot from "../Snapshot.js"
import * as EvaluatedRow from "./EvaluatedRow.js"
import { MemberChanges } from "./MemberChanges.js"

/** A snapshot with its rows, its policies, and the names of flows: those of now unless others are given. */
export interface CompleteSnapshot {
  readonly environment: Environment.Environment
  readonly snapshot: Snapshot.Snapshot
  readonly rows: ReadonlyArray<EvaluatedRow.EvaluatedRow>
  readonly policies: ReadonlyArray<AppliedPolicy>
  readonly flowNames: ReadonlyMap<FlowId, FlowName>
}

/** Makes what completes snapshots. */
export const make = Effect.gen(function* () {
  const provenance = yield* ProvenanceStore
  const sets = yield* PolicySets
  const members = yield* MemberChanges

  /** The rows of a snapshot, wherever they run. */
  const placed = (
    environment: Environment.Environment,
    snapshot: Snapshot.Snapshot,
    asked: {
      readonly only?: ReadonlyArray<ReportedFingerprint>
      readonly namesOf?: Naming["environments"] | undefined
    } = {}
  ) =>
    Effect.gen(function* () {
      const changes = snapshot.members === null ? null : yield* members.read(snapshot, asked)
      const rows: ReadonlyArray<LogicalRows.PlacedRow> =
        changes === null
          ? yield* Slices.map(snapshot.rows, (row) => ({ ...row, environment: environment.name }))
          : LogicalRows.compose(changes)
      return { changes, rows }
    })

  /** The policy versions that decided about rows, and the names of the flows of rows. */
  const sourcesOf = (
    environment: Environment.Environment,
    snapshot: Snapshot.Snapshot,
    {
      rows,
      decided = rows,
      namesOf = provenance.flowNames
    }: {
      readonly rows: ReadonlyArray<LogicalRows.PlacedRow>
      readonly decided?: ReadonlyArray<Pick<LogicalRows.PlacedRow, "decisions">>
      readonly namesOf?: Naming["flows"] | undefined
    }
  ) =>
    Effect.gen(function* () {
      const flows = new Set(rows.flatMap((row) => row.flows.map(({ flow_id }) => flow_id)))
      const flowNames = yield* namesOf(environment.org_id, [...flows])
      const versions = EvaluatedRow.versionsOf(snapshot, decided)
      const dumpOf = yield* sets.dumpsOf(environment.org_id, versions)
      return { flowNames, versions, dumpOf }
    })

  /** The rows of a snapshot, wherever they run, and the names of flows. */
  const complete = (
    environment: Environment.Environment,
    snapshot: Snapshot.Snapshot,
    naming?: Naming
  ) =>
    Effect.gen(function* () {
      const { rows } = yield* placed(environment, snapshot, { namesOf: naming?.environments })
      const { flowNames, dumpOf } = yield* sourcesOf(environment, snapshot, {
        rows,
        namesOf: naming?.flows
      })
      return {
        environment,
        snapshot,
        rows: yield* Slices.map(rows, EvaluatedRow.decider(flowNames, dumpOf)),
        policies: EvaluatedRow.appliedPolicies(snapshot, dumpOf),
        flowNames
      } satisfies CompleteSnapshot
    })

  return { complete, placed, sourcesOf } as const
})
