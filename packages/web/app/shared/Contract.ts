/**
 * The types of the API's answers, as they are on the wire.
 *
 * The one module of the application that names the contract: everything else takes its types from here. Types alone are
 * imported, so that nothing of the contract is loaded.
 */
import type { AllowedArtifact as AllowListEntry } from "@attestry/api/AllowListApi"
import type { AssertionResponse } from "@attestry/api/AssertionApi"
import type { EnvironmentPage, EnvironmentResponse } from "@attestry/api/EnvironmentApi"
import type { ListedFlow } from "@attestry/api/FlowApi"
import type { PolicyResponse } from "@attestry/api/PolicyApi"
import type { CurrentSession, SessionResponse } from "@attestry/api/SessionApi"
import type { SnapshotRowResponse, SnapshotRowsResponse } from "@attestry/api/SnapshotApi"
import type { TrailSummaryResponse } from "@attestry/api/TrailResponse"
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

/** An entry of an allow-list. */
export type AllowedArtifact = typeof AllowListEntry.Encoded

/** Whether an artifact would pass, and why not. */
export type Assertion = typeof AssertionResponse.Encoded

/** Attestations; what each contains depends on its type. */
export interface Attestations {
  readonly data: ReadonlyArray<{ readonly [name: string]: unknown }>
}

/** One event of the log of an environment. */
export type EnvironmentEvent = typeof EnvironmentEventView.Encoded

/** One row of a snapshot with every decision about it. */
export type SnapshotRow = typeof SnapshotRowResponse.Encoded

/** One line of the list of snapshots. */
export type SnapshotSummary = typeof Summary.Encoded

/** A snapshot in short. */
export type ShortSnapshot = typeof SnapshotRowsResponse.Encoded

/** A row of a snapshot in short. */
export type ShortRow = ShortSnapshot["rows"][number]

/** A rule with the number of rows that fail it. */
export type SnapshotRule = ShortSnapshot["rules"][number]

/** An artifact in a list, as far as pages read it. */
export interface ListedArtifact {
  readonly fingerprint: string
  readonly filename: string
  readonly flow_name: string
}

/** One page of flows. */
export interface Flows {
  readonly data: ReadonlyArray<typeof ListedFlow.Encoded>
}

/** A policy. */
export type Policy = typeof PolicyResponse.Encoded

/** The history of an environment in columns. */
export type Timeline = typeof TimelineColumns.Timeline.Encoded

/** One page of trails. */
export interface Trails {
  readonly data: ReadonlyArray<typeof TrailSummaryResponse.Encoded>
}
