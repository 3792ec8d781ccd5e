/** The editor pages: of an existing policy, which is polled during editing, and of a new one. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { PolicyEditor } from "./PolicyEditor.js"

/** The interval at which the page looks for a version that another person saved. */
const POLL_MS = 15_000

export const PolicyEditorPage = ({ route }: PageProps<Route.RouteOf<"PolicyEditor">>) => {
  const { org, policy: name } = route.params
  const state = useQuery("policy.get", { org, name }, { poll: POLL_MS })
  const known = knownOf(state)
  // WHY outside of `QueryView` once it is loaded: a failed poll must not remove the editor.
  if (known !== undefined)
    return <PolicyEditor key={name} route={route} org={org} name={name} policy={known.value} />
  return (
    <Page name={`Edit ${name}`} org={org}>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("policy.get", { org, name }).path)}
      >
        {() => null}
      </QueryView>
    </Page>
  )
}

export const NewPolicyPage = ({ route }: PageProps<Route.RouteOf<"NewPolicy">>) => (
  <PolicyEditor route={route} org={route.params.org} name="_new" policy={undefined} />
)
