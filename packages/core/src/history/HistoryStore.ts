/** Port: what was known when, and when rows were judged. SPEC §3.21 */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { Environment, EnvironmentRef } from "../environment/Environment.js"
import type { PolicyMode } from "../policy/PolicyMode.js"
import type {
  EnvironmentId,
  EnvironmentName,
  FlowId,
  FlowName,
  OrgId,
  PolicyId,
  TrailId
} from "../shared/Identifier.js"
import type { Knowledge } from "../shared/Knowledge.js"
import type { StoreError } from "../shared/StoreError.js"
import type { EvidenceHistory, FlowVersion } from "./FingerprintHistory.js"
import type { Judging } from "./JudgingTimeline.js"

/** A time in which something held: from one change until another; `to` is null while it holds. */
export interface Held {
  readonly from: Knowledge
  readonly to: Knowledge | null
}

/** A time in which a fingerprint was on the allow-list of an environment with one reason. */
export interface Allowance extends Held {
  readonly fingerprint: Fingerprint
  readonly name: string
  readonly reason: string
  readonly created_by: string
}

/** A time in which a policy was attached to an environment in one mode. */
export interface PolicyAttachment extends Held {
  readonly policy_id: PolicyId
  readonly mode: PolicyMode
}

/** The settings of an environment that verdicts and reports depend on, from one change until the next. */
export interface EnvironmentVersion
  extends Knowledge,
    Pick<
      Environment,
      "name" | "include_scaling" | "require_provenance" | "included" | "tags" | "archived_at"
    > {}

/** A snapshot as a judging of the rows that started in it, and the meaning of rules under which it was made. */
export interface NumberedSnapshot extends Judging {
  readonly semantics: number
}

/** Port: what was known when, and when rows were judged. */
export class HistoryStore extends Context.Tag("@attestry/core/HistoryStore")<
  HistoryStore,
  {
    /** The highest number that was drawn, and the clock: nothing that is written later is before it. */
    readonly horizon: (org: OrgId) => Effect.Effect<Knowledge, StoreError>
    /** The evaluations of all rows of an environment, oldest first, with and without a snapshot. */
    readonly judgings: (ref: EnvironmentRef) => Effect.Effect<ReadonlyArray<Judging>, StoreError>
    /** The snapshots of these indexes as judgings, in any order; absent ones are left out. */
    readonly snapshots: (
      ref: EnvironmentRef,
      indexes: ReadonlyArray<number>
    ) => Effect.Effect<ReadonlyArray<NumberedSnapshot>, StoreError>
    /** Everything that was ever written about fingerprints: whole trails and the versions of their flows. */
    readonly evidence: (
      org: OrgId,
      fingerprints: ReadonlyArray<Fingerprint>
    ) => Effect.Effect<EvidenceHistory, StoreError>
    /** As `evidence`, for trails; unknown ones are left out. */
    readonly trails: (
      org: OrgId,
      trails: ReadonlyArray<TrailId>
    ) => Effect.Effect<EvidenceHistory, StoreError>
    /** The versions of flows, each flow's oldest first; an unknown flow has none. */
    readonly flowVersions: (
      org: OrgId,
      flows: ReadonlyArray<FlowId>
    ) => Effect.Effect<ReadonlyMap<FlowId, ReadonlyArray<FlowVersion>>, StoreError>
    /** The flows that have or had a name, in any order. */
    readonly flowsNamed: (
      org: OrgId,
      name: FlowName
    ) => Effect.Effect<ReadonlyArray<FlowId>, StoreError>
    /** The environments that have or had a name, archived or not, in any order. */
    readonly environmentsNamed: (
      org: OrgId,
      name: EnvironmentName
    ) => Effect.Effect<ReadonlyArray<EnvironmentId>, StoreError>
    /** The versions of the settings of an environment, oldest first; an unknown one has none. */
    readonly environmentVersions: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<EnvironmentVersion>, StoreError>
    /** What was ever allowed in an environment, in the order in which it began. */
    readonly allowances: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<Allowance>, StoreError>
    /** The policies that were ever attached to an environment, in the order in which they were. */
    readonly attachments: (
      ref: EnvironmentRef
    ) => Effect.Effect<ReadonlyArray<PolicyAttachment>, StoreError>
  }
>() {}
