/** Frame of the pages of one flow: its name, description and tabs. */
import type * as Route from "@attestry/web/Route"
import type { ComponentChildren } from "preact"
import { WhereLink } from "../exposure/WhereLink.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Flow } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Tabs } from "../shared/Tabs.js"
import { Timestamp } from "../shared/Timestamp.js"

export type FlowTab = "Flow" | "FlowArtifacts" | "FlowDeployments" | "FlowSettings"

const TITLES: { readonly [tab in FlowTab]: string } = {
  Flow: "Trails",
  FlowArtifacts: "Artifacts",
  FlowDeployments: "Deployments",
  FlowSettings: "Settings"
}

const tabsOf = (org: string): ReadonlyArray<FlowTab> =>
  Session.may(org, "flow.write")
    ? ["Flow", "FlowArtifacts", "FlowDeployments", "FlowSettings"]
    : ["Flow", "FlowArtifacts", "FlowDeployments"]

export const FlowFrame = ({
  route,
  children
}: {
  readonly route: Route.RouteOf<FlowTab>
  readonly children: (flow: Flow) => ComponentChildren
}) => {
  const { org, flow } = route.params
  const params = { org, flow_name: flow }
  const state = useQuery("flow.get", params)
  const known = state._tag === "Ready" ? state.value : undefined
  return (
    <Page
      name={flow}
      org={org}
      heading={<RevealedText text={known?.name ?? flow} />}
      aside={
        known === undefined ? null : (
          <ul class="line">
            {known.last_deployment_at === null ? null : (
              <li class="quiet">
                last deployed <Timestamp seconds={known.last_deployment_at} />
              </li>
            )}
            <li>
              <WhereLink org={org} subject={{ name: "flow_name", value: known.name }} />
            </li>
          </ul>
        )
      }
    >
      {known === undefined || known.description === "" ? null : (
        <p class="lead">
          <RevealedText text={known.description} />
        </p>
      )}
      <Tabs
        label="Flow"
        tabs={tabsOf(org).map((tab) => ({
          title: TITLES[tab],
          href: Navigation.href(tab, { org, flow }),
          isCurrent: tab === route._tag
        }))}
      />
      <QueryView state={state} retry={() => void cache.refresh(callOf("flow.get", params).path)}>
        {(value) => children(value)}
      </QueryView>
    </Page>
  )
}
