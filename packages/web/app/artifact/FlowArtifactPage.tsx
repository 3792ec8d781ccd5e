/** An artifact in one flow: the record that the URL names, or the newest. */
import * as Route from "@attestry/web/Route"
import { OpenAttestation } from "../attestation/AttestationPanel.js"
import { ArtifactComponents } from "../component/ArtifactComponents.js"
import { WhereItRan } from "../exposure/ExposureLanes.js"
import { GraphLink } from "../exposure/GraphLink.js"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { fromStatus } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { FlowRecord } from "./FlowRecord.js"
import { WouldItPass } from "./WouldItPass.js"

type FlowArtifactRoute = Route.RouteOf<"FlowArtifact">

/** Warns that the shown record is not the newest of its flow. */
const OlderNote = ({ route, id }: { readonly route: FlowArtifactRoute; readonly id: string }) => {
  const { org, flow, fingerprint } = route.params
  const newest = knownOf(useQuery("artifact.get", { org, flow_name: flow, fingerprint }))?.value
  if (newest === undefined || newest.id === id) return null
  return (
    <p class="note note-wide">
      An older record of this artifact.{" "}
      <a href={Navigation.hrefOf(Route.withQuery(route, { artifact_id: undefined }))}>
        Show the newest
      </a>
    </p>
  )
}

export const FlowArtifactPage = ({ route }: PageProps<FlowArtifactRoute>) => {
  const { org, flow, fingerprint } = route.params
  const asked = Route.parameter(route, "artifact_id")
  const params = { org, flow_name: flow, fingerprint, query: { artifact_id: asked } }
  const state = useQuery("artifact.get", params)
  const known = knownOf(state)?.value
  const name = known?.filename ?? Shorten.fingerprint(fingerprint)
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={
        known === undefined ? null : (
          <span>
            <VerdictMark verdict={fromStatus(known.state)} word /> in <RevealedText text={flow} />
          </span>
        )
      }
    >
      <p class="whole-fingerprint">
        <Fingerprint value={known?.fingerprint ?? fingerprint} whole />{" "}
        {known === undefined ? null : (
          <GraphLink org={org} root={`fingerprint:${known.fingerprint}`} />
        )}
      </p>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("artifact.get", params).path)}
      >
        {(artifact) => (
          <>
            {asked === undefined ? null : <OlderNote route={route} id={artifact.id} />}
            <FlowRecord org={org} route={route} artifact={artifact} />
            <WhereItRan
              org={org}
              subject={{ name: "fingerprint", value: artifact.fingerprint }}
              none="No environment has reported it."
            />
            <WouldItPass org={org} fingerprint={artifact.fingerprint} route={route} />
            <ArtifactComponents org={org} route={route} fingerprint={artifact.fingerprint} />
            <p class="block">
              <a href={Navigation.href("Artifact", { org, fingerprint: artifact.fingerprint })}>
                All records of this fingerprint
              </a>
            </p>
          </>
        )}
      </QueryView>
      <OpenAttestation org={org} route={route} />
    </Page>
  )
}
