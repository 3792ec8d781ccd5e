/** Links to records of an org by name, so that all pages build URLs alike. */

import * as Route from "@attestry/web/Route"
import { Fingerprint } from "./Fingerprint.js"
import * as Navigation from "./Navigation.js"
import * as Reveal from "./Reveal.js"
import { RevealedText } from "./RevealedText.js"
import * as Shorten from "./Shorten.js"

export const FlowLink = ({ org, flow }: { readonly org: string; readonly flow: string }) => (
  <a href={Navigation.href("Flow", { org, flow })}>
    <RevealedText text={flow} />
  </a>
)

export const TrailLink = ({
  org,
  flow,
  trail,
  lengthMax = 24
}: {
  readonly org: string
  readonly flow: string
  readonly trail: string
  readonly lengthMax?: number
}) => (
  <a href={Navigation.href("Trail", { org, flow, trail })} title={Reveal.plain(trail)}>
    <RevealedText text={trailText(trail, lengthMax)} />
  </a>
)

/** The name of a trail; a name that is a commit is shortened as a commit. */
export const trailText = (trail: string, lengthMax: number): string =>
  /^[0-9a-f]{40}$/.test(trail) ? Shorten.commit(trail) : Shorten.middle(trail, lengthMax)

/** A link to an artifact: in its flow if one is given, otherwise across all flows. */
export const ArtifactLink = ({
  org,
  flow,
  fingerprint,
  name
}: {
  readonly org: string
  readonly flow: string | null
  readonly fingerprint: string
  readonly name: string
}) => (
  <span class="artifact-link">
    <a
      href={
        flow === null
          ? Navigation.href("Artifact", { org, fingerprint })
          : Navigation.href("FlowArtifact", { org, flow, fingerprint })
      }
      title={Reveal.plain(name)}
    >
      <RevealedText text={Shorten.artifact(name, 28)} />
    </a>
    <Fingerprint value={fingerprint} />
  </span>
)

export const SnapshotLink = ({
  org,
  environment,
  index
}: {
  readonly org: string
  readonly environment: string
  readonly index: number
}) => (
  <a href={Navigation.href("Snapshot", { org, environment, expression: String(index) })}>
    <RevealedText text={environment} /> #{index}
  </a>
)

/** The URL of the current page with an attestation open over it. */
export const withAttestation = (route: Route.Route, id: string): string =>
  Navigation.hrefOf(Route.withQuery(route, { attestation_id: id }))
