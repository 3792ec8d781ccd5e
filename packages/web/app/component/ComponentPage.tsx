/** A component: all versions of a package, or one version, with the environments in which artifacts with it run. */
import type * as Route from "@attestry/web/Route"
import { WhereItRan } from "../exposure/ExposureLanes.js"
import { WhereLink } from "../exposure/WhereLink.js"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { Component } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { Facts } from "../shared/Facts.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf, type QueryState } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { RunsIn, usageColumns } from "./ComponentColumns.js"
import { ComponentLink } from "./ComponentLink.js"
import { isVersioned, packageOf, short } from "./PackageUrl.js"

const PER_PAGE = 100

interface Shown {
  readonly route: Route.RouteOf<"Component">
  readonly components: ReadonlyArray<Component>
  readonly total: number
}

const versionColumns = (org: string): ReadonlyArray<Column<Component>> => [
  {
    name: "version",
    title: "Version",
    isHeader: true,
    cell: ({ purl, version }) =>
      version === null ? (
        <span class="quiet">no version</span>
      ) : (
        <ComponentLink org={org} purl={purl} text={version} />
      )
  },
  ...usageColumns(org)
]

const Versions = ({ route, components, total }: Shown) => (
  <section class="block">
    <h2>Versions</h2>
    <VirtualTable
      caption="Versions"
      columns={versionColumns(route.params.org)}
      rows={components}
      keyOf={({ purl }) => purl}
      rowHeight={preferences.value.density === "compact" ? 28 : 36}
    />
    <Pager route={route} perPage={PER_PAGE} total={total} what="versions" />
  </section>
)

const Version = ({ org, component }: { readonly org: string; readonly component: Component }) => {
  const { artifacts, purl, running_in } = component
  return (
    <>
      <Facts
        facts={[
          [
            "All versions",
            <ComponentLink key="all" org={org} purl={packageOf(purl)} text={packageOf(purl)} />
          ],
          ["Artifacts", Shorten.count(artifacts)],
          [
            "Runs in",
            running_in.length === 0 ? (
              "no environment"
            ) : (
              <RunsIn key="running" org={org} environments={running_in} />
            )
          ]
        ]}
      />
      <WhereItRan
        org={org}
        subject={{ name: "purl", value: purl }}
        none="No environment has reported an artifact that contains it."
      />
    </>
  )
}

const Unknown = () => (
  <div class="note">
    <strong>No artifact is known to contain it</strong>
    <p>No accepted bill of materials lists this component, and no accepted scan names it.</p>
  </div>
)

const NoPackageUrl = ({ problem }: { readonly problem: string }) => (
  <div class="note" role="alert">
    <strong>This is not a package URL</strong>
    <p>
      <RevealedText text={problem} />
    </p>
  </div>
)

/** Why the server refuses the package URL; undefined if it does not. */
const refusalOf = (state: QueryState<unknown>): string | undefined =>
  state._tag === "Failed" && state.problem.kind === "invalid"
    ? state.problem.errors.get("query.purl")
    : undefined

const About = ({ org, purl }: { readonly org: string; readonly purl: string }) => (
  <p class="whole-fingerprint">
    <span class="fingerprint">
      <code>
        <RevealedText text={purl} />
      </code>
      <CopyButton text={purl} what="package URL" />
    </span>{" "}
    <WhereLink org={org} subject={{ name: "purl", value: purl }} />
  </p>
)

const Found = ({ route, components, total }: Shown) => {
  const { org, purl } = route.params
  const { items, damaged } = Damaged.readable(components)
  if (total === 0) return <Unknown />
  return (
    <>
      <DamagedNote count={damaged} />
      {isVersioned(purl) ? (
        items.map((component) => <Version key={component.purl} org={org} component={component} />)
      ) : (
        <Versions route={route} components={items} total={total} />
      )}
    </>
  )
}

const nameOf = (purl: string, component: Component | undefined): string => {
  if (component === undefined) return short(purl)
  const { name, version } = component
  return isVersioned(purl) && version !== null ? `${name} ${version}` : name
}

export const ComponentPage = ({ route }: PageProps<Route.RouteOf<"Component">>) => {
  const { org, purl } = route.params
  const params = { org, query: { purl, page: pageOf(route), per_page: PER_PAGE } }
  const state = useQuery("component.list", params)
  const [first] = Damaged.readable(knownOf(state)?.value.components ?? []).items
  const refusal = refusalOf(state)
  const name = nameOf(purl, first)
  return (
    <Page name={name} org={org} heading={<RevealedText text={Shorten.middle(name, 96)} />}>
      {refusal === undefined ? (
        <>
          <About org={org} purl={purl} />
          <QueryView
            state={state}
            retry={() => void cache.refresh(callOf("component.list", params).path)}
          >
            {({ components, total_count }) => (
              <Found route={route} components={components} total={total_count} />
            )}
          </QueryView>
        </>
      ) : (
        <NoPackageUrl problem={refusal} />
      )}
    </Page>
  )
}
