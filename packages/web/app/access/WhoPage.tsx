/** Who may do what, and why: the holders of a permission in a place, and the roles of one person, now or then. */
import * as Route from "@attestry/web/Route"
import { useState } from "preact/hooks"
import { ScopeText } from "../api-key/ScopeText.js"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { AccessBinding, AccessEffective, AccessSubject } from "../shared/Contract.js"
import { ChoiceFilter, TextFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { bindingText, viaText } from "./BindingText.js"
import { PERMISSIONS } from "./Permissions.js"
import { effectiveOf, KINDS, PLACES, whoOf } from "./WhoQuestion.js"

type WhoRoute = Route.RouteOf<"AccessWho">

interface Props {
  readonly route: WhoRoute
}

const rowHeight = () => (preferences.value.density === "compact" ? 28 : 36)

const SUBJECT_COLUMNS: ReadonlyArray<Column<AccessSubject>> = [
  {
    name: "who",
    title: "Who",
    isHeader: true,
    cell: ({ kind, name }) => (
      <>
        <strong>
          <RevealedText text={Shorten.middle(name, 48)} />
        </strong>
        {kind === "user" ? null : <span class="quiet"> account</span>}
      </>
    )
  },
  { name: "role", title: "Role", cell: ({ role }) => role },
  {
    name: "why",
    title: "Why",
    cell: ({ via }) => <RevealedText text={via.map(viaText).join("; ")} />
  }
]

const BINDING_COLUMNS: ReadonlyArray<Column<AccessBinding>> = [
  {
    name: "space",
    title: "In",
    isHeader: true,
    cell: ({ space }) => <RevealedText text={space} />
  },
  { name: "role", title: "Role", cell: ({ role }) => role },
  { name: "why", title: "Why", cell: (binding) => <RevealedText text={bindingText(binding)} /> }
]

const Subjects = ({
  caption,
  rows
}: {
  readonly caption: string
  readonly rows: ReadonlyArray<AccessSubject>
}) => (
  <VirtualTable
    caption={caption}
    columns={SUBJECT_COLUMNS}
    rows={rows}
    keyOf={({ kind, name }) => `${kind} ${name}`}
    rowHeight={rowHeight()}
  />
)

const Bindings = ({
  caption,
  rows
}: {
  readonly caption: string
  readonly rows: ReadonlyArray<AccessBinding>
}) => (
  <VirtualTable
    caption={caption}
    columns={BINDING_COLUMNS}
    rows={rows}
    keyOf={(binding) => viaText(binding)}
    rowHeight={rowHeight()}
  />
)

/** The instant of both questions, in UTC. */
const InstantFilter = ({ route }: Props) => (
  <label class="filter-labelled">
    At (UTC)
    <input
      type="datetime-local"
      value={Route.parameter(route, "on") ?? ""}
      onChange={({ currentTarget: { value } }) =>
        Navigation.setQuery({ on: value === "" ? undefined : value.slice(0, 16) })
      }
    />
  </label>
)

const Holders = ({
  route,
  query
}: Props & { readonly query: NonNullable<ReturnType<typeof whoOf>> }) => {
  const params = { org: route.params.org, query }
  const state = useQuery("access.who", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("access.who", params).path)}>
      {({ subjects, eligible }) => (
        <>
          {subjects.length === 0 ? (
            <p class="quiet">Nobody has it there.</p>
          ) : (
            <Subjects caption="Who has the permission" rows={subjects} />
          )}
          {eligible.length === 0 ? null : (
            <>
              <h3>By break-glass</h3>
              <Subjects caption="Who may open break-glass for it" rows={eligible} />
            </>
          )}
        </>
      )}
    </QueryView>
  )
}

const Who = ({ route }: Props) => {
  const query = whoOf(route)
  return (
    <section class="block">
      <h2>Who may</h2>
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="permission"
          label="Permission"
          any="choose a permission"
          options={PERMISSIONS.map((each) => [each, each] as const)}
        />
        <ChoiceFilter
          route={route}
          name="at"
          label="Place"
          any="in the whole org"
          options={PLACES.map((each) => [each, `in the ${each}`] as const)}
        />
        {Route.parameter(route, "at") === undefined ? null : (
          <TextFilter route={route} name="name" label="Name of the place" />
        )}
        <InstantFilter route={route} />
      </search>
      {query === undefined ? (
        <p class="quiet">Choose a permission, and name the place if it is not the whole org.</p>
      ) : (
        <Holders route={route} query={query} />
      )}
    </section>
  )
}

/** Of whom the roles are; of a key, what its scope leaves of those of its owner. */
const Subject = ({ found }: { readonly found: AccessEffective }) => {
  const { name, suspended, bindings, scope } = found
  const owner = (
    <strong>
      <RevealedText text={name} />
    </strong>
  )
  return (
    <>
      <p>
        {scope === undefined ? null : "A key of "}
        {owner}
        {suspended ? " is suspended" : ""}
        {bindings.length === 0 ? " has no role" : ""}
      </p>
      {scope === undefined ? null : (
        <p>
          It may do <ScopeText scope={scope} />
          {scope === null ? " that its owner may" : ", as far as these roles allow it"}
        </p>
      )}
    </>
  )
}

const Effective = ({ route }: Props) => {
  const params = { org: route.params.org, query: effectiveOf(route) }
  const state = useQuery("access.effective", params)
  return (
    <section class="block">
      <h2>What one may do</h2>
      <search class="filters">
        <ChoiceFilter route={route} name="kind" label="Kind" any="person" options={KINDS} />
        <TextFilter route={route} name="of" label="Login, name or id; empty for oneself" />
      </search>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("access.effective", params).path)}
      >
        {(found) => (
          <>
            <Subject found={found} />
            {found.bindings.length === 0 ? null : (
              <Bindings caption="Roles" rows={found.bindings} />
            )}
            {found.eligible.length === 0 ? null : (
              <>
                <h3>By break-glass</h3>
                <Bindings caption="Eligible grants" rows={found.eligible} />
              </>
            )}
          </>
        )}
      </QueryView>
    </section>
  )
}

/** Both questions have the instant of the first. A link that asks about one shows that answer first. */
export const WhoPage = ({ route }: PageProps<WhoRoute>) => {
  // WHY a state: a field that is filled in moves nothing.
  const [isAboutOne] = useState(
    Route.parameter(route, "of") !== undefined && whoOf(route) === undefined
  )
  return (
    <Page name="Who may" org={route.params.org}>
      <AccessTabs org={route.params.org} current="AccessWho" />
      {isAboutOne ? <Effective route={route} /> : null}
      <Who route={route} />
      {isAboutOne ? null : <Effective route={route} />}
    </Page>
  )
}
