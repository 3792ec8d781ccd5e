/** One version of a policy, or the difference between two. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Policy, PolicyVersion } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { Demands, VersionLine } from "./PolicyDemands.js"
import { PolicyText } from "./PolicyText.js"
import { Relation } from "./Relation.js"
import { RestoreVersion } from "./RestoreVersion.js"
import { useReading } from "./useReading.js"

const Compared = ({
  version,
  other
}: {
  readonly version: PolicyVersion
  readonly other: PolicyVersion
}) => {
  const [left, right] = other.version < version.version ? [other, version] : [version, other]
  const diff = TextDiff.make(left.policy_yaml, right.policy_yaml)
  return (
    <section class="policy-part">
      <h2>
        Version {left.version} ↔ version {right.version}
      </h2>
      <p class="quiet">
        {diff.removed} {diff.removed === 1 ? "line" : "lines"} removed, {diff.added} added ·{" "}
        <VersionLine version={right} />
      </p>
      <Relation old={left.policy_yaml} text={right.policy_yaml} base={left.version} />
      <TextDiffView
        diff={diff}
        caption={`Lines that differ between version ${left.version} and version ${right.version}`}
      />
    </section>
  )
}

const Choice = ({
  policy,
  version,
  compare
}: {
  readonly policy: Policy
  readonly version: number
  readonly compare: number | undefined
}) => (
  <div class="filters">
    <label class="inline-field">
      compare with{" "}
      <select
        value={compare === undefined ? "" : String(compare)}
        onChange={({ currentTarget: { value } }) =>
          Navigation.setQuery({ compare: value === "" ? undefined : value })
        }
      >
        <option value="">no other version</option>
        {[...policy.versions]
          .reverse()
          .filter((other) => other.version !== version)
          .map((other) => (
            <option key={other.version} value={String(other.version)}>
              version {other.version}
            </option>
          ))}
      </select>
    </label>
  </div>
)

const Details = ({
  org,
  policy,
  route
}: {
  readonly org: string
  readonly policy: Policy
  readonly route: Route.RouteOf<"PolicyVersion">
}) => {
  const number = Number(route.params.version)
  const version = policy.versions.find((each) => each.version === number)
  const compare = Number(Route.parameter(route, "compare"))
  const other = policy.versions.find((each) => each.version === compare)
  const reading = useReading(version?.policy_yaml)
  if (version === undefined)
    return (
      <div class="note">
        <strong>There is no version {number}</strong>
        <p>The policy has versions 1 to {policy.versions.at(-1)?.version ?? 0}.</p>
      </div>
    )
  const isLatest = policy.versions.at(-1) === version
  return (
    <>
      <p class="quiet">
        <VersionLine version={version} />
        {isLatest ? " · this is the current version" : " · an earlier version"}
      </p>
      <Choice policy={policy} version={number} compare={other?.version} />
      <RestoreVersion org={org} policy={policy} version={version} />
      {other === undefined || other === version ? null : (
        <Compared version={version} other={other} />
      )}
      <section class="policy-part">
        <h2>Demands</h2>
        <Demands org={org} reading={reading} />
      </section>
      <section class="policy-part">
        <h2>Text of version {number}</h2>
        <PolicyText text={version.policy_yaml} rules={reading?.rules ?? []} />
      </section>
    </>
  )
}

export const PolicyVersionPage = ({ route }: PageProps<Route.RouteOf<"PolicyVersion">>) => {
  const { org, policy: name, version } = route.params
  const state = useQuery("policy.get", { org, name })
  return (
    <Page name={`${name}, version ${version}`} org={org}>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("policy.get", { org, name }).path)}
      >
        {(policy) => <Details org={org} policy={policy} route={route} />}
      </QueryView>
    </Page>
  )
}
