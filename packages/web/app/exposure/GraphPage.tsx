/** The connections of a resource: a drawing in rings, and tables with the same content. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { useId, useRef } from "preact/hooks"
import type { PageProps } from "../pages.js"
import { callOf } from "../shared/Api.js"
import type { GraphAnswer } from "../shared/Contract.js"
import { ChoiceFilter } from "../shared/Filters.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { GraphDrawing } from "./GraphDrawing.js"
import { GraphTables } from "./GraphTables.js"
import { LEFT_OUT, parseRoot, rootOf } from "./GraphWords.js"

type GraphRoute = Route.RouteOf<"Graph">

const FORMS =
  "a fingerprint, a commit, trail:FLOW/TRAIL, attestation:ID, environment:NAME, policy:NAME or control:ID"

/** The form that asks for the root. */
const Ask = ({ org, root }: { readonly org: string; readonly root: string | undefined }) => {
  const field = useRef<HTMLInputElement>(null)
  const isRefused = useSignal(false)
  const id = useId()
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    const asked = parseRoot(field.current?.value ?? "")
    isRefused.value = asked === undefined
    if (asked === undefined) field.current?.focus()
    else Navigation.go(Route.make("Graph", { org }, { root: asked }))
  }
  return (
    <form onSubmit={submit} noValidate>
      <div class="exposure-ask">
        <input
          ref={field}
          key={root}
          type="search"
          data-filter
          aria-label="Graph around"
          aria-describedby={id}
          aria-invalid={isRefused.value}
          defaultValue={root ?? ""}
          autocomplete="off"
          spellcheck={false}
        />
        <button type="submit" class="button button-main">
          Show
        </button>
      </div>
      <p id={id} class={isRefused.value ? "field-problem" : "field-hint exposure-hint"}>
        {isRefused.value ? `Give ${FORMS}.` : FORMS}
      </p>
    </form>
  )
}

const DEPTHS = [
  ["1", "1 step away"],
  ["3", "3 steps away"],
  ["4", "4 steps away"]
] as const

const LIMITS = [
  ["50", "50 things"],
  ["100", "100 things"],
  ["500", "500 things"]
] as const

const oneOf = (
  options: ReadonlyArray<readonly [value: string, text: string]>,
  value: string | undefined
): string | undefined => options.find(([each]) => each === value)?.[0]

const LeftOut = ({ graph: { nodes, truncated } }: { readonly graph: GraphAnswer }) => {
  if (truncated.length === 0) return null
  const labels = new Map(nodes.map(({ id, label, type }) => [id, `${type} ${label}`]))
  return (
    <div class="note">
      <strong>Not everything is shown</strong>
      <ul>
        {truncated.slice(0, 10).map(({ edge_type, more, node }) => (
          <li key={`${edge_type} ${node}`}>
            {Shorten.count(more)} more {LEFT_OUT[edge_type]} of{" "}
            <RevealedText text={Shorten.middle(labels.get(node) ?? node, 64)} />
          </li>
        ))}
        {truncated.length > 10 ? <li>and so at {truncated.length - 10} other things</li> : null}
      </ul>
    </div>
  )
}

const plural = (count: number, word: string): string =>
  `${Shorten.count(count)} ${word}${count === 1 ? "" : "s"}`

const Answer = ({ route, root }: { readonly route: GraphRoute; readonly root: string }) => {
  const { org } = route.params
  const depth = oneOf(DEPTHS, Route.parameter(route, "depth"))
  const limit = oneOf(LIMITS, Route.parameter(route, "limit"))
  const params = { org, query: { root, depth, limit } }
  const state = useQuery("graph.get", params)
  return (
    <>
      <search class="filters">
        <ChoiceFilter
          route={route}
          name="depth"
          label="How far"
          any="2 steps away"
          options={DEPTHS}
        />
        <ChoiceFilter
          route={route}
          name="limit"
          label="How many"
          any="at most 200 things"
          options={LIMITS}
        />
      </search>
      <QueryView state={state} retry={() => void cache.refresh(callOf("graph.get", params).path)}>
        {(graph) => (
          <>
            <p class="graph-total">
              {plural(graph.nodes.length, "thing")}, {plural(graph.edges.length, "connection")}
              {graph.edges.some(({ until }) => until !== undefined)
                ? "; dashed lines have ended"
                : ""}
            </p>
            <GraphDrawing graph={graph} />
            <LeftOut graph={graph} />
            <GraphTables route={route} graph={graph} />
          </>
        )}
      </QueryView>
    </>
  )
}

export const GraphPage = ({ route }: PageProps<GraphRoute>) => {
  const { org } = route.params
  const root = rootOf(route)
  return (
    <Page name="Graph" org={org}>
      <Ask org={org} root={root} />
      {root === undefined ? (
        <p class="quiet">What something is connected with, and what that is connected with.</p>
      ) : (
        <Answer route={route} root={root} />
      )}
    </Page>
  )
}
