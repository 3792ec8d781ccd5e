/**
 * Dry runs: a candidate judged on a snapshot, on an artifact or on given facts. SPEC §4.6, DECISION B-370
 *
 * Nothing is stored, and nothing is done that a read would do: a pending environment stays pending.
 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { AllowListStore } from "../allow-list/AllowListStore.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import type { EnvironmentMissing } from "../environment/EnvironmentFailure.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as EnvironmentLookup from "../environment/internal/EnvironmentLookup.js"
import * as PolicyEvaluation from "../policy/PolicyEvaluation.js"
import type { Facts } from "../policy/PolicyFacts.js"
import { toField } from "../policy/PolicyMode.js"
import type { PolicyRemark } from "../policy/PolicyRemark.js"
import { PolicyStore } from "../policy/PolicyStore.js"
import {
  ArtifactId,
  type EnvironmentName,
  type FlowName,
  type OrgName
} from "../shared/Identifier.js"
import * as Knowledge from "../shared/Knowledge.js"
import * as Slices from "../shared/Slices.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { Transaction } from "../shared/Transaction.js"
import { ArtifactUnknown } from "../snapshot/ArtifactFacts.js"
import * as SnapshotLookup from "../snapshot/internal/SnapshotLookup.js"
import { PolicyAuthoring } from "../snapshot/PolicyAuthoring.js"
import type * as Snapshot from "../snapshot/Snapshot.js"
import type * as SnapshotExpression from "../snapshot/SnapshotExpression.js"
import { SnapshotStore } from "../snapshot/SnapshotStore.js"
import { HistoryStore } from "./HistoryStore.js"
import { type Candidate, type CandidateSource, Candidates } from "./internal/Candidates.js"
import * as PastNames from "./internal/PastNames.js"
import * as Timelines from "./internal/Timelines.js"
import * as TriedSnapshots from "./internal/TriedSnapshots.js"
import * as PolicyDryRun from "./PolicyDryRun.js"

/** The policy that is tried. */
export type { Candidate, CandidateSource } from "./internal/Candidates.js"

/** What is judged. */
export type DryRunOn =
  | {
      readonly _tag: "Snapshot"
      readonly environment: EnvironmentName
      readonly expression: SnapshotExpression.SnapshotExpression
    }
  | {
      readonly _tag: "Artifact"
      readonly fingerprint: Fingerprint
      readonly environment?: EnvironmentName
      readonly flow?: FlowName
    }
  | { readonly _tag: "Facts"; readonly facts: ReadonlyArray<Facts> }

/** By what is judged: what each row was judged by, what is known now, or what was known at an instant. */
export type { DryRunKnowledge } from "./internal/TriedSnapshots.js"

/** A dry run as it is asked for. */
export interface DryRunRequest extends PolicyDryRun.DryRunOptions {
  readonly candidate: CandidateSource
  readonly on: DryRunOn
  /** Whether the candidate stands among the attached policies, or alone. */
  readonly against: "attached" | "alone"
  readonly asOf: TriedSnapshots.DryRunKnowledge
}

/** The answer of a dry run. */
export interface DryRunAnswer extends PolicyDryRun.DryRun {
  readonly candidate: Candidate
  readonly remarks: ReadonlyArray<PolicyRemark>
  /** Where a snapshot was judged. */
  readonly snapshot: TriedSnapshots.Tried["snapshot"]
}

/** Evaluates the rows that were found: by the candidate alone, or among the policies that are attached. */
const judging = (
  { policy }: Candidate,
  { members, policies, rows, snapshot }: TriedSnapshots.Tried,
  request: DryRunRequest
): Generator<void, PolicyDryRun.DryRun> => {
  const name = snapshot?.environment ?? ""
  if (request.against === "alone") {
    const unlisted = rows.map((row) => ({ ...row, isAllowed: false }))
    return PolicyDryRun.judging({ name, policies: [policy], members: null }, unlisted, request)
  }
  const attached = { name, policies, members }
  return PolicyDryRun.judging(PolicyDryRun.withCandidate(attached, policy), rows, request)
}

/** Use cases of dry runs. */
export class PolicyDryRuns extends Effect.Service<PolicyDryRuns>()("@attestry/core/PolicyDryRuns", {
  effect: Effect.gen(function* () {
    const artifacts = yield* ArtifactStore
    const environments = yield* EnvironmentStore
    const snapshots = yield* SnapshotStore
    const history = yield* HistoryStore
    const policies = yield* PolicyStore
    const allowLists = yield* AllowListStore
    const candidates = yield* Candidates
    const names = yield* PastNames.make
    const trials = yield* TriedSnapshots.make
    const authoring = yield* PolicyAuthoring
    const transaction = yield* Transaction

    /** The environment of a name, or the one that the name led to at an instant. */
    const environmentOf = (
      granted: Access.Granted,
      name: EnvironmentName,
      asOf: TriedSnapshots.DryRunKnowledge = "now"
    ) =>
      typeof asOf === "number"
        ? names.environment(granted, name, asOf)
        : Effect.map(
            Effect.flatMap(
              environments.findByName({ org: granted.orgId, name }),
              EnvironmentLookup.present(granted, name)
            ),
            ({ environment }) => environment
          )

    const onSnapshot = (
      granted: Access.Granted,
      on: Extract<DryRunOn, { readonly _tag: "Snapshot" }>,
      { asOf, now }: { readonly asOf: TriedSnapshots.DryRunKnowledge; readonly now: Timestamp }
    ) =>
      Effect.gen(function* () {
        const environment = yield* environmentOf(granted, on.environment, asOf)
        const { expression } = on
        const asked = { environment, expression, now }
        const head = yield* SnapshotLookup.locate(snapshots, granted, asked)
        return yield* trials.read({ environment, head, asOf })
      })

    /** The policies that are attached now, and whether the fingerprint is allowed. */
    const attached = (
      granted: Access.Granted,
      name: EnvironmentName | undefined,
      fingerprint: Fingerprint
    ) =>
      Effect.gen(function* () {
        if (name === undefined) return { policies: [], isAllowed: false }
        const environment = yield* environmentOf(granted, name)
        const ids = environment.policies
        const found = ids.length === 0 ? [] : yield* policies.listByIds(granted.orgId, ids)
        const { modes = {}, requireProvenance } = Environment.selectionOf(environment)
        const keys = found.map(({ id, name: called, version }) => ({
          ...{ id, name: called, version },
          ...toField(modes[id])
        }))
        const allowed = yield* allowLists.list(Environment.ref(environment))
        return {
          policies: [
            ...(yield* trials.versionsOf(granted.orgId, keys)),
            ...(requireProvenance ? [PolicyEvaluation.REQUIRE_PROVENANCE] : [])
          ],
          isAllowed: allowed.some((entry) => entry.fingerprint === fingerprint)
        }
      })

    const onArtifact = (
      granted: Access.Granted,
      on: Extract<DryRunOn, { readonly _tag: "Artifact" }>,
      asOf: TriedSnapshots.DryRunKnowledge
    ) =>
      Effect.gen(function* () {
        const { fingerprint } = on
        const timelineOf = yield* Timelines.read(history, granted.orgId, [fingerprint])
        const by = typeof asOf === "number" ? Knowledge.asOf(asOf) : Knowledge.everything
        const known = timelineOf(fingerprint)
          .at(by)
          .filter(({ view }) => on.flow === undefined || view.flow_name === on.flow)
        const [primary] = known
        if (primary === undefined)
          return yield* new ArtifactUnknown({ org: granted.org, fingerprint })
        const flows = known.map(({ view }) => view)
        const [record] = yield* artifacts.listByIds(granted.orgId, [
          ArtifactId.make(primary.artifact_id)
        ])
        // DECISION D1.5
        const name = record?.report.filename ?? ""
        const now = yield* attached(granted, on.environment, fingerprint)
        const row = {
          facts: { artifact: { name, fingerprint }, flows },
          was: null,
          isAllowed: now.isAllowed
        }
        const compiled = PolicyEvaluation.compile(now.policies)
        const was =
          on.environment === undefined ? null : PolicyDryRun.judgeRow(compiled, row).verdict
        return {
          rows: [{ ...row, was }],
          policies: now.policies,
          members: null,
          snapshot: null
        } satisfies TriedSnapshots.Tried
      })

    const tried = (
      granted: Access.Granted,
      { asOf, on }: DryRunRequest,
      now: Timestamp
    ): Effect.Effect<
      TriedSnapshots.Tried,
      ArtifactUnknown | EnvironmentMissing | Snapshot.SnapshotNotFound | StoreError
    > => {
      switch (on._tag) {
        case "Snapshot":
          return onSnapshot(granted, on, { asOf, now })
        case "Artifact":
          return onArtifact(granted, on, asOf)
        case "Facts":
          return Effect.succeed<TriedSnapshots.Tried>({
            rows: on.facts.map((facts) => ({ facts, was: null, isAllowed: false })),
            policies: [],
            members: null,
            snapshot: null
          })
      }
    }

    /** Judges, and stores nothing. */
    const run = Effect.fn("PolicyDryRuns.run")(function* (org: OrgName, request: DryRunRequest) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const candidate = yield* candidates.get(granted, request.candidate)
      // WHY a transaction: its instant is that of the store, by which snapshots are dated.
      const now = yield* transaction.run(granted.orgId, (scope) => scope.now)
      const found = yield* transaction.snapshot(granted.orgId, tried(granted, request, now))
      const { rows, snapshot } = found
      const remarks = yield* authoring.remarks(
        org,
        candidate.text,
        rows.map(({ facts }) => facts)
      )
      return {
        ...(yield* Slices.run(() => judging(candidate, found, request))),
        candidate,
        remarks,
        snapshot
      } satisfies DryRunAnswer
    })

    return { run } as const
  })
}) {}
