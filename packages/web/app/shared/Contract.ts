/**
 * The types of the API's answers, as they are on the wire.
 *
 * The one module of the application that names the contract: everything else takes its types from here. Types alone are
 * imported, so that nothing of the contract is loaded.
 */
import type {
  ArtifactRun as ApiArtifactRun,
  ArtifactRuns as ApiRuns
} from "@attestry/api/ArtifactApi"
import type { ArtifactResponse } from "@attestry/api/ArtifactResponse"
import type { AssertionResponse } from "@attestry/api/AssertionApi"
import type { AttestationTypeResponse } from "@attestry/api/AttestationTypeApi"
import type { DeploymentResponse } from "@attestry/api/DeploymentApi"
import type { EnvironmentPage, EnvironmentResponse } from "@attestry/api/EnvironmentApi"
import type { ListedFlow as ApiListedFlow, FlowDetails } from "@attestry/api/FlowApi"
import type { LiveArtifactsResponse } from "@attestry/api/LiveArtifactsResponse"
import type { RepoResponse } from "@attestry/api/RepoApi"
import type { ShaSearchResponse } from "@attestry/api/SearchApi"
import type { CurrentSession, SessionResponse } from "@attestry/api/SessionApi"
import type { TrailEvent as ApiTrailEvent } from "@attestry/api/TrailEvent"
import type { TrailResponse, TrailSummaryResponse } from "@attestry/api/TrailResponse"

/** Who is signed in. */
export type Session = typeof CurrentSession.Encoded

/** The token of a session that was just opened. */
export type OpenedSession = typeof SessionResponse.Encoded

/** An environment. */
export type Environment = typeof EnvironmentResponse.Encoded

/** One page of environments. */
export type Environments = typeof EnvironmentPage.Encoded

/** Counters of a list with a name of its own. */
interface Counted {
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

/** One run of a fingerprint. */
export type ArtifactRun = typeof ApiArtifactRun.Encoded

/** One page of runs. */
export type ArtifactRuns = typeof ApiRuns.Encoded

/** Whether an artifact is compliant, and why not. */
export type Assertion = typeof AssertionResponse.Encoded

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
export interface Deployments extends Counted {
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
export interface Repos extends Counted {
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
