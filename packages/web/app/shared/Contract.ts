/**
 * The types of the API's answers, as they are on the wire.
 *
 * The one module of the application that names the contract: everything else takes its types from here. Types alone are
 * imported, so that nothing of the contract is loaded.
 */

import type { ActionResponse } from "@attestry/api/ActionResponse"
import type { AllowedArtifact as AllowListEntry } from "@attestry/api/AllowListApi"
import type {
  CreatedApiKey as ApiCreatedKey,
  ApiKeyResponse,
  RotatedApiKey as ApiRotatedKey
} from "@attestry/api/ApiKeyApi"
import type { ArtifactResponse } from "@attestry/api/ArtifactResponse"
import type { AssertionResponse } from "@attestry/api/AssertionApi"
import type { AttestationTypeResponse } from "@attestry/api/AttestationTypeApi"
import type {
  ControlDecisionResponse,
  ControlListItem,
  ControlMatrixResponse,
  ControlResponse,
  ControlVersionResponse,
  CoverageResponse
} from "@attestry/api/ControlApi"
import type {
  ReplayedDeliveries as ApiReplayed,
  FailedDeliveryPage
} from "@attestry/api/DeliveryApi"
import type { DeploymentResponse } from "@attestry/api/DeploymentApi"
import type {
  PolicyPreview as ApiPolicyPreview,
  EnvironmentPage,
  EnvironmentResponse
} from "@attestry/api/EnvironmentApi"
import type { ExposureResponse, ExposureSummaryResponse } from "@attestry/api/ExposureApi"
import type {
  RowFacts as RowFactsResponse,
  SnapshotFacts as SnapshotFactsResponse
} from "@attestry/api/FactApi"
import type { ListedFlow as ApiListedFlow, FlowDetails } from "@attestry/api/FlowApi"
import type { GraphResponse } from "@attestry/api/GraphApi"
import type { JournalEntryResponse, JournalPage } from "@attestry/api/JournalApi"
import type { LiveArtifactsResponse } from "@attestry/api/LiveArtifactsResponse"
import type {
  ConsistencyProof as ConsistencyProofResponse,
  InclusionReceipt as InclusionReceiptResponse,
  LogEvents as LogEventsResponse,
  LogResponse,
  JournalSequences as RecordedEntriesResponse
} from "@attestry/api/LogApi"
import type { MemberPage, MembershipAuditLog } from "@attestry/api/MembershipApi"
import type {
  NotificationConfigResponse,
  SigningSecretResponse
} from "@attestry/api/NotificationConfigApi"
import type { PolicyResponse, PolicyVersionResponse } from "@attestry/api/PolicyApi"
import type {
  BacktestLine as ApiBacktestLine,
  BacktestNote as ApiBacktestNote,
  DryRunResponse
} from "@attestry/api/PolicyLabApi"
import type { RepoResponse } from "@attestry/api/RepoApi"
import type { CommitTrail, ShaSearchResponse } from "@attestry/api/SearchApi"
import type { ServiceAccountResponse } from "@attestry/api/ServiceAccountApi"
import type { CurrentSession, SessionResponse } from "@attestry/api/SessionApi"
import type {
  SnapshotResponse,
  SnapshotRowResponse,
  SnapshotRowsResponse
} from "@attestry/api/SnapshotApi"
import type { TrailEvent as ApiTrailEvent } from "@attestry/api/TrailEvent"
import type { TrailResponse, TrailSummaryResponse } from "@attestry/api/TrailResponse"
import type { EnvironmentEventView } from "@attestry/core/EnvironmentEvent"
import type { SnapshotSummary as Summary } from "@attestry/core/SnapshotTimeline"
import type * as TimelineColumns from "@attestry/core/TimelineColumns"

/** Who is signed in. */
export type Session = typeof CurrentSession.Encoded

/** The token of a session that was just opened. */
export type OpenedSession = typeof SessionResponse.Encoded

/** An environment. */
export type Environment = typeof EnvironmentResponse.Encoded

/** One page of environments. */
export type Environments = typeof EnvironmentPage.Encoded

/** Where a page of a list is. */
interface Counters {
  readonly page: number
  readonly per_page: number
  readonly total_pages: number
  readonly total_count: number
}

/** One page of a list that is called `data`. */
export interface DataPage<A> {
  readonly data: ReadonlyArray<A>
  readonly pagination: {
    readonly total: number
    readonly page: number
    readonly per_page: number
    readonly page_count: number
  }
}

/** An artifact of a flow. */
export type Artifact = typeof ArtifactResponse.Encoded

/** A time in which an artifact ran in an environment under one name. */
export type Exposure = typeof ExposureResponse.Encoded

/** One page of exposures, and all of them together. */
export interface Exposures extends Counters {
  readonly exposures: ReadonlyArray<Exposure>
  readonly summary: typeof ExposureSummaryResponse.Encoded
}

/** What a thing is connected with. */
export type GraphAnswer = typeof GraphResponse.Encoded

/** Whether an artifact is compliant, and why not. */
export type Assertion = typeof AssertionResponse.Encoded

/** A way to make an artifact compliant. */
export type Remedy = NonNullable<Assertion["remedies"]>[number]

/** The nearest earlier artifact that is compliant. */
export type PreviousCompliant = NonNullable<Assertion["previous_compliant"]>

/** Why a policy fails an artifact. */
export type PolicyReason = Assertion["reasons_for_incompliance"][number]

/** What would change with other policies. */
export type PolicyPreview = typeof ApiPolicyPreview.Encoded

/** A file of an attestation. */
export interface AttachedFile {
  readonly filename: string
  readonly fingerprint: string
  readonly size: number
}

/** An attestation: the fields that all have, and those of its type. The contract leaves its fields open. */
export interface Attestation {
  readonly attestation_id: string
  readonly attestation_type: string
  readonly attestation_name: string
  readonly is_compliant: boolean
  readonly is_override: boolean
  readonly artifact_fingerprint?: string
  readonly target_artifacts: ReadonlyArray<string> | null
  readonly created_at: number
  readonly reported_by: string
  readonly flow_name: string
  readonly trail_name: string
  readonly origin_url: string | null
  readonly attachments: ReadonlyArray<AttachedFile>
  readonly [field: string]: unknown
}

/** One page of attestations; without counters where the list goes on from a place. */
export interface Attestations {
  readonly data: ReadonlyArray<Attestation>
  readonly pagination: DataPage<Attestation>["pagination"] | null
}

/** A custom attestation type. */
export type AttestationType = typeof AttestationTypeResponse.Encoded

/** One attestation that is expected, reported, or both. */
export type AttestationStatus = TrailSummary["compliance_status"]["attestations_statuses"][number]

/** A deployment. */
export type Deployment = typeof DeploymentResponse.Encoded

/** One page of deployments. */
export interface Deployments extends Counters {
  readonly deployments: ReadonlyArray<Deployment>
}

/** A flow. */
export type Flow = typeof FlowDetails.Encoded

/** A flow in a list. */
export type ListedFlow = typeof ApiListedFlow.Encoded

/** One page of flows; pages always ask with `per_page`. */
export type Flows = DataPage<ListedFlow>

/** What of a repository runs now. */
export type LiveArtifacts = typeof LiveArtifactsResponse.Encoded

/** A repository. */
export type Repo = typeof RepoResponse.Encoded

/** One page of repositories. */
export interface Repos extends Counters {
  readonly repos: ReadonlyArray<Repo>
}

/** What a commit or a fingerprint means. */
export type ShaSearch = typeof ShaSearchResponse.Encoded

/** A trail. */
export type Trail = typeof TrailResponse.Encoded

/** An event of a trail. */
export type TrailEvent = typeof ApiTrailEvent.Encoded

/** One page of trails. */
export type Trails = DataPage<TrailSummary>

/** A trail in a list. */
export type TrailSummary = typeof TrailSummaryResponse.Encoded

/** An entry of an allow-list. */
export type AllowedArtifact = typeof AllowListEntry.Encoded

/** One event of the log of an environment. */
export type EnvironmentEvent = typeof EnvironmentEventView.Encoded

/** One row of a snapshot with every decision about it. */
export type SnapshotRow = typeof SnapshotRowResponse.Encoded

/** One line of the list of snapshots. */
export type SnapshotSummary = typeof Summary.Encoded

/** A whole snapshot, as recorded or by what was known at an instant. */
export type PastSnapshot = typeof SnapshotResponse.Encoded

/** A snapshot in short. */
export type ShortSnapshot = typeof SnapshotRowsResponse.Encoded

/** A row of a snapshot in short. */
export type ShortRow = ShortSnapshot["rows"][number]

/** A rule with the number of rows that fail it. */
export type SnapshotRule = ShortSnapshot["rules"][number]

/** A page of the journal. */
export type Journal = typeof JournalPage.Encoded

/** One accepted write. */
export type JournalEntry = typeof JournalEntryResponse.Encoded

/** The state of the log. */
export type Log = typeof LogResponse.Encoded

/** The receipt of an entry of the log, or that there is none yet. */
export type InclusionReceipt = typeof InclusionReceiptResponse.Encoded

/** A proof that the log only grew. */
export type ConsistencyProof = typeof ConsistencyProofResponse.Encoded

/** Entries of the log by index. */
export type LogEvents = typeof LogEventsResponse.Encoded

/** The entries of something that was recorded. */
export type JournalSequences = typeof RecordedEntriesResponse.Encoded

/** A page of members. */
export type Members = typeof MemberPage.Encoded

/** A member. */
export type Member = Members["members"][number]

/** A page of changes of memberships. */
export type MembershipEvents = typeof MembershipAuditLog.Encoded

/** One change of a membership. */
export type MembershipEvent = MembershipEvents["events"][number]

/** A page of deliveries that failed. */
export type FailedDeliveries = typeof FailedDeliveryPage.Encoded

/** A delivery that failed. */
export type FailedDelivery = FailedDeliveries["deliveries"][number]

/** The deliveries that are tried again. */
export type ReplayedDeliveries = typeof ApiReplayed.Encoded

/** A notification of environments or of flows. */
export type Action = typeof ActionResponse.Encoded

/** A target of an action. */
export type ActionTarget = Action["targets"][number]

/** Where notifications of a type go. */
export type NotificationConfig = typeof NotificationConfigResponse.Encoded

/** The secret that signs webhooks. */
export type SigningSecret = typeof SigningSecretResponse.Encoded

/** A service account. */
export type ServiceAccount = typeof ServiceAccountResponse.Encoded

/** A key without its secret. */
export type ApiKey = typeof ApiKeyResponse.Encoded

/** A new key with its secret. */
export type CreatedApiKey = typeof ApiCreatedKey.Encoded

/** The key that replaces another, with its secret. */
export type RotatedApiKey = typeof ApiRotatedKey.Encoded

/** Trails that report a commit. */
export interface CommitTrails extends Counters {
  readonly trails: ReadonlyArray<typeof CommitTrail.Encoded>
}

/** One page of controls. */
export interface Controls extends Counters {
  readonly controls: ReadonlyArray<typeof ControlListItem.Encoded>
}

/** An artifact in a list, as far as pages read it. */
export interface ListedArtifact {
  readonly fingerprint: string
  readonly filename: string
  readonly flow_name: string
}

/** A policy. */
export type Policy = typeof PolicyResponse.Encoded

/** What a candidate would say about what runs. */
export type PolicyDryRun = typeof DryRunResponse.Encoded

/** A row of a dry run. */
export type DryRunRow = PolicyDryRun["rows"][number]

/** A line of a backtest. */
export type BacktestLine = typeof ApiBacktestLine.Encoded

/** A time in which a row would have had another verdict. */
export type BacktestFlip = Extract<BacktestLine, { readonly type: "flip" }>

/** What a backtest came to in one environment. */
export type BacktestEnvironment = Extract<BacktestLine, { readonly type: "environment" }>

/** What a reader of a backtest must know. */
export type BacktestNote = typeof ApiBacktestNote.Encoded

/** The history of an environment in columns. */
export type Timeline = typeof TimelineColumns.Timeline.Encoded

/** A record that is damaged in the store, in the place of an item. */
export interface DamagedRecord {
  readonly damaged_record: true
  readonly message: string
}

/** One version of a policy. */
export type PolicyVersion = typeof PolicyVersionResponse.Encoded

/** A running row with the facts of now. */
export type RowFacts = typeof RowFactsResponse.Encoded

/** One page of rows with their facts. */
export type SnapshotFacts = typeof SnapshotFactsResponse.Encoded

/** The facts about one artifact. */
export type ArtifactFacts = RowFacts["facts"]

/** A control. */
export type Control = typeof ControlResponse.Encoded

/** Controls by environments. */
export type ControlMatrix = typeof ControlMatrixResponse.Encoded

/** One version of a control. */
export type ControlVersion = typeof ControlVersionResponse.Encoded

/** One page of versions of a control. */
export type ControlVersions = Counters & { readonly versions: ReadonlyArray<ControlVersion> }

/** A decision about a control. */
export type ControlDecision = typeof ControlDecisionResponse.Encoded

/** One page of decisions. */
export type ControlDecisions = Counters & { readonly decisions: ReadonlyArray<ControlDecision> }

/** Which environments ask for a control. */
export type ControlCoverage = typeof CoverageResponse.Encoded
