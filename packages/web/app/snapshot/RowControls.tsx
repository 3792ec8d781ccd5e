/** The controls above the rows of a snapshot: reasons, counts and filters. */
import * as Route from "@attestry/web/Route"
import { CodedText } from "../shared/CodedText.js"
import type { ShortRow, ShortSnapshot } from "../shared/Contract.js"
import { ChoiceFilter, useTypedQuery } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { VerdictMark } from "../shared/VerdictMark.js"
import { chosenName, type ReasonGroup } from "./ReasonGroups.js"
import * as RowFilter from "./RowFilter.js"
import { ROWS_PER_PAGE } from "./SnapshotReads.js"

/** Why rows fail, by rule; selecting one filters its rows. */
export const Reasons = ({
  groups,
  route,
  rows
}: {
  readonly groups: ReadonlyArray<ReasonGroup>
  readonly route: Route.Route
  readonly rows: number
}) => {
  const chosen = Route.parameter(route, "rule")
  return (
    <section class="rule-reasons" aria-labelledby="reasons-title">
      <h2 id="reasons-title" class="rows-title">
        Why {Shorten.count(rows)} {rows === 1 ? "row fails" : "rows fail"}
      </h2>
      <ul>
        {groups.map((group) => (
          <li key={`${group.key} ${group.rule.policy_version}`}>
            <a
              class="reason"
              aria-current={chosen === group.key ? "true" : undefined}
              href={Navigation.hrefOf(
                Route.withQuery(route, {
                  rule: chosen === group.key ? undefined : group.key,
                  row: undefined,
                  page: undefined
                })
              )}
            >
              <span class="reason-count">×{Shorten.count(group.rows)}</span>
              <span class="reason-text">
                <CodedText text={group.text} />
              </span>
              <span class="reason-rule">
                <RevealedText text={group.name} />
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  )
}

const COUNTED = [
  ["false", "non-compliant"],
  ["null", "unknown"],
  ["true", "compliant"]
] as const

/** The number of running rows by verdict, and of exited rows; each links to its rows. */
export const RowCounts = ({
  snapshot: { artifact_compliance_count: counts, exited_count, waived_rows = 0 },
  route
}: {
  readonly snapshot: ShortSnapshot
  readonly route: Route.Route
}) => {
  const running = counts.true + counts.false + counts.null
  const to = (change: Route.QueryChange) =>
    Navigation.hrefOf(
      Route.withQuery(route, {
        ...RowFilter.NO_FILTERS,
        row: undefined,
        page: undefined,
        ...change
      })
    )
  return (
    <div class="rows-head">
      <h2 class="rows-title">Rows</h2>
      <ul class="counts">
        <li class="quiet">{Shorten.count(running)} running</li>
        {COUNTED.filter(([name]) => counts[name] > 0).map(([name, verdict]) => (
          <li key={name}>
            <a href={to({ verdict })}>
              {Shorten.count(counts[name])} <VerdictMark verdict={verdict} word />
            </a>
          </li>
        ))}
        {waived_rows === 0 ? null : <li class="quiet">{Shorten.count(waived_rows)} waived</li>}
        {exited_count === 0 ? null : (
          <li>
            <a class="quiet" href={to({ change: "exited" })}>
              {Shorten.count(exited_count)} exited
            </a>
          </li>
        )}
      </ul>
    </div>
  )
}

const VERDICTS = [
  ["non-compliant", "not compliant"],
  ["unknown", "not evaluated"],
  ["compliant", "compliant"],
  ["allowed", "allowed"]
] as const

const CHANGES = [
  ["started", "started"],
  ["changed", "changed"],
  ["exited", "exited"]
] as const

/** The filters; each is a URL parameter. */
export const RowFilters = ({
  route,
  rules,
  rows,
  shown
}: {
  readonly route: Route.Route
  readonly rules: ShortSnapshot["rules"]
  readonly rows: ReadonlyArray<ShortRow>
  readonly shown: number
}) => {
  const rule = Route.parameter(route, "rule")
  const typed = useTypedQuery("q")
  return (
    <search class="filters">
      <input
        type="search"
        data-filter
        aria-label="Filter rows by name, fingerprint, flow or commit"
        placeholder="Filter rows ( / )"
        value={Route.parameter(route, "q") ?? ""}
        onInput={({ currentTarget: { value } }) => typed.write(value)}
        onBlur={typed.leave}
      />
      <ChoiceFilter
        route={route}
        name="verdict"
        label="Verdict"
        any="any verdict"
        options={VERDICTS}
      />
      <ChoiceFilter route={route} name="change" label="Change" any="any change" options={CHANGES} />
      <ChoiceFilter
        route={route}
        name="flow"
        label="Flow"
        any="any flow"
        options={RowFilter.flowsOf(rows).map((flow) => [flow, flow] as const)}
      />
      {rule === undefined ? null : (
        <button
          type="button"
          class="button"
          onClick={() => Navigation.setQuery({ rule: undefined, page: undefined })}
        >
          <RevealedText text={chosenName(rules, rule)} /> <span aria-hidden="true">✕</span>
          <span class="visually-hidden">show the rows of every rule</span>
        </button>
      )}
      <span class="filters-count" role="status">
        {shown === rows.length ? "" : `${Shorten.count(shown)} of ${Shorten.count(rows.length)}`}
      </span>
    </search>
  )
}

/** Links to the pages of a snapshot that is longer than one answer. */
export const RowPages = ({
  snapshot: { page, total_pages, total_count },
  route
}: {
  readonly snapshot: ShortSnapshot
  readonly route: Route.Route
}) => {
  const to = (next: number) => Navigation.hrefOf(Route.withQuery(route, { page: String(next) }))
  return (
    <nav class="pages" aria-label="Pages of rows">
      {page > 1 ? <a href={to(page - 1)}>‹ previous</a> : null}
      <span>
        Rows {Shorten.count((page - 1) * ROWS_PER_PAGE + 1)} to{" "}
        {Shorten.count(Math.min(total_count, page * ROWS_PER_PAGE))} of {Shorten.count(total_count)}
      </span>
      {page < total_pages ? <a href={to(page + 1)}>next ›</a> : null}
    </nav>
  )
}
