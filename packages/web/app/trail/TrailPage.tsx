/** A trail: its status, its missing attestations, and its events. */

import type * as Route from "@attestry/web/Route"
import { OpenAttestation } from "../attestation/AttestationPanel.js"
import { byId } from "../attestation/EvidenceList.js"
import { AuditPackage } from "../audit-package/AuditPackage.js"
import { GraphLink } from "../exposure/GraphLink.js"
import { WhereLink } from "../exposure/WhereLink.js"
import type { PageProps } from "../pages.js"
import { trailText } from "../shared/AddressLinks.js"
import { callOf } from "../shared/Api.js"
import type { Trail } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Commit } from "../shared/Fingerprint.js"
import { Fold } from "../shared/Fold.js"
import { JsonTree } from "../shared/JsonTree.js"
import { isFilled, membersOf, textOf } from "../shared/JsonValue.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromStatus, WORDS } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { TrailEvidence } from "./TrailEvidence.js"
import { eventText, NOTHING_EXPECTED, standingOf } from "./TrailText.js"

const POLL_MS = 5_000

const Origin = ({
  org,
  flow,
  trail
}: {
  readonly org: string
  readonly flow: string
  readonly trail: Trail
}) => {
  const { git_commit_info: commit, origin_url, created_at, created_by } = trail
  const title = textOf(commit?.message)?.split("\n")[0]
  return (
    <ul class="line">
      {commit === null ? null : (
        <>
          {title === undefined || title === trail.description ? null : (
            <li>
              <RevealedText text={title} />
            </li>
          )}
          {textOf(commit.author) === undefined ? null : (
            <li>
              <RevealedText text={textOf(commit.author) ?? ""} />
            </li>
          )}
          {textOf(commit.branch) === undefined ? null : (
            <li>
              <RevealedText text={textOf(commit.branch) ?? ""} />
            </li>
          )}
          <li>
            commit <Commit value={commit.sha1} />
            {textOf(commit.url) === undefined ? null : (
              <ExternalLink address={textOf(commit.url) ?? ""} />
            )}{" "}
            <WhereLink org={org} subject={{ name: "commit", value: commit.sha1 }} />{" "}
            <GraphLink org={org} root={`commit:${commit.sha1}`} />
          </li>
        </>
      )}
      {origin_url === null ? null : (
        <li>
          <ExternalLink address={origin_url} label="build" />
        </li>
      )}
      <li class="quiet">
        began <Timestamp seconds={created_at} /> by <RevealedText text={created_by} />
      </li>
      <li>
        <GraphLink org={org} root={`trail:${flow}/${trail.name}`} />
      </li>
    </ul>
  )
}

const History = ({ trail: { events } }: { readonly trail: Trail }) => (
  <section class="block">
    <h2>History</h2>
    <ol class="history">
      {[...events].reverse().map((event, index) => (
        <li key={`${event.timestamp} ${index}`}>
          <Timestamp seconds={event.timestamp} always="absolute" />
          <span>
            <RevealedText text={eventText(event)} />
          </span>
        </li>
      ))}
    </ol>
    <Fold title="Raw events">{() => <JsonTree value={events} />}</Fold>
  </section>
)

const More = ({ trail }: { readonly trail: Trail }) => (
  <section class="block">
    <details>
      <summary>Template of the evaluation</summary>
      <pre class="code">{trail.template.content}</pre>
    </details>
    {isFilled(trail.user_data) ? (
      <Fold title="User data">{() => <JsonTree value={trail.user_data} />}</Fold>
    ) : null}
    {isFilled(trail.external_urls) ? (
      <details open>
        <summary>External links</summary>
        <ul class="links">
          {[...membersOf(trail.external_urls)].map(([name, link]) => (
            <li key={name}>
              <RevealedText text={name} />:{" "}
              <ExternalLink address={textOf(membersOf(link).get("href")) ?? ""} />
            </li>
          ))}
        </ul>
      </details>
    ) : null}
  </section>
)

const paramsOf = ({ org, flow, trail }: Route.RouteOf<"Trail">["params"]) => ({
  of: { org, flow_name: flow, trail_name: trail },
  attestations: { org, query: { flow_name: flow, trail_name: trail, page: 1, per_page: 100 } }
})

/** Whether the trail is likely to change: something is missing, or was reported as non-compliant. */
const isAwaited = (path: string): boolean => {
  const known = knownOf(cache.entry(path).state.value)?.value
  return known !== undefined && membersOf(known).get("compliance_state") !== "COMPLIANT"
}

export const TrailPage = ({ route }: PageProps<Route.RouteOf<"Trail">>) => {
  const { flow, org, trail: name } = route.params
  const params = paramsOf(route.params)
  const path = callOf("trail.get", params.of).path
  const options = isAwaited(path) ? { poll: POLL_MS } : {}
  const state = useQuery("trail.get", params.of, options)
  const attestations = useQuery("attestation.list", params.attestations, options)
  const known = knownOf(state)?.value
  const reported = byId(Damaged.readable(knownOf(attestations)?.value.data ?? []).items)
  return (
    <Page
      name={known === undefined ? name : `${known.compliance_state.toLowerCase()} · ${name}`}
      org={org}
      heading={
        <span class="title-mark">
          {known === undefined ? null : (
            <VerdictMark verdict={fromStatus(known.compliance_state)} />
          )}
          <span title={Reveal.plain(name)}>
            <RevealedText text={trailText(name, 60)} />
          </span>
        </span>
      }
      aside={
        known === undefined ? null : (
          <span aria-live="polite">
            {known.is_compliant && known.nothing_expected ? (
              NOTHING_EXPECTED
            ) : (
              <>
                {WORDS[fromStatus(known.compliance_state)]}
                <span class="quiet"> · {standingOf(known)}</span>
              </>
            )}
          </span>
        )
      }
    >
      <QueryView state={state} retry={() => void cache.refresh(path)}>
        {(trail) => (
          <>
            {trail.description === "" ? null : (
              <p class="lead">
                <RevealedText text={trail.description} />
              </p>
            )}
            <Origin org={org} flow={flow} trail={trail} />
            <TrailEvidence route={route} org={org} trail={trail} reported={reported} />
            <History trail={trail} />
            <More trail={trail} />
            <AuditPackage org={org} flow={flow} trail={name} />
          </>
        )}
      </QueryView>
      <OpenAttestation org={org} route={route} />
    </Page>
  )
}
