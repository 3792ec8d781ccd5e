/** Where artifacts ran, searched by what is known about them. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Exposures } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, DayFilter, isFiltered, NothingFits } from "../shared/Filters.js"
import * as FormErrors from "../shared/FormErrors.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf, type QueryState } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { ExposureForm } from "./ExposureForm.js"
import { ExposureLanes } from "./ExposureLanes.js"
import { queryOf, SUBJECTS, type Subject, subjectOf, WORDS } from "./ExposureSubject.js"
import { ExposureTable } from "./ExposureTable.js"
import { nothingText, withoutSbomText } from "./ExposureText.js"

type WhereRoute = Route.RouteOf<"WhereItRan">

const PER_PAGE = 100
const FILTERS = ["environment", "running", "from", "to"]

const totalOf = ({ summary, total_count }: Exposures) => (
  <p class="exposure-total">
    {Shorten.count(total_count)} {total_count === 1 ? "time" : "times"} in {summary.environments}{" "}
    {summary.environments === 1 ? "environment" : "environments"}, {summary.running_now} of them
    now, {TimeText.duration(summary.total_seconds * 1_000)} together
    {summary.first === null ? null : (
      <>
        , first <Timestamp seconds={summary.first} />
      </>
    )}
  </p>
)

const RUNNING = [
  ["true", "runs now"],
  ["false", "runs no more"]
] as const

const Filters = ({ org, route }: { readonly org: string; readonly route: WhereRoute }) => {
  const environments = knownOf(
    useQuery("environment.list", { org, query: { page: 1, per_page: 100 } })
  )
  const named = Damaged.readable(environments?.value.environments ?? []).items
  return (
    <search class="filters">
      <ChoiceFilter
        route={route}
        name="environment"
        label="Environment"
        any="any environment"
        options={named.map(({ name }) => [name, name] as const)}
      />
      <ChoiceFilter route={route} name="running" label="Running" any="ever" options={RUNNING} />
      <DayFilter route={route} name="from" label="From (UTC)" />
      <DayFilter route={route} name="to" label="to" />
    </search>
  )
}

/** How many artifacts the answer knows nothing about, and the command that sends what is missing. */
const WithoutSbom = ({ count }: { readonly count: number | undefined }) => {
  const text = withoutSbomText(count)
  return text === undefined ? null : (
    <p class="note note-wide">
      {text} <code>attestry attest sbom FILE</code> sends one.
    </p>
  )
}

const Nothing = ({ subject }: { readonly subject: Subject }) => (
  <div class="note">
    <strong>
      Nothing of {WORDS[subject.name]}{" "}
      <RevealedText
        text={Shorten.middle([subject.value, subject.versions ?? ""].join(" ").trim(), 64)}
      />{" "}
      ran anywhere
    </strong>
    <p>{nothingText(subject)}</p>
  </div>
)

/** The exposures of a time window: as lanes, and as a table. */
const Found = ({
  org,
  answer,
  window
}: {
  readonly org: string
  readonly answer: Exposures
  readonly window: TimeWindow.Window
}) => {
  const { items, damaged } = Damaged.readable(answer.exposures)
  return (
    <>
      <DamagedNote count={damaged} />
      <section class="block">
        <h2 class="visually-hidden">By environment</h2>
        <ExposureLanes org={org} exposures={items} window={window} />
      </section>
      <section class="block">
        <h2>Each time by itself</h2>
        <ExposureTable org={org} exposures={items} />
      </section>
    </>
  )
}

interface AnswerProps {
  readonly org: string
  readonly route: WhereRoute
  readonly subject: Subject
  readonly answer: Exposures
}

const Answer = ({ org, route, subject, answer }: AnswerProps) => {
  const isEmpty = answer.exposures.length === 0
  const withoutSbom = <WithoutSbom count={answer.summary.without_sbom} />
  if (isEmpty && !isFiltered(route, [...FILTERS, "page"]))
    return (
      <>
        {withoutSbom}
        <Nothing subject={subject} />
      </>
    )
  return (
    <>
      {totalOf(answer)}
      {withoutSbom}
      <Filters org={org} route={route} />
      {isEmpty ? (
        <NothingFits what="time" names={FILTERS} />
      ) : (
        <Found org={org} answer={answer} window={TimeWindow.windowOf(route)} />
      )}
      <Pager route={route} perPage={PER_PAGE} total={answer.total_count} what="times" />
    </>
  )
}

const Reversed = ({ org, route }: Pick<AnswerProps, "org" | "route">) => (
  <>
    <Filters org={org} route={route} />
    <div class="note">
      <strong>The first day is after the last</strong>
      <p>No time is between them: choose another day.</p>
    </div>
  </>
)

const paramsOf = (route: WhereRoute, subject: Subject | undefined) => {
  const running = Route.parameter(route, "running")
  const window = TimeWindow.windowOf(route)
  return {
    org: route.params.org,
    query: {
      ...(subject === undefined ? {} : queryOf(subject)),
      environment: Route.parameter(route, "environment"),
      from_timestamp: window.from,
      to_timestamp: window.to,
      running: running === "true" || running === "false" ? running : undefined,
      page: pageOf(route),
      per_page: PER_PAGE
    }
  }
}

/** The server's refusals that stand at the fields of the form. */
const errorsOf = (state: QueryState<Exposures>): FormErrors.FormErrors =>
  state._tag === "Failed" && state.problem.kind === "invalid"
    ? FormErrors.make(
        state.problem,
        [...SUBJECTS, "versions"].map((name) => `query.${name}`)
      )
    : FormErrors.none

export const WhereItRanPage = ({ route }: PageProps<WhereRoute>) => {
  const { org } = route.params
  const subject = subjectOf(route)
  const isReversed = TimeWindow.isReversed(TimeWindow.windowOf(route))
  const skip = subject === undefined || isReversed
  const params = paramsOf(route, subject)
  const state = useQuery("exposure.list", params, { skip })
  const errors = skip ? FormErrors.none : errorsOf(state)
  return (
    <Page name="Where it ran" org={org}>
      <ExposureForm org={org} subject={subject} errors={errors} />
      {subject === undefined ? (
        <p class="quiet">
          Every time in which an artifact ran in an environment, by what is known about it.
        </p>
      ) : isReversed ? (
        <Reversed org={org} route={route} />
      ) : errors.byField.size > 0 ? null : (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("exposure.list", params).path)}
        >
          {(answer) => <Answer org={org} route={route} subject={subject} answer={answer} />}
        </QueryView>
      )}
    </Page>
  )
}
