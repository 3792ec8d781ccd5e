/** Where artifacts ran, searched by fingerprint, commit, flow, repository, author or builder. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Exposures } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { ChoiceFilter, DayFilter, isFiltered, NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { Timestamp } from "../shared/Timestamp.js"
import * as TimeText from "../shared/TimeText.js"
import * as TimeWindow from "../shared/TimeWindow.js"
import { ExposureLanes } from "./ExposureLanes.js"
import {
  parse,
  routeOf,
  SUBJECTS,
  type Subject,
  type SubjectName,
  subjectOf,
  TEXTS
} from "./ExposureSubject.js"
import { ExposureTable } from "./ExposureTable.js"

type WhereRoute = Route.RouteOf<"WhereItRan">

const PER_PAGE = 100
const FILTERS = ["environment", "running", "from", "to"]

const isSubject = (text: string): text is SubjectName =>
  (SUBJECTS as ReadonlyArray<string>).includes(text)

/** The form for the subject and its value. */
const Ask = ({ org, subject }: { readonly org: string; readonly subject: Subject | undefined }) => {
  const name = useSignal<SubjectName>(subject?.name ?? "fingerprint")
  const field = useRef<HTMLInputElement>(null)
  const problem = useSignal("")
  const id = useId()
  useEffect(() => {
    name.value = subject?.name ?? name.peek()
  }, [subject?.name, name])
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = parse(name.value, field.current?.value ?? "")
    problem.value = asked === undefined ? `Give ${TEXTS[name.value].hint}.` : ""
    if (asked !== undefined) Navigation.go(routeOf(org, asked))
    else field.current?.focus()
  }
  return (
    <form onSubmit={submit} noValidate>
      <div class="exposure-ask">
        <select
          aria-label="Asked by"
          value={name.value}
          onChange={({ currentTarget: { value } }) => {
            if (isSubject(value)) name.value = value
            problem.value = ""
          }}
        >
          {SUBJECTS.map((each) => (
            <option key={each} value={each}>
              {TEXTS[each].word}
            </option>
          ))}
        </select>
        <input
          ref={field}
          key={`${subject?.name} ${subject?.value}`}
          type="search"
          data-filter
          aria-label={`Which ${TEXTS[name.value].word}`}
          aria-describedby={id}
          aria-invalid={problem.value !== ""}
          defaultValue={subject?.value ?? ""}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="button button-main">
          Ask
        </button>
      </div>
      <p id={id} class={problem.value === "" ? "field-hint exposure-hint" : "field-problem"}>
        {problem.value === "" ? TEXTS[name.value].hint : problem.value}
      </p>
    </form>
  )
}

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

const Nothing = ({ subject }: { readonly subject: Subject }) => (
  <div class="note">
    <strong>
      Nothing of {TEXTS[subject.name].word}{" "}
      <RevealedText text={Shorten.middle(subject.value, 64)} /> ran anywhere
    </strong>
    <p>
      No report of an environment listed{" "}
      {subject.name === "fingerprint"
        ? "such an artifact."
        : "an artifact of which a flow recorded that."}
    </p>
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
}

const Answer = ({ org, route, subject }: AnswerProps) => {
  const running = Route.parameter(route, "running")
  const window = TimeWindow.windowOf(route)
  const params = {
    org,
    query: {
      [subject.name]: subject.value,
      environment: Route.parameter(route, "environment"),
      from_timestamp: window.from,
      to_timestamp: window.to,
      running: running === "true" || running === "false" ? running : undefined,
      page: pageOf(route),
      per_page: PER_PAGE
    }
  }
  const state = useQuery("exposure.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("exposure.list", params).path)}>
      {(answer) => {
        const isEmpty = answer.exposures.length === 0
        if (isEmpty && !isFiltered(route, [...FILTERS, "page"]))
          return <Nothing subject={subject} />
        return (
          <>
            {totalOf(answer)}
            <Filters org={org} route={route} />
            {isEmpty ? (
              <NothingFits what="time" names={FILTERS} />
            ) : (
              <Found org={org} answer={answer} window={window} />
            )}
            <Pager route={route} perPage={PER_PAGE} total={answer.total_count} what="times" />
          </>
        )
      }}
    </QueryView>
  )
}

/** The answer, or an error if the window ends before it starts. */
const Asked = (props: AnswerProps) =>
  TimeWindow.isReversed(TimeWindow.windowOf(props.route)) ? (
    <>
      <Filters org={props.org} route={props.route} />
      <div class="note">
        <strong>The first day is after the last</strong>
        <p>No time is between them: choose another day.</p>
      </div>
    </>
  ) : (
    <Answer {...props} />
  )

export const WhereItRanPage = ({ route }: PageProps<WhereRoute>) => {
  const { org } = route.params
  const subject = subjectOf(route)
  return (
    <Page name="Where it ran" org={org}>
      <Ask org={org} subject={subject} />
      {subject === undefined ? (
        <p class="quiet">
          Every time in which an artifact ran in an environment, by what is known about it.
        </p>
      ) : (
        <Asked org={org} route={route} subject={subject} />
      )}
    </Page>
  )
}
