/** One policy: its rules, its environments, and its versions. */
import * as Route from "@attestry/web/Route"
import { GraphLink } from "../exposure/GraphLink.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Environment, Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQueries, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import { fromState } from "../shared/Verdict.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { MoveLink } from "../space/MoveLink.js"
import { Demands, VersionLine } from "./PolicyDemands.js"
import { PolicyEvents } from "./PolicyEvents.js"
import {
  ENVIRONMENTS_MAX,
  type FailingRule,
  failuresOf,
  type PolicyFailures
} from "./PolicyFailures.js"
import { PolicyText } from "./PolicyText.js"
import { useReading } from "./useReading.js"

/** The rules that rows of an environment fail; each links to its rows. */
const FailingRules = ({
  at: { org, environment, policy },
  rules
}: {
  readonly at: { readonly org: string; readonly environment: string; readonly policy: string }
  readonly rules: ReadonlyArray<FailingRule>
}) =>
  rules.map(({ index, number, rows }) => (
    <a
      key={index}
      class="rule-mark rule-mark-bad"
      href={Navigation.hrefOf(
        Route.make("Environment", { org, environment }, { rule: `${policy}.${index}` })
      )}
    >
      rule {number} ✕ {Shorten.count(rows)}
      <span class="visually-hidden"> rows</span>
    </a>
  ))

const AttachedTo = ({
  org,
  policy,
  environments,
  failures
}: {
  readonly org: string
  readonly policy: Policy
  readonly environments: ReadonlyArray<Environment>
  readonly failures: PolicyFailures
}) => {
  const states = new Map(environments.map(({ name, state }) => [name, state]))
  const { byEnvironment, byOtherVersion } = failures
  return policy.consuming_envs.length === 0 ? (
    <p class="quiet">No environment. Attach it in the settings of an environment.</p>
  ) : (
    <ul class="inline-list">
      {policy.consuming_envs.map((name) => (
        <li key={name}>
          <VerdictMark verdict={fromState(states.get(name))} />{" "}
          <a href={Navigation.href("Environment", { org, environment: name })}>
            <RevealedText text={name} />
          </a>
          <FailingRules
            at={{ org, environment: name, policy: policy.name }}
            rules={byEnvironment.get(name) ?? []}
          />
          {byOtherVersion.has(name) ? (
            <span class="quiet">evaluated by version {byOtherVersion.get(name)}</span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}

/** The failing rows under the latest version, from the latest snapshots of the non-compliant environments. */
const useFailures = (
  org: string,
  { name, consuming_envs, versions }: Policy,
  environments: ReadonlyArray<Environment>
): PolicyFailures => {
  const red = environments
    .filter((each) => consuming_envs.includes(each.name) && fromState(each.state) !== "compliant")
    .filter(({ last_reported_at }) => last_reported_at !== null)
    .slice(0, ENVIRONMENTS_MAX)
    .map((each) => each.name)
  const states = useQueries(
    "snapshot.rows",
    red.map((env_name) => ({
      org,
      env_name,
      snapshot_expression: "-1",
      query: { per_page: 0 }
    }))
  )
  return failuresOf(
    { name, version: versions.at(-1)?.version ?? 0 },
    states.flatMap((state, at) => {
      const known = knownOf(state)
      const environment = red[at]
      return known === undefined || environment === undefined
        ? []
        : [[environment, known.value] as const]
    })
  )
}

const Versions = ({ org, policy }: { readonly org: string; readonly policy: Policy }) => (
  <ol class="version-list" reversed>
    {[...policy.versions].reverse().map((version) => {
      const params = { org, policy: policy.name, version: String(version.version) }
      return (
        <li key={version.version}>
          <a href={Navigation.href("PolicyVersion", params)}>version {version.version}</a>
          <span>
            <RevealedText text={version.created_by} />, <Timestamp seconds={version.timestamp} />
          </span>
          <span>
            <RevealedText text={version.comment} />
          </span>
          {version.version > 1 ? (
            <a
              href={Navigation.hrefOf(
                // WHY: the compiler does not see that a route of one name is a member of the union.
                Route.make("PolicyVersion", params, {
                  compare: String(version.version - 1)
                }) as Route.Route
              )}
            >
              compare {version.version - 1} ↔ {version.version}
            </a>
          ) : (
            <span />
          )}
        </li>
      )
    })}
  </ol>
)

const Details = ({ org, policy }: { readonly org: string; readonly policy: Policy }) => {
  const latest = policy.versions.at(-1)
  const reading = useReading(latest?.policy_yaml)
  const environments =
    knownOf(useQuery("environment.list", { org, query: { page: 1, per_page: 100 } }))?.value
      .environments ?? []
  const failures = useFailures(org, policy, environments)
  return (
    <>
      <p class="quiet">
        {latest === undefined ? null : <VersionLine version={latest} />}
        {policy.description === "" ? null : (
          <>
            {" · "}
            <RevealedText text={policy.description} />
          </>
        )}
      </p>
      <section class="policy-part">
        <h2>Demands</h2>
        <Demands org={org} reading={reading} />
      </section>
      <section class="policy-part">
        <h2>Attached to</h2>
        <AttachedTo org={org} policy={policy} environments={environments} failures={failures} />
      </section>
      <section class="policy-part">
        <h2>Versions</h2>
        <Versions org={org} policy={policy} />
      </section>
      <section class="policy-part">
        <h2>Attachments</h2>
        <PolicyEvents org={org} policy={policy} />
      </section>
      <section class="policy-part">
        <h2>Text</h2>
        <PolicyText
          text={latest?.policy_yaml ?? ""}
          rules={reading?.rules ?? []}
          failing={failures.byRule}
        />
      </section>
    </>
  )
}

export const PolicyPage = ({ route }: PageProps<Route.RouteOf<"Policy">>) => {
  const { org, policy: name } = route.params
  const state = useQuery("policy.get", { org, name })
  return (
    <Page
      name={name}
      org={org}
      heading={<RevealedText text={name} />}
      aside={
        <div class="editor-actions">
          <GraphLink org={org} root={`policy:${name}`} />
          <MoveLink org={org} type="policy" name={name} />
          <a class="button" href={Navigation.href("PolicyBacktest", { org, policy: name })}>
            Test against history
          </a>
          {Session.may(org, "policy.write") ? (
            <a class="button" href={Navigation.href("PolicyEditor", { org, policy: name })}>
              Edit
            </a>
          ) : null}
        </div>
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("policy.get", { org, name }).path)}
      >
        {(policy) => <Details org={org} policy={policy} />}
      </QueryView>
    </Page>
  )
}
