/** The events of an environment, grouped by snapshot: rows that started, changed and exited. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { EnvironmentEvent } from "../shared/Contract.js"
import { ExternalLink } from "../shared/ExternalLink.js"
import { ChoiceFilter, isFiltered, NothingFits, TextFilter } from "../shared/Filters.js"
import { Fingerprint } from "../shared/Fingerprint.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { changeText } from "../snapshot/ChangeText.js"
import { countsOf, type EventGroup, groupsOf, verdictOf } from "./EventGroups.js"

const PER_PAGE = 100

const FILTERS = ["from", "to", "type", "flow", "repo"]

type EventsRoute = Route.RouteOf<"Events">

const TYPES = [
  ["started", "started"],
  ["exited", "exited"],
  ["changed", "changed"]
] as const

/** A time filter in UTC, to the minute. */
const TimeField = ({
  route,
  name,
  label
}: {
  readonly route: EventsRoute
  readonly name: "from" | "to"
  readonly label: string
}) => (
  <label class="time-field">
    {label}
    <input
      type="datetime-local"
      value={Route.parameter(route, name) ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({ [name]: value === "" ? undefined : value.slice(0, 16) })
      }
    />
  </label>
)

const csvOf = ({ params: { org, environment }, ...route }: EventsRoute): string => {
  const { from, to } = TimeWindow.windowOf(route)
  const { path } = callOf("event.auditLog", {
    org,
    env_name: environment,
    query: {
      from_timestamp: from,
      to_timestamp: to,
      event_types: Route.parameter(route, "type"),
      flow_names: Route.parameter(route, "flow"),
      repo_names: Route.parameter(route, "repo")
    }
  })
  return `${Navigation.base}${path}`
}

const EventFilters = ({ route }: { readonly route: EventsRoute }) => (
  <search class="filters event-filters">
    <TimeField route={route} name="from" label="From (UTC)" />
    <TimeField route={route} name="to" label="To (UTC)" />
    <ChoiceFilter route={route} name="type" label="Type" any="any type" options={TYPES} />
    <TextFilter route={route} name="flow" label="Flow" isMain />
    <TextFilter route={route} name="repo" label="Repository" />
    <a class="button" href={csvOf(route)} download>
      CSV
    </a>
  </search>
)

const EventLine = ({ org, event }: { readonly org: string; readonly event: EnvironmentEvent }) => {
  const verdict = verdictOf(event)
  const { was = 0, now = 0 } = countsOf(event.description) ?? {}
  const change = changeText({ type: event.type, was, now })
  const { sha256: fingerprint } = event
  return (
    <tr>
      <td class="cell">
        <span class={change?.isBad === true ? "change change-bad" : "change"}>
          <span aria-hidden="true" class="change-sign">
            {change?.sign}
          </span>
          {change?.text}
        </span>
      </td>
      <th scope="row" class="cell" title={Reveal.plain(event.artifact_name)}>
        <RevealedText text={Shorten.artifact(event.artifact_name, 36)} />
      </th>
      <td class="cell">
        {fingerprint === "" ? (
          <span class="quiet">unknown</span>
        ) : (
          <Fingerprint value={fingerprint} />
        )}
      </td>
      <td class="cell">
        {event.pipeline === "" ? (
          <span class="quiet">
            {event.hidden === true ? "in a flow you may not read" : "no provenance"}
          </span>
        ) : (
          <a href={Navigation.href("Flow", { org, flow: event.pipeline })}>
            <RevealedText text={Shorten.middle(event.pipeline, 24)} />
          </a>
        )}
      </td>
      <td class="cell">{verdict === undefined ? null : <VerdictMark verdict={verdict} word />}</td>
      <td class="cell">
        {event.code_diff === "" ? null : <ExternalLink address={event.code_diff} label="compare" />}
      </td>
    </tr>
  )
}

const GroupHead = ({
  org,
  environment,
  group: { index, seconds, verdict }
}: {
  readonly org: string
  readonly environment: string
  readonly group: EventGroup
}) => (
  <tr class="event-head">
    <th class="cell" colSpan={6} scope="colgroup">
      <Timestamp seconds={seconds} always="absolute" />
      <a href={Navigation.href("Snapshot", { org, environment, expression: String(index) })}>
        snapshot {index}
      </a>
      {verdict === undefined ? null : <VerdictMark verdict={verdict} word />}
      {index > 1 ? (
        <a
          href={Navigation.hrefOf(
            Route.make(
              "Diff",
              { org },
              { left: `${environment}#${index - 1}`, right: `${environment}#${index}` }
            )
          )}
        >
          compare with {index - 1}
        </a>
      ) : null}
    </th>
  </tr>
)

const EventTable = ({
  route,
  events
}: {
  readonly route: EventsRoute
  readonly events: ReadonlyArray<EnvironmentEvent>
}) => {
  const { org, environment } = route.params
  return (
    <div class="table-scroller table-whole">
      <table class="table table-stacked">
        <caption class="visually-hidden">Events by snapshot</caption>
        <thead>
          <tr>
            {["Event", "Artifact", "Fingerprint", "Flow", "Verdict", "Commits"].map((title) => (
              <th key={title} scope="col" class="cell">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        {groupsOf(events).map((group) => (
          <tbody key={group.index}>
            <GroupHead org={org} environment={environment} group={group} />
            {group.events.map((event) => (
              <EventLine
                key={`${event.artifact_name} ${event.sha256} ${event.type}`}
                org={org}
                event={event}
              />
            ))}
          </tbody>
        ))}
      </table>
    </div>
  )
}

/** One page of events, with a button that loads the next. */
const EventPagePart = ({
  route,
  page,
  until
}: {
  readonly route: EventsRoute
  readonly page: number
  /** WHY: pages count from the newest event, so an event that arrives later would shift them. */
  readonly until: number
}) => {
  const { org, environment } = route.params
  const { from, to = until } = TimeWindow.windowOf(route)
  const isOlderShown = useSignal(false)
  const params = {
    org,
    env_name: environment,
    query: {
      page,
      per_page: PER_PAGE,
      from,
      to,
      event_types: Route.parameter(route, "type"),
      flow_names: Route.parameter(route, "flow"),
      repo_name: Route.parameter(route, "repo")
    }
  }
  const state = useQuery("event.list", params, { immutable: true })
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("event.list", params).path)}>
      {(events) => (
        <>
          {events.length === 0 ? null : <EventTable route={route} events={events} />}
          {events.length === 0 && page === 1 ? <NoEvents route={route} /> : null}
          {events.length < PER_PAGE ? (
            events.length === 0 && page === 1 ? null : (
              <p class="quiet">That is the beginning.</p>
            )
          ) : isOlderShown.value ? (
            <EventPagePart route={route} page={page + 1} until={until} />
          ) : (
            <p>
              <button
                type="button"
                class="button"
                onClick={() => {
                  isOlderShown.value = true
                }}
              >
                Older events
              </button>
            </p>
          )}
        </>
      )}
    </QueryView>
  )
}

const NoEvents = ({ route }: { readonly route: EventsRoute }) =>
  isFiltered(route, FILTERS) ? (
    <NothingFits what="event" names={FILTERS} />
  ) : (
    <div class="note">
      <strong>Nothing has happened here yet</strong>
      <p>Each report that changes what runs makes events.</p>
    </div>
  )

export const EventsPage = ({ route }: PageProps<EventsRoute>) => {
  const { org, environment } = route.params
  const until = useSignal(Math.ceil(Date.now() / 1_000))
  return (
    <Page
      name={`Events of ${environment}`}
      org={org}
      heading={
        <>
          Events of <RevealedText text={environment} />
        </>
      }
      aside={
        <p class="facts-line">
          <a href={Navigation.href("Environment", { org, environment })}>Latest snapshot</a>
          <button
            type="button"
            class="button"
            onClick={() => {
              until.value = Math.ceil(Date.now() / 1_000)
            }}
          >
            Ask again
          </button>
        </p>
      }
    >
      <EventFilters route={route} />
      <EventPagePart
        key={`${Navigation.hrefOf(route)} ${until.value}`}
        route={route}
        page={1}
        until={until.value}
      />
    </Page>
  )
}
