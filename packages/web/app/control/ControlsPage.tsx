/** The matrix of controls by environment: where each control is enforced, and whether it holds. */

import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { PendingTag } from "../environment/EnvironmentRemarks.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { ControlMatrix } from "../shared/Contract.js"
import { NothingFits } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import * as Reveal from "../shared/Reveal.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import {
  type CellState,
  GLYPHS,
  LEGEND,
  type MatrixCell,
  ruleFilterOf,
  stateOf,
  wordsOf
} from "./ControlCells.js"
import { ControlForm } from "./ControlForm.js"

const PER_PAGE = 100
/** How many environments are shown at once. WHY fewer than the service has: each is a column. */
const ENVIRONMENTS = 100
const STATES: ReadonlyArray<CellState> = ["holds", "failing", "nothing-runs", "not-covered"]

const Legend = () => (
  <ul class="legend">
    {STATES.map((state) => (
      <li key={state}>
        <span class={`cell-glyph cell-${state}`} aria-hidden="true">
          {GLYPHS[state]}
        </span>{" "}
        {LEGEND[state]}
      </li>
    ))}
  </ul>
)

const Cell = ({
  org,
  environment,
  cell
}: {
  readonly org: string
  readonly environment: string
  readonly cell: MatrixCell
}) => {
  const state = stateOf(cell)
  const words = wordsOf(cell, environment)
  const glyph = (
    <span class={`cell-glyph cell-${state}`} aria-hidden="true">
      {GLYPHS[state]}
      {state === "failing" ? ` ${Shorten.count(cell.rows_failing ?? 0)}` : ""}
    </span>
  )
  if (state === "not-covered")
    return (
      <td class="coverage-cell" title={words}>
        {glyph}
        <span class="visually-hidden">{words}</span>
      </td>
    )
  const rule = state === "failing" ? ruleFilterOf(cell) : undefined
  const query = state === "failing" && rule === undefined ? { verdict: "non-compliant" } : { rule }
  return (
    <td class="coverage-cell" title={words}>
      <a
        // WHY: the compiler does not see that a route of one name is a member of the union.
        href={Navigation.hrefOf(
          Route.make("Environment", { org, environment }, query) as Route.Route
        )}
      >
        {glyph}
        <span class="visually-hidden">{words}</span>
      </a>
    </td>
  )
}

const Matrix = ({ org, matrix }: { readonly org: string; readonly matrix: ControlMatrix }) => (
  // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls sideways is reached by the keyboard.
  <section class="table-scroller" tabIndex={0} aria-label="Controls by environments">
    <table class="table coverage">
      <caption class="visually-hidden">Controls by environments</caption>
      <thead>
        <tr>
          <th class="cell coverage-name" scope="col">
            Control
          </th>
          {matrix.environments.map((environment) => (
            <th
              key={environment.name}
              class="cell coverage-head"
              scope="col"
              title={environment.name}
            >
              <RevealedText text={Shorten.middle(environment.name, 18)} />{" "}
              <PendingTag environment={environment} />
            </th>
          ))}
          <th class="cell cell-number" scope="col">
            Covered
          </th>
        </tr>
      </thead>
      <tbody>
        {matrix.controls.map((control) => (
          <tr key={control.identifier}>
            <th class="cell coverage-name" scope="row">
              <a href={Navigation.href("Control", { org, identifier: control.identifier })}>
                <RevealedText text={control.identifier} />
              </a>{" "}
              <span class="quiet" title={Reveal.plain(control.name)}>
                <RevealedText text={Shorten.middle(control.name, 40)} />
              </span>
            </th>
            {control.cells.map((cell, at) => {
              const environment = matrix.environments[at]?.name ?? ""
              return <Cell key={environment} org={org} environment={environment} cell={cell} />
            })}
            <td class="cell cell-number">
              {control.covered} of {control.total}{" "}
              <span class="quiet">{control.coverage_percent} %</span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </section>
)

const Filters = ({ route }: { readonly route: Route.Route }) => (
  <search class="filters">
    <input
      type="search"
      data-filter
      aria-label="Filter by name or identifier"
      placeholder="Filter by name or identifier ( / )"
      value={Route.parameter(route, "q") ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({ q: value || undefined, page: undefined })
      }
    />
    <select
      aria-label="Archived"
      value={Route.parameter(route, "archived") ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({ archived: value || undefined, page: undefined })
      }
    >
      <option value="">in use</option>
      <option value="true">archived</option>
    </select>
  </search>
)

const NoControls = () => (
  <div class="note">
    <strong>No controls yet</strong>
    <p>
      A control is a requirement of a rule book. Policies ask for decisions about it, and this page
      shows where they do and whether they hold.
    </p>
  </div>
)

const Content = ({
  route,
  matrix,
  isFiltered
}: {
  readonly route: Route.RouteOf<"Controls">
  readonly matrix: ControlMatrix
  readonly isFiltered: boolean
}) => {
  if (matrix.controls.length === 0 && !isFiltered) return <NoControls />
  return (
    <>
      <Filters route={route} />
      {matrix.controls.length === 0 ? (
        <NothingFits what="control" names={["q", "tag", "archived"]} />
      ) : (
        <>
          <Legend />
          <Matrix org={route.params.org} matrix={matrix} />
          <Pager
            route={route}
            parameter="environments"
            perPage={ENVIRONMENTS}
            total={matrix.controls[0]?.total ?? 0}
            what="environments"
          />
          <Pager route={route} perPage={PER_PAGE} total={matrix.total_count} what="controls" />
        </>
      )}
    </>
  )
}

export const ControlsPage = ({ route }: PageProps<Route.RouteOf<"Controls">>) => {
  const { org } = route.params
  const isCreating = useSignal(false)
  const filters = {
    search: Route.parameter(route, "q"),
    tag: Route.parameter(route, "tag"),
    archived: Route.parameter(route, "archived") === "true" ? "true" : undefined
  }
  const params = {
    org,
    query: {
      ...filters,
      page: pageOf(route),
      per_page: PER_PAGE,
      environments_page: pageOf(route, "environments"),
      environments_per_page: ENVIRONMENTS
    }
  }
  const state = useQuery("control.matrix", params)
  const isFiltered = Object.values(filters).some((value) => value !== undefined)
  return (
    <Page
      name="Controls"
      org={org}
      aside={
        Session.may(org, "control.write") ? (
          <button
            type="button"
            class="button button-main"
            onClick={() => {
              isCreating.value = true
            }}
          >
            New control…
          </button>
        ) : null
      }
    >
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("control.matrix", params).path)}
      >
        {(matrix) => <Content route={route} matrix={matrix} isFiltered={isFiltered} />}
      </QueryView>
      {isCreating.value ? (
        <ControlForm
          org={org}
          control={undefined}
          onClose={() => {
            isCreating.value = false
          }}
          onSaved={(identifier) =>
            Navigation.go({ _tag: "Control", params: { org, identifier }, query: [] })
          }
        />
      ) : null}
    </Page>
  )
}
