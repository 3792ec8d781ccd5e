/**
 * The types of the API's answers, as they are on the wire.
 *
 * The one module of the application that names the contract: everything else takes its types from here. Types alone are
 * imported, so that nothing of the contract is loaded.
 */
import type {
  ControlDecisionResponse,
  ControlListItem,
  ControlMatrixResponse,
  ControlResponse,
  ControlVersionResponse,
  CoverageResponse
} from "@attestry/api/ControlApi"
import type { EnvironmentPage, EnvironmentResponse } from "@attestry/api/EnvironmentApi"
import type {
  RowFacts as RowFactsResponse,
  SnapshotFacts as SnapshotFactsResponse
} from "@attestry/api/FactApi"
import type { PolicyResponse, PolicyVersionResponse } from "@attestry/api/PolicyApi"
import type { CurrentSession, SessionResponse } from "@attestry/api/SessionApi"

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

/** A record that is damaged in the store, in the place of an item. */
export interface DamagedRecord {
  readonly damaged_record: true
  readonly message: string
}

/** A policy with its versions and its history. */
export type Policy = typeof PolicyResponse.Encoded

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

/** One page of controls. */
export type Controls = Counters & {
  readonly controls: ReadonlyArray<typeof ControlListItem.Encoded>
}

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
