/** The requests for waivers that wait for a decision: those that the reader may decide, and those of others. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Waiver } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { Page } from "../shared/Page.js"
import { cache } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { Decisions } from "./WaiverActions.js"
import {
  EnvironmentLink,
  PolicyLink,
  RequestButton,
  useRequests,
  WaiverEnd,
  WaiverLink,
  WaiverTabs
} from "./WaiverParts.js"
import { ruleText } from "./WaiverRule.js"
import { approvalsText, type Standing, standingText } from "./WaiverText.js"

const Card = ({
  org,
  waiver,
  standing
}: {
  readonly org: string
  readonly waiver: Waiver
  readonly standing: Standing
}) => (
  <li class="rule-card">
    <p>
      <strong>
        <WaiverLink org={org} number={waiver.number} />
      </strong>{" "}
      <RevealedText text={ruleText(waiver.rule)} /> of{" "}
      <PolicyLink org={org} policy={waiver.policy_name} /> in{" "}
      <EnvironmentLink org={org} environment={waiver.environment} /> <WaiverEnd waiver={waiver} />
    </p>
    {waiver.if === null ? null : (
      <p>
        <code>
          <RevealedText text={waiver.if} />
        </code>
      </p>
    )}
    <p>
      <q>
        <RevealedText text={waiver.reason} />
      </q>{" "}
      {waiver.ticket_url === null ? null : <ExternalLink address={waiver.ticket_url} />}
    </p>
    <p class="quiet">
      requested by <RevealedText text={waiver.requested_by} />{" "}
      <Timestamp seconds={waiver.requested_at} />, owner <RevealedText text={waiver.owner} />,{" "}
      {approvalsText(waiver)}
    </p>
    {standing === "may" ? (
      <div class="row-actions">
        <Decisions org={org} waiver={waiver} decisions={["approve", "reject"]} />
      </div>
    ) : (
      <p class="quiet">{standingText(standing, waiver)}</p>
    )}
  </li>
)

const Part = ({
  org,
  title,
  requests
}: {
  readonly org: string
  readonly title: string
  readonly requests: ReturnType<typeof useRequests>["requests"]
}) =>
  requests.length === 0 ? null : (
    <section class="block">
      <h2>{title}</h2>
      <ul class="rule-cards">
        {requests.map(({ standing, waiver }) => (
          <Card key={waiver.number} org={org} waiver={waiver} standing={standing} />
        ))}
      </ul>
    </section>
  )

export const WaiverInboxPage = ({ route }: PageProps<Route.RouteOf<"WaiverInbox">>) => {
  const { org } = route.params
  const { params, requests, state } = useRequests(org)
  const mine = requests.filter(({ standing }) => standing === "may")
  return (
    <Page name="Waivers to decide" org={org} aside={<RequestButton org={org} />}>
      <WaiverTabs org={org} current="WaiverInbox" />
      <QueryView state={state} retry={() => void cache.refresh(callOf("waiver.list", params).path)}>
        {({ total_count }) => (
          <>
            {mine.length === 0 ? <p role="status">Nothing waits for your decision.</p> : null}
            <Part org={org} title="Waits for you" requests={mine} />
            <Part
              org={org}
              title="Waits for others"
              requests={requests.filter(({ standing }) => standing !== "may")}
            />
            {total_count > requests.length ? (
              <p class="quiet">
                The newest {requests.length} of {total_count} requests.
              </p>
            ) : null}
          </>
        )}
      </QueryView>
    </Page>
  )
}
