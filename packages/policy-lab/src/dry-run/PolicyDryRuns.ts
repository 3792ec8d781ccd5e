/**
 * Dry runs: a candidate evaluated on a snapshot, on an artifact or on given facts. SPEC §4.6
 *
 * A dry run stores nothing, and a pending environment stays pending.
 */

import type { AccessDenied } from "@attestry/core/Access"
import * as AllowListEntry from "@attestry/core/AllowListEntry"
import { ArtifactUnknown } from "@attestry/core/ArtifactFacts"
import { ArtifactStore } from "@attestry/core/ArtifactStore"
import * as CommitPosition from "@attestry/core/CommitPosition"
import * as Environment from "@attestry/core/Environment"
import { type EnvironmentMissing, EnvironmentNotFound } from "@attestry/core/EnvironmentFailure"
import * as EnvironmentLookup from "@attestry/core/EnvironmentLookup"
import * as EnvironmentMoments from "@attestry/core/EnvironmentMoments"
import { EnvironmentStore, type ReportedEnvironment } from "@attestry/core/EnvironmentStore"
import * as FactTimelines from "@attestry/core/FactTimelines"
import type { Fingerprint } from "@attestry/core/Fingerprint"
import { FlowStore } from "@attestry/core/FlowStore"
import { HistoryStore } from "@attestry/core/HistoryStore"
import {
  ArtifactId,
  type EnvironmentName,
  type FlowName,
  type OrgName
} from "@attestry/core/Identifier"
import * as NamesAsOf from "@attestry/core/NamesAsOf"
import * as PolicyEvaluation from "@attestry/core/PolicyEvaluation"
import type { Facts } from "@attestry/core/PolicyFacts"
import { toField } from "@attestry/core/PolicyMode"
import { PolicyStore } from "@attestry/core/PolicyStore"
import { type GrantedWithin, Reaches, readableWithin } from "@attestry/core/Reaches"
import * as Slices from "@attestry/core/Slices"
import type * as Snapshot from "@attestry/core/Snapshot"
import type * as SnapshotExpression from "@attestry/core/SnapshotExpression"
import * as SnapshotLookup from "@attestry/core/SnapshotLookup"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as JudgedRows from "../authoring/internal/JudgedRows.js"
import { PolicyAuthoring } from "../authoring/PolicyAuthoring.js"
import type { PolicyRemark } from "../lint/PolicyRemark.js"
import * as DryRunRows from "./internal/DryRunRows.js"
import {
  type Candidate,
  type CandidateSource,
  PolicyCandidates
} from "./internal/PolicyCandidates.js"
import * as PolicyDryRun from "./PolicyDryRun.js"

/** The candidate of a dry run. */
export type { Candidate, CandidateSource } from "./internal/PolicyCandidates.js"

/** The subject of a dry run. */
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

/** The evidence of a dry run: that of each row's recorded evaluation, that of now, or that of an instant. */
export type { DryRunAsOf } from "./internal/DryRunRows.js"

/** A request for a dry run. */
export interface DryRunRequest extends PolicyDryRun.DryRunOptions {
  readonly candidate: CandidateSource
  readonly on: DryRunOn
  /** Whether the candidate is evaluated with the attached policies, or alone. */
  readonly against: "attached" | "alone"
  readonly asOf: DryRunRows.DryRunAsOf
}

/** The answer of a dry run. */
export interface DryRunAnswer extends PolicyDryRun.DryRun {
  readonly candidate: Candidate
  readonly remarks: ReadonlyArray<PolicyRemark>
  /** The evaluated snapshot; null without one. */
  readonly snapshot: DryRunRows.DryRunInput["snapshot"]
  /** How many rows are not judged, because a flow knows them that the caller does not read. */
  readonly hidden: number
}

/** Evaluates the rows that were found: by the candidate alone, or among the policies that are attached. */
const evaluating = (
  { policy }: Candidate,
  { members, moment, policies, rows, snapshot }: DryRunRows.DryRunInput,
  request: DryRunRequest
): Generator<void, PolicyDryRun.DryRun> => {
  const name = snapshot?.environment ?? ""
  if (request.against === "alone") {
    const unlisted = rows.map((row) => ({ ...row, isAllowed: false }))
    const alone = { name, policies: [policy], members: null, moment }
    return PolicyDryRun.evaluating(alone, unlisted, request)
  }
  const attached = { name, policies, members, moment }
  return PolicyDryRun.evaluating(PolicyDryRun.withCandidate(attached, policy), rows, request)
}

/** Use cases of dry runs. */
export class PolicyDryRuns extends Effect.Service<PolicyDryRuns>()(
  "@attestry/policy-lab/PolicyDryRuns",
  {
    effect: Effect.gen(function* () {
      const reaches = yield* Reaches
      const judged = yield* JudgedRows.make
      const artifacts = yield* ArtifactStore
      const flows = yield* FlowStore
      const environments = yield* EnvironmentStore
      const snapshots = yield* SnapshotStore
      const history = yield* HistoryStore
      const policies = yield* PolicyStore
      const candidates = yield* PolicyCandidates
      const names = yield* NamesAsOf.make
      const trials = yield* DryRunRows.make
      const authoring = yield* PolicyAuthoring
      const transaction = yield* Transaction
      const momentsOf = yield* EnvironmentMoments.make

      /** The environment, if it is present; one that the caller does not read is absent. */
      const permitted =
        (granted: GrantedWithin, name: EnvironmentName) =>
        (found: Option.Option<ReportedEnvironment>) =>
          Effect.gen(function* () {
            const notFound = () => new EnvironmentNotFound({ org: granted.org, environment: name })
            if (Option.isSome(found)) {
              const { id } = found.value.environment
              yield* reaches.permit(granted, { kind: "environment", id }, notFound)
            }
            return yield* EnvironmentLookup.present(granted, name)(found)
          })

      /** The environment of a name, or the one that the name led to at an instant. */
      const environmentOf = (
        granted: GrantedWithin,
        name: EnvironmentName,
        asOf: DryRunRows.DryRunAsOf = "now"
      ) =>
        Effect.gen(function* () {
          const environment =
            typeof asOf === "number"
              ? yield* names.environment(granted, name, asOf)
              : yield* Effect.map(
                  Effect.flatMap(
                    environments.findByName({ org: granted.orgId, name }),
                    permitted(granted, name)
                  ),
                  ({ environment }) => environment
                )
          const notFound = () => new EnvironmentNotFound({ org: granted.org, environment: name })
          // Every member too: their rows are tried.
          for (const id of [environment.id, ...(environment.included ?? [])])
            yield* reaches.permit(granted, { kind: "environment", id }, notFound)
          return environment
        })

      const onSnapshot = (
        granted: GrantedWithin,
        on: Extract<DryRunOn, { readonly _tag: "Snapshot" }>,
        { asOf, now }: { readonly asOf: DryRunRows.DryRunAsOf; readonly now: Timestamp }
      ) =>
        Effect.gen(function* () {
          const environment = yield* environmentOf(granted, on.environment, asOf)
          const { expression } = on
          const asked = { environment, expression, now }
          const head = yield* SnapshotLookup.locate(snapshots, granted, asked)
          return yield* trials.read({ environment, head, asOf, now })
        })

      /** The policies that are attached now, and whether the fingerprint is allowed. */
      const attached = (
        granted: GrantedWithin,
        name: EnvironmentName | undefined,
        { fingerprint, now }: { readonly fingerprint: Fingerprint; readonly now: Timestamp }
      ) =>
        Effect.gen(function* () {
          if (name === undefined) return { policies: [], isAllowed: false, id: null }
          const environment = yield* environmentOf(granted, name)
          const ids = environment.policies
          const found = ids.length === 0 ? [] : yield* policies.list(granted.orgId, ids)
          const { modes = {}, requireProvenance } = Environment.selectionOf(environment)
          const keys = found.map(({ id, name: called, version }) => ({
            id,
            name: called,
            version,
            ...toField(modes[id])
          }))
          const entries = yield* environments.listAllowed(Environment.ref(environment))
          return {
            policies: [
              ...(yield* trials.versionsOf(granted.orgId, keys)),
              ...(requireProvenance ? [PolicyEvaluation.REQUIRE_PROVENANCE] : [])
            ],
            isAllowed: AllowListEntry.inForce(entries, now).some(
              (entry) => entry.fingerprint === fingerprint
            ),
            id: environment.id
          }
        })

      const onArtifact = (
        granted: GrantedWithin,
        on: Extract<DryRunOn, { readonly _tag: "Artifact" }>,
        { asOf, now }: { readonly asOf: DryRunRows.DryRunAsOf; readonly now: Timestamp }
      ) =>
        Effect.gen(function* () {
          const { fingerprint } = on
          const timelineOf = yield* FactTimelines.read(history, granted.orgId, [fingerprint])
          const bound =
            typeof asOf === "number" ? CommitPosition.asOf(asOf) : CommitPosition.everything
          const known = timelineOf(fingerprint)
            .at(bound)
            .filter(({ view }) => on.flow === undefined || view.flow_name === on.flow)
          const [primary] = known
          if (primary === undefined)
            return yield* new ArtifactUnknown({ org: granted.org, fingerprint })
          const flows = known.map(({ view }) => view)
          const [record] = yield* artifacts.listByIds(granted.orgId, [
            ArtifactId.make(primary.artifact_id)
          ])
          // Conditions are about the name under which the artifact runs; without one, the file name.
          const name = record?.report.filename ?? ""
          const { id, ...by } = yield* attached(granted, on.environment, { fingerprint, now })
          const momentAt = yield* momentsOf({ org: granted.orgId, environment: id })
          const moment = momentAt(typeof asOf === "number" ? asOf : now)
          const row = {
            facts: { artifact: { name, fingerprint }, flows },
            was: null,
            isAllowed: by.isAllowed
          }
          const compiled = PolicyEvaluation.compile(by.policies)
          const was =
            on.environment === undefined
              ? null
              : PolicyDryRun.evaluateRow(compiled, row, moment).verdict
          return {
            rows: [{ ...row, was }],
            policies: by.policies,
            members: null,
            snapshot: null,
            moment
          } satisfies DryRunRows.DryRunInput
        })

      const tried = (
        granted: GrantedWithin,
        { asOf, on }: DryRunRequest,
        now: Timestamp
      ): Effect.Effect<
        DryRunRows.DryRunInput,
        AccessDenied | ArtifactUnknown | EnvironmentMissing | Snapshot.SnapshotNotFound | StoreError
      > => {
        switch (on._tag) {
          case "Snapshot":
            return onSnapshot(granted, on, { asOf, now })
          case "Artifact":
            return onArtifact(granted, on, { asOf, now })
          case "Facts":
            return Effect.succeed<DryRunRows.DryRunInput>({
              rows: on.facts.map((facts) => ({ facts, was: null, isAllowed: false })),
              policies: [],
              members: null,
              snapshot: null,
              moment: EnvironmentMoments.ofInstant(typeof asOf === "number" ? asOf : now)
            })
        }
      }

      /** Fails where no readable flow knows the artifact, or the flow of the question is hidden. */
      const checkKnown = (
        granted: GrantedWithin,
        { fingerprint, flow }: Extract<DryRunOn, { readonly _tag: "Artifact" }>
      ) =>
        Effect.gen(function* () {
          if (granted.readable._tag === "Whole") return
          const { org, orgId } = granted
          const records = yield* artifacts.listByContent({
            org: orgId,
            ...readableWithin(granted),
            fingerprint
          })
          const named =
            flow === undefined ? Option.none() : yield* flows.findByName({ org: orgId, name: flow })
          const isKnown = records.some(
            ({ flow_id }) =>
              flow === undefined || Option.exists(named, (found) => found.id === flow_id)
          )
          if (!isKnown) return yield* new ArtifactUnknown({ org, fingerprint })
        })

      /** Runs a dry run. */
      const run = Effect.fn("PolicyDryRuns.run")(function* (org: OrgName, request: DryRunRequest) {
        const granted = yield* reaches.authorize(org, "org.read")
        const candidate = yield* candidates.get(granted, request.candidate)
        // WHY a transaction: its instant is that of the store, by which snapshots are dated.
        const now = yield* transaction.run(granted.orgId, (scope) => scope.now)
        const { on } = request
        if (on._tag === "Artifact") yield* checkKnown(granted, on)
        const input = yield* transaction.snapshot(granted.orgId, tried(granted, request, now))
        const { hidden, rows } =
          on._tag === "Facts"
            ? { rows: input.rows, hidden: 0 }
            : yield* judged(granted, input.rows, ({ facts }) => facts.artifact.fingerprint)
        const found = { ...input, rows }
        const { snapshot } = found
        const remarks = yield* authoring.remarks(
          org,
          candidate.text,
          rows.map(({ facts }) => facts)
        )
        return {
          ...(yield* Slices.run(() => evaluating(candidate, found, request))),
          candidate,
          remarks,
          snapshot,
          hidden
        } satisfies DryRunAnswer
      })

      return { run } as const
    })
  }
) {}
