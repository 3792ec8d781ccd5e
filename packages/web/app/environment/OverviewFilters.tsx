/** The filters and the grouping of the overview, and the switch between tiles and table. */
import type * as Route from "@attestry/web/Route"
import type { Environment } from "../shared/Contract.js"
import { ChoiceFilter, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import * as ProductName from "../shared/ProductName.js"
import { BY_TAG, NO_GROUPS } from "./EnvironmentGroups.js"
import { kindsOf, tagKeysOf, tagsOf } from "./EnvironmentOrder.js"
import type { View } from "./OverviewView.js"

const same = (values: ReadonlyArray<string>) => values.map((value) => [value, value] as const)

const ViewSwitch = ({ view }: { readonly view: View }) => (
  <fieldset class="segmented" aria-label="View">
    {(["tiles", "table"] as const).map((each) => (
      <button
        key={each}
        type="button"
        aria-pressed={each === view}
        onClick={() => Navigation.setQuery({ view: each })}
      >
        {each}
      </button>
    ))}
  </fieldset>
)

export const OverviewFilters = ({
  route,
  environments,
  view
}: {
  readonly route: Route.Route
  readonly environments: ReadonlyArray<Environment>
  readonly view: View
}) => {
  const tags = tagsOf(environments)
  return (
    <search class="filters board-filters">
      <TextFilter route={route} name="q" label="Filter by name or kind" isMain />
      <ChoiceFilter
        route={route}
        name="kind"
        label="Kind"
        any="any kind"
        options={kindsOf(environments).map((kind) => [kind, ProductName.ofKind(kind)] as const)}
      />
      {tags.length === 0 ? null : (
        <ChoiceFilter route={route} name="tag" label="Tag" any="any tag" options={same(tags)} />
      )}
      <ChoiceFilter
        route={route}
        name="verdict"
        label="Verdict"
        any="any verdict"
        options={[
          ["non-compliant", "not compliant"],
          ["unknown", "not evaluated"],
          ["compliant", "compliant"]
        ]}
      />
      {view === "table" ? null : (
        <ChoiceFilter
          route={route}
          name="group"
          label="Groups"
          any="by logical environment"
          options={[
            ...tagKeysOf(environments).map((key) => [`${BY_TAG}${key}`, `by tag ${key}`] as const),
            [NO_GROUPS, "no groups"]
          ]}
        />
      )}
      <ViewSwitch view={view} />
    </search>
  )
}
