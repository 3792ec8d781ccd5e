/** The pages of the editor: an existing policy, which is read again while it is edited, and a new one. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { PolicyEditor } from "./PolicyEditor.js"

/** How often a version of another person is looked for. */
const POLL_MS = 15_000

/** The editor of a policy. */
export const PolicyEditorPage = ({ route }: PageProps<Route.RouteOf<"PolicyEditor">>) => {
  const { org, policy: name } = route.params
  const state = useQuery("policy.get", { org, name }, { poll: POLL_MS })
  const known = knownOf(state)
  // WHY not inside `QueryView` once it is known: a failed poll must not take the text away.
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

/** The editor of a new policy. */
export const NewPolicyPage = ({ route }: PageProps<Route.RouteOf<"NewPolicy">>) => (
  <PolicyEditor route={route} org={route.params.org} name="_new" policy={undefined} />
)
