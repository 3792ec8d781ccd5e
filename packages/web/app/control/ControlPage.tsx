/** One control: its definition, the decisions about it, the policies that ask for it, and its changes. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Control, ControlDecision, ControlVersion } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { ChoiceFilter, DayFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import * as TextDiff from "../shared/TextDiff.js"
import { TextDiffView } from "../shared/TextDiffView.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { TagsForm } from "../tag/TagsForm.js"
import { ControlFrame } from "./ControlFrame.js"
import * as ControlLinks from "./ControlLinks.js"

const rowHeight = () => (preferences.value.density === "compact" ? 28 : 36)

const Definition = ({ org, control }: { readonly org: string; readonly control: Control }) => (
  <dl class="policy-facts">
    <dt>Description</dt>
    <dd class="prose">
      {control.description === null ? (
        <span class="quiet">none</span>
      ) : (
        <RevealedText text={control.description} />
      )}
    </dd>
    <dt>Links</dt>
    <dd>
      {Object.keys(control.links).length === 0 ? <span class="quiet">none</span> : null}
      <ul class="inline-list">
        {Object.entries(control.links).map(([name, address]) => (
          <li key={name}>
            <ExternalLink address={address} label={name} />
          </li>
        ))}
      </ul>
    </dd>
    <dt>Asked for by</dt>
    <dd>
      {control.policies_referencing.length === 0 ? (
        <span class="quiet">no policy</span>
      ) : (
        <ul class="inline-list">
          {control.policies_referencing.map((policy) => (
            <li key={policy}>
              <a href={Navigation.href("Policy", { org, policy })}>
                <RevealedText text={policy} />
              </a>
            </li>
          ))}
        </ul>
      )}
    </dd>
    <dt>Tags</dt>
    <dd>
      {Object.keys(control.tags).length === 0 ? (
        <span class="quiet">none</span>
      ) : (
        Object.entries(control.tags).map(([key, value]) => (
          <span key={key} class="tag">
            <RevealedText text={`${key}: ${value}`} />
          </span>
        ))
      )}
    </dd>
    <dt>Version</dt>
    <dd>
      {control.version}, defined by <RevealedText text={control.created_by} />{" "}
      <Timestamp seconds={control.created_at} />
    </dd>
  </dl>
)

/** The tags, with a form for roles that may change them. */
const ControlTags = ({ org, control }: { readonly org: string; readonly control: Control }) =>
  Session.may(org, "control.write") && !control.archived ? (
    <div class="control-tags">
      <TagsForm
        tagged={{ org, type: "control", id: control.identifier, tags: control.tags }}
        about="Lists of controls can be filtered by them."
        onChanged={() => cache.invalidate(`/api/v2/controls/${encodeURIComponent(org)}`)}
      />
    </div>
  ) : null

export const ControlPage = ({ route }: PageProps<Route.RouteOf<"Control">>) => (
  <ControlFrame route={route}>
    {(control) => (
      <>
        <Definition org={route.params.org} control={control} />
        <ControlTags org={route.params.org} control={control} />
      </>
    )}
  </ControlFrame>
)

const decisionColumns = (org: string): ReadonlyArray<Column<ControlDecision>> => [
  {
    name: "outcome",
    title: "Outcome",
    cell: ({ is_compliant }) => (
      <VerdictMark verdict={is_compliant ? "compliant" : "non-compliant"} word />
    )
  },
  {
    name: "when",
    title: "When",
    cell: ({ timestamp }) => <Timestamp seconds={timestamp} />
  },
  {
    name: "about",
    title: "Trail",
    isHeader: true,
    cell: ({ attestation_id, flow_name, trail_name }) => (
      <a
        // WHY: the compiler does not see that a route of one name is a member of the union.
        href={Navigation.hrefOf(
          Route.make(
            "Trail",
            { org, flow: flow_name, trail: trail_name },
            { attestation_id }
          ) as Route.Route
        )}
      >
        <RevealedText text={`${flow_name} › ${trail_name}`} />
      </a>
    )
  },
  {
    name: "artifact",
    title: "Artifact",
    cell: ({ artifact_fingerprint, artifact_name }) =>
      artifact_fingerprint === null ? (
        <span class="quiet">the whole trail</span>
      ) : (
        <a href={Navigation.href("Artifact", { org, fingerprint: artifact_fingerprint })}>
          <RevealedText
            text={Shorten.middle(artifact_name ?? artifact_fingerprint.slice(0, 6), 36)}
          />
        </a>
      )
  },
  { name: "by", title: "By", cell: ({ created_by }) => <RevealedText text={created_by} /> },
  {
    name: "version",
    title: "Version",
    isNumber: true,
    cell: ({ control_version }) => control_version ?? "–"
  }
]

const FILTERS = ["flow", "outcome", "from", "to"]

const OUTCOMES = [
  ["compliant", "compliant"],
  ["non-compliant", "not compliant"]
] as const

const DecisionFilters = ({ route }: { readonly route: Route.RouteOf<"ControlDecisions"> }) => (
  <search class="filters">
    <TextFilter route={route} name="flow" label="Flow" isMain />
    <ChoiceFilter
      route={route}
      name="outcome"
      label="Outcome"
      any="any outcome"
      options={OUTCOMES}
    />
    <DayFilter route={route} name="from" label="From (UTC)" />
    <DayFilter route={route} name="to" label="to" />
  </search>
)

const Decisions = ({ route }: { readonly route: Route.RouteOf<"ControlDecisions"> }) => {
  const { identifier, org } = route.params
  const outcome = Route.parameter(route, "outcome")
  const { from, to } = TimeWindow.windowOf(route)
  const params = {
    org,
    identifier,
    query: {
      page: 1,
      per_page: 100,
      flow_name: Route.parameter(route, "flow"),
      is_compliant: outcome === undefined ? undefined : String(outcome === "compliant"),
      from_timestamp: from,
      to_timestamp: to
    }
  }
  const state = useQuery("control.decisions", params)
  return (
    <>
      <DecisionFilters route={route} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("control.decisions", params).path)}
      >
        {({ decisions, total_count }) =>
          decisions.length === 0 && isFiltered(route, FILTERS) ? (
            <NothingFits what="decision" names={FILTERS} />
          ) : decisions.length === 0 ? (
            <div class="note">
              <strong>No decisions</strong>
              <p>
                A decision is an attestation of type <code>decision</code> about this control,
                reported to a trail or an artifact.
              </p>
            </div>
          ) : (
            <>
              <VirtualTable
                caption="Decisions"
                columns={decisionColumns(org)}
                rows={decisions}
                keyOf={({ attestation_id }) => attestation_id}
                rowHeight={rowHeight()}
              />
              {total_count > decisions.length ? (
                <p class="quiet">
                  The newest {decisions.length} of {Shorten.count(total_count)} decisions.
                </p>
              ) : null}
            </>
          )
        }
      </QueryView>
    </>
  )
}

export const ControlDecisionsPage = ({ route }: PageProps<Route.RouteOf<"ControlDecisions">>) => (
  <ControlFrame route={route}>{() => <Decisions route={route} />}</ControlFrame>
)

const Coverage = ({ route }: { readonly route: Route.RouteOf<"ControlCoverage"> }) => {
  const { identifier, org } = route.params
  const params = { org, identifier, query: { page: 1, per_page: 100 } }
  const state = useQuery("control.coverage", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("control.coverage", params).path)}
    >
      {({ covered, coverage_percent, environments, total }) => (
        <>
          <p class="lead">
            Asked for in {covered} of {total} environments{" "}
            <span class="quiet">{coverage_percent} %</span>
          </p>
          {environments.length === 0 ? null : (
            <VirtualTable
              caption="Environments"
              columns={[
                {
                  name: "name",
                  title: "Environment",
                  isHeader: true,
                  cell: ({ name }: (typeof environments)[number]) => (
                    <a href={Navigation.href("Environment", { org, environment: name })}>
                      <RevealedText text={name} />
                    </a>
                  )
                },
                {
                  name: "covered",
                  title: "Asked for",
                  cell: (row) => (row.covered ? "yes" : <span class="quiet">no</span>)
                },
                {
                  name: "policies",
                  title: "By",
                  cell: ({ policies }) => <RevealedText text={policies.join(", ")} />
                }
              ]}
              rows={environments}
              keyOf={({ name }) => name}
              rowHeight={rowHeight()}
            />
          )}
        </>
      )}
    </QueryView>
  )
}

/** The policies and environments that require a control. */
export const ControlCoveragePage = ({ route }: PageProps<Route.RouteOf<"ControlCoverage">>) => (
  <ControlFrame route={route}>{() => <Coverage route={route} />}</ControlFrame>
)

/** A version as text, for the diff. */
const textOf = ({ name, description, links }: ControlVersion): string =>
  [`name: ${name}`, `description: ${description ?? ""}`, ControlLinks.print(links)].join("\n")

const Version = ({
  version,
  before
}: {
  readonly version: ControlVersion
  readonly before: ControlVersion | undefined
}) => (
  <li class="policy-part">
    <h2>
      Version {version.version} <span class="quiet">{version.kind.toLowerCase()}</span>
    </h2>
    <p class="quiet">
      by <RevealedText text={version.user} />, <Timestamp seconds={version.timestamp} />
    </p>
    {before === undefined || textOf(before) === textOf(version) ? null : (
      <TextDiffView
        diff={TextDiff.make(textOf(before), textOf(version))}
        caption={`What version ${version.version} changed`}
      />
    )}
  </li>
)

const Versions = ({ route }: { readonly route: Route.RouteOf<"ControlVersions"> }) => {
  const { identifier, org } = route.params
  const params = { org, identifier, query: { page: 1, per_page: 100 } }
  const state = useQuery("control.versions", params)
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("control.versions", params).path)}
    >
      {({ versions }) => (
        <ol class="plain-list">
          {versions.map((version, at) => (
            <Version key={version.version} version={version} before={versions[at + 1]} />
          ))}
        </ol>
      )}
    </QueryView>
  )
}

export const ControlVersionsPage = ({ route }: PageProps<Route.RouteOf<"ControlVersions">>) => (
  <ControlFrame route={route}>{() => <Versions route={route} />}</ControlFrame>
)
