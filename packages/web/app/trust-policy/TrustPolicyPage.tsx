/** The trust policy of an org: its text, which administrators edit, its rules, its keys and its versions. */
import type * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { VersionLine } from "../policy/PolicyDemands.js"
import { PolicyText } from "../policy/PolicyText.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import { Command } from "../shared/Command.js"
import type { TrustPolicy } from "../shared/Contract.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { TrustPolicyEditor } from "./TrustPolicyEditor.js"
import { ChosenVersion, Keys, Rules, Versions } from "./TrustPolicyParts.js"

/** The interval at which the page looks for a version that another person saved. */
const POLL_MS = 15_000

const None = () => (
  <div class="note">
    <strong>No trust policy yet</strong>
    <p>
      It says whose signatures this org trusts with which evidence. Until it exists, no signature is
      trusted: signed evidence is kept and shown, but it is not verified.
    </p>
    <Command text="attestry trust put trust.yaml" />
  </div>
)

const Details = ({
  org,
  route,
  versions
}: {
  readonly org: string
  readonly route: Route.Route
  readonly versions: ReadonlyArray<TrustPolicy>
}) => {
  const [latest] = versions
  const mayEdit = Session.may(org, "trust-policy.write")
  return (
    <>
      {latest === undefined ? (
        <None />
      ) : (
        <p class="quiet">
          <VersionLine version={latest} />
        </p>
      )}
      {mayEdit ? <TrustPolicyEditor key={org} org={org} versions={versions} /> : null}
      {latest === undefined ? null : (
        <>
          <Rules text={latest.trust_yaml} />
          <Keys keys={latest.keys} />
          <Versions org={org} versions={versions} />
          <ChosenVersion versions={versions} route={route} />
        </>
      )}
      {latest === undefined || mayEdit ? null : (
        <section class="policy-part">
          <h2>Text</h2>
          <PolicyText text={latest.trust_yaml} rules={[]} />
        </section>
      )}
    </>
  )
}

export const TrustPolicyPage = ({ route }: PageProps<Route.RouteOf<"TrustPolicy">>) => {
  const { org } = route.params
  const state = useQuery("trustPolicy.versions", { org }, { poll: POLL_MS })
  const known = knownOf(state)
  return (
    <Page name="Trust policy" org={org}>
      {known === undefined ? (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("trustPolicy.versions", { org }).path)}
        >
          {() => null}
        </QueryView>
      ) : (
        // WHY outside of `QueryView`: a failed poll must not remove the editor.
        <Details org={org} route={route} versions={known.value} />
      )}
    </Page>
  )
}
