/** The table of releases as a capsule tells it: what the operation answers, with the indexes of entries. Pure. */
import * as Option from "effect/Option"
import type { MaskedRelease } from "../../release-evidence/internal/MaskedRelease.js"
import type { Release } from "../../release-evidence/ReleaseEvidence.js"
import * as RequirementTotals from "../../release-evidence/RequirementTotals.js"
import { EnvironmentName, FlowName } from "../../shared/Identifier.js"
import type * as CapsuleReleases from "../CapsuleReleases.js"

/** The releases that the operation answers, in the same order with and without their attestations. */
export interface AnsweredReleases {
  readonly releases: ReadonlyArray<MaskedRelease>
  readonly shown: ReadonlyArray<Release>
}

/** What of the log the table names: the entry of a sequence number, and names at the size of the log. */
export interface LogPlaces {
  readonly indexOf: (sequence: number) => number | undefined
  readonly nameOf: (type: "environment" | "flow", id: string) => string | undefined
}

type Given = Release["results"][number]["attestations"][number]

const givenOf = (
  { log_entry: _, ...given }: Given,
  decisive: MaskedRelease["results"][number]["decisive"][number] | undefined,
  { indexOf, nameOf }: LogPlaces
): Option.Option<CapsuleReleases.GivenAttestation> => {
  if (decisive === undefined) return Option.none()
  const { attestation, flow } = decisive
  return Option.map(Option.fromNullable(indexOf(attestation.sequence)), (log_index) => ({
    ...given,
    // WHY the name in the log: a rename may have no entry in it yet.
    flow_name: nameOf("flow", flow.flow_id) ?? given.flow_name,
    log_index
  }))
}

const rowOf = (
  masked: MaskedRelease,
  shown: Release,
  places: LogPlaces
): Option.Option<CapsuleReleases.ReleaseRow> => {
  const { environmentId, flowId, results } = masked
  const { commit_url, deployment_id: _id, flow_name, git_commit, hidden: _hidden, ...row } = shown
  const environment = places.nameOf("environment", environmentId)
  const flow = flowId === null ? undefined : places.nameOf("flow", flowId)
  return Option.map(
    Option.all(
      shown.results.map(({ attestations, ...cell }, at) =>
        Option.map(
          Option.all(
            attestations.map((given, of) => givenOf(given, results[at]?.decisive[of], places))
          ),
          (given) => ({ ...cell, attestations: given })
        )
      )
    ),
    (cells) => ({
      ...row,
      environment_id: environmentId,
      environment: environment === undefined ? row.environment : EnvironmentName.make(environment),
      flow_name: flow === undefined ? flow_name : FlowName.make(flow),
      git_commit,
      commit_url,
      results: cells
    })
  )
}

/** The table; none where the log does not have an entry that it names. */
export const of = (
  { releases, shown }: AnsweredReleases,
  places: LogPlaces
): Option.Option<CapsuleReleases.ReleaseTable> =>
  Option.map(
    Option.all(
      releases.map((masked, at) =>
        Option.flatMap(Option.fromNullable(shown[at]), (release) => rowOf(masked, release, places))
      )
    ),
    (rows) => ({ ...RequirementTotals.of(releases), releases: rows })
  )
