/** Serves the operations that search a whole org. */

import {
  type CommitTrail,
  PER_PAGE_DEFAULT,
  SearchApi,
  type ShaSearchResponse
} from "@attestry/api/SearchApi"
import { commitOf } from "@attestry/core/Artifact"
import { type ArtifactView, ArtifactViews, type ShaMatches } from "@attestry/core/ArtifactViews"
import { toHidden } from "@attestry/core/Hidden"
import type { OrgName } from "@attestry/core/Identifier"
import { TrailViews } from "@attestry/core/TrailViews"
import type { UnreportedArtifact } from "@attestry/core/UnreportedArtifact"
import * as Effect from "effect/Effect"
import * as ArtifactResponse from "../../artifact/internal/ArtifactResponse.js"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as Links from "../../shared/internal/Links.js"
import { counters, pageOf } from "../../shared/internal/Paging.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"

type Shown = typeof ShaSearchResponse.Type

/** The event of an artifact's report in search results; the artifact itself shows its slot. */
const CREATED = "Artifact created"

const artifactOf = (base: string, org: OrgName, view: ArtifactView): Shown["artifacts"][number] => {
  const { artifact, flow, state, running, exited, history } = view
  const { report } = artifact
  return {
    fingerprint: artifact.fingerprint,
    name: report.filename,
    flow,
    git_commit: commitOf(report) ?? "",
    has_provenance: true,
    commit_url: report.commit_url,
    build_url: report.build_url,
    html_url: ArtifactResponse.pageOf(base, org, view),
    compliance_state: state,
    running_in: running.map(({ environment_name }) => environment_name),
    exited_from: exited.map(({ environment_name }) => environment_name),
    history: history.map(({ isCreation, event, timestamp }) => ({
      event: isCreation ? CREATED : event,
      timestamp
    }))
  }
}

/** The state of an artifact without provenance: its verdict. */
const STATES = {
  Compliant: "COMPLIANT",
  NonCompliant: "NON-COMPLIANT",
  Unknown: "UNKNOWN"
} as const

const unreportedOf = ({
  fingerprint,
  name,
  verdict,
  running,
  exited,
  history,
  isHidden
}: UnreportedArtifact): Shown["artifacts"][number] => ({
  fingerprint,
  name,
  flow: "",
  git_commit: "",
  has_provenance: isHidden,
  commit_url: "",
  build_url: "",
  html_url: "",
  compliance_state: STATES[verdict],
  running_in: running.map(({ environment_name }) => environment_name),
  exited_from: exited.map(({ environment_name }) => environment_name),
  history,
  ...toHidden(isHidden)
})

const resolvedTo = ({ fingerprints, commits }: ShaMatches): Shown["resolved_to"] => {
  const [first, second] = [...fingerprints, ...commits]
  const type = fingerprints.length > 0 ? "fingerprint" : "commit"
  return {
    type: second === undefined ? type : "multiple",
    full_match: second === undefined ? (first ?? "") : "",
    fingerprints: {
      type: "fingerprint",
      count: fingerprints.length,
      matches: fingerprints
    },
    commits: { type: "commit", count: commits.length, matches: commits }
  }
}

const trailOf = (
  base: string,
  org: OrgName,
  found: { readonly flow: string; readonly trail: string; readonly branch: string }
): typeof CommitTrail.Type => {
  const url = Links.trailPage(base, { org, ...found })
  return {
    flow_name: found.flow,
    trail_name: found.trail,
    branch: found.branch,
    url,
    _links: {
      self: {
        href: `${base}/api/v2/trails/${[org, found.flow, found.trail].map(encodeURIComponent).join("/")}`
      },
      html: { href: url }
    }
  }
}

/** Serves the operations that search a whole org. */
export const SearchHandlers = group(
  SearchApi,
  Effect.gen(function* () {
    const trails = yield* TrailViews
    const artifacts = yield* ArtifactViews
    const base = yield* PublicUrl
    return {
      trailsOfCommit: ({ path, urlParams, incoming }) => {
        const page = pageOf(urlParams, PER_PAGE_DEFAULT)
        return trails.listByCommit(path.org, path.sha, page).pipe(
          toWire,
          Effect.map((found) =>
            ok({
              ...counters(base, incoming, { total: found.total, page }),
              trails: found.items.map((item) => trailOf(base, path.org, item))
            })
          )
        )
      },
      sha: ({ path }) =>
        artifacts.search(path.org, path.value).pipe(
          toWire,
          Effect.map((found) =>
            ok({
              resolved_to: resolvedTo(found),
              artifacts: [
                ...found.artifacts.map((view) => artifactOf(base, path.org, view)),
                ...found.unreported.map(unreportedOf)
              ]
            })
          )
        )
    }
  })
)
