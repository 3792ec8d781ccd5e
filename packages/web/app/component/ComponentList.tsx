/** A paged list of components with its search: those of the org, or those of an artifact. */
import type * as Route from "@attestry/web/Route"
import type { ComponentChildren } from "preact"
import { callOf } from "../shared/Api.js"
import type { Component, Components } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { NothingFits, TextFilter } from "../shared/Filters.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { usageColumns } from "./ComponentColumns.js"
import { ComponentLink } from "./ComponentLink.js"
import { SEARCH_CHARACTERS_MIN, searchOf } from "./ComponentSearch.js"
import { packageOf } from "./PackageUrl.js"

const columnsOf = (org: string): ReadonlyArray<Column<Component>> => [
  {
    name: "component",
    title: "Component",
    isHeader: true,
    cell: ({ name, purl }) => <ComponentLink org={org} purl={packageOf(purl)} text={name} />
  },
  {
    name: "version",
    title: "Version",
    cell: ({ purl, version }) =>
      version === null ? (
        <span class="quiet">–</span>
      ) : (
        <ComponentLink org={org} purl={purl} text={version} />
      )
  },
  { name: "type", title: "Type", cell: ({ type }) => <RevealedText text={type} /> },
  ...usageColumns(org)
]

export interface ListProps {
  readonly org: string
  readonly route: Route.Route
  /** Only components of this artifact. */
  readonly fingerprint?: string | undefined
  readonly perPage: number
  /**
   * Whether this is the list of the page: its search stays without components, and the key `/` moves the focus there.
   */
  readonly isMain?: boolean
  /** Shown before the search. */
  readonly lead?: ComponentChildren
  /** Shown beside the search. */
  readonly filters?: ComponentChildren
  /** What a filter must be before anything is asked; undefined if nothing is wrong. */
  readonly problem?: string | undefined
  /** Shown if there is no component and none was searched for. */
  readonly none: ComponentChildren
}

const TOO_SHORT = `Give at least ${SEARCH_CHARACTERS_MIN} characters of the beginning of a name.`

const Rows = ({ org, route, perPage, answer }: ListProps & { readonly answer: Components }) => {
  const { items, damaged } = Damaged.readable(answer.components)
  return (
    <>
      <DamagedNote count={damaged} />
      <VirtualTable
        caption="Components"
        columns={columnsOf(org)}
        rows={items}
        keyOf={({ purl }) => purl}
        rowHeight={preferences.value.density === "compact" ? 28 : 36}
      />
      <Pager route={route} perPage={perPage} total={answer.total_count} what="components" />
    </>
  )
}

export const ComponentList = (props: ListProps) => {
  const { org, route, fingerprint, perPage, isMain = false } = props
  const { text: search, isTooShort } = searchOf(route)
  const problem = props.problem ?? (isTooShort ? TOO_SHORT : undefined)
  const params = { org, query: { fingerprint, search, page: pageOf(route), per_page: perPage } }
  const state = useQuery("component.list", params, { skip: problem !== undefined })
  const isNone = search === undefined && knownOf(state)?.value.total_count === 0
  return (
    <>
      {isNone && !isMain ? null : (
        <>
          {props.lead}
          <search class="filters">
            <TextFilter route={route} name="q" label="Beginning of a name" isMain={isMain} />
            {props.filters}
          </search>
        </>
      )}
      {problem === undefined ? (
        <QueryView
          state={state}
          retry={() => void cache.refresh(callOf("component.list", params).path)}
        >
          {(answer) =>
            isNone ? (
              props.none
            ) : answer.total_count === 0 ? (
              <NothingFits what="component" names={["q"]} />
            ) : (
              <Rows {...props} answer={answer} />
            )
          }
        </QueryView>
      ) : (
        <p class="quiet">{problem}</p>
      )}
    </>
  )
}
