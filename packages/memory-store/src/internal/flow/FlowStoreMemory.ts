/**
 * `FlowStore` in memory: flows by id, and the flow of each current or former name. A transaction is the only writer,
 * so a locked read is a plain one.
 */
import type { Artifact } from "@attestry/core/Artifact"
import * as CanonicalJson from "@attestry/core/CanonicalJson"
import type { Flow, FlowKey } from "@attestry/core/Flow"
import { type FlowActivity, type FlowQuery, FlowStore } from "@attestry/core/FlowStore"
import type { FlowId, OrgId } from "@attestry/core/Identifier"
import * as Page from "@attestry/core/Page"
import type { StoredEvaluation } from "@attestry/core/StoredEvaluation"
import * as Tags from "@attestry/core/Tags"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import { evaluations } from "../compliance/EvaluationsMemory.js"
import * as HistoryTables from "../history/HistoryTables.js"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, MemoryState, table } from "../shared/MemoryState.js"
import * as PlacedThings from "../space/PlacedThings.js"
import * as TemplateVersionsMemory from "./TemplateVersionsMemory.js"

/** The flows; other tables refer to them. */
export const flows = table<Flow>("flow")
const present = table<FlowId>("flow_name")
const former = table<FlowId>("flow_former_name")
// WHY declared here: the adapter of this table imports this module.
const artifacts = table<ReadonlyArray<Artifact>>("artifact")

const isFound = ({ name, tags: own }: Flow, { search, tags = [] }: FlowQuery): boolean => {
  if (!tags.every(({ key: tag, value }) => Tags.has(own, tag, value))) return false
  if (search === undefined) return true
  return search.caseSensitive
    ? name.includes(search.text)
    : name.toLowerCase().includes(search.text.toLowerCase())
}

const compare = <A>(left: A, right: A): number => (left < right ? -1 : left > right ? 1 : 0)

const inOrder =
  ({ sort, direction }: FlowQuery) =>
  (left: FlowActivity, right: FlowActivity): number => {
    const byName = compare(left.flow.name, right.flow.name)
    const order =
      sort === "name"
        ? byName
        : compare(left.latestActivityAt ?? -1, right.latestActivityAt ?? -1) || byName
    return direction === "asc" ? order : -order
  }

/** The last of each flow by a number. */
const lastOf = <A extends { readonly flow_id: FlowId }>(
  all: ReadonlyArray<A>,
  numberOf: (one: A) => number
): ReadonlyMap<FlowId, A> => {
  const last = new Map<FlowId, A>()
  for (const one of all) {
    const known = last.get(one.flow_id)
    if (known === undefined || numberOf(one) > numberOf(known)) last.set(one.flow_id, one)
  }
  return last
}

/** Facts about flows from other tables, each table read once for all of them. */
const activities = (
  stored: ReadonlyArray<StoredEvaluation>,
  reported: ReadonlyArray<Artifact>
): ((flow: Flow) => FlowActivity) => {
  const evaluated = lastOf(stored, ({ evaluated_at }) => evaluated_at)
  const newest = lastOf(reported, ({ sequence }) => sequence)
  return (flow) => {
    const latest = evaluated.get(flow.id)
    return {
      flow,
      latestActivityAt: latest?.evaluated_at ?? null,
      latestState: latest?.trail.status ?? null,
      repoUrl: newest.get(flow.id)?.report.repo_url ?? ""
    }
  }
}

const names = Effect.gen(function* () {
  const state = yield* MemoryState
  const rows = yield* MemoryRows.make(flows)
  const now = yield* MemoryRows.make(present)
  const before = yield* MemoryRows.make(former)
  const byId = (org: OrgId, id: FlowId) => rows.find(key(org, id))
  const meant = (names: MemoryRows.MemoryRows<FlowId>, { org, name }: FlowKey) =>
    Effect.flatMap(
      names.find(key(org, name)),
      Option.match({
        onNone: () => Effect.succeed(Option.none<Flow>()),
        onSome: (id) => byId(org, id)
      })
    )
  const release = (org: OrgId, name: string) =>
    state.modify(present, (all) => [undefined, HashMap.remove(all, key(org, name))])
  const forget = (keep: (id: FlowId, name: string) => boolean) =>
    state.modify(former, (all) => [undefined, HashMap.filter(all, keep)])
  return { rows, now, before, byId, meant, release, forget }
})

/** `FlowStore` in memory. */
export const layer: Layer.Layer<FlowStore, never, MemoryState> = Layer.effect(
  FlowStore,
  Effect.gen(function* () {
    const { rows, now, before, byId, meant, release, forget } = yield* names
    const stored = yield* MemoryRows.make(evaluations)
    const reported = yield* MemoryRows.make(artifacts)
    const state = yield* MemoryState
    const placed = yield* PlacedThings.make

    /** Keeps what a flow says now, where it says something else than before. */
    const version = (flow: Flow) =>
      Effect.gen(function* () {
        const at = key(flow.org_id, flow.id)
        const before = (yield* HistoryTables.listOf(state, HistoryTables.flowVersions, at)).at(-1)
        const { archived_at, id: flow_id, last_modified_at, name, tags, template_id } = flow
        const content = { flow_id, name, tags, template_id, archived_at }
        if (before !== undefined && CanonicalJson.equals({ ...before, ...content }, before)) return
        const known = yield* HistoryTables.draw(state, last_modified_at)
        yield* HistoryTables.change(state, HistoryTables.flowVersions, {
          at,
          next: (list) => [...list, { ...known, ...content }]
        })
      })

    return FlowStore.of({
      ...(yield* TemplateVersionsMemory.make),
      findByName: (flow) =>
        Effect.flatMap(meant(now, flow), (found) =>
          Option.isSome(found) ? Effect.succeed(found) : meant(before, flow)
        ),
      listByIds: (org, ids) =>
        Effect.map(rows.values, (all) =>
          all.filter((flow) => flow.org_id === org && ids.includes(flow.id))
        ),
      list: (org, query, page) =>
        Effect.gen(function* () {
          const all = (yield* stored.values).filter(({ org_id }) => org_id === org)
          const records = (yield* reported.values).flat().filter(({ org_id }) => org_id === org)
          const isPlaced = yield* placed(org, "flow", query.within)
          const found = (yield* rows.values)
            .filter((flow) => flow.org_id === org && flow.archived_at === null)
            .filter(({ id }) => isPlaced(id))
            .filter((flow) => isFound(flow, query))
            .map(activities(all, records))
            .sort(inOrder(query))
          return Option.match(page, {
            onNone: () => ({ items: found, total: found.length }),
            onSome: (asked) => Page.slice(found, asked)
          })
        }),
      lock: (flow) => ("id" in flow ? byId(flow.org, flow.id) : meant(now, flow)),
      insert: (flow) =>
        Effect.gen(function* () {
          const { org_id, id, name } = flow
          if (!(yield* now.insert(key(org_id, name), id))) return false
          yield* rows.set(key(org_id, id), flow)
          yield* version(flow)
          yield* forget((_, old) => old !== key(org_id, name))
          return true
        }),
      update: (flow) =>
        Effect.zipRight(rows.replace(key(flow.org_id, flow.id), flow), version(flow)),
      rename: ({ org_id, id, name }, next, keepOld) =>
        Effect.gen(function* () {
          if (!(yield* now.insert(key(org_id, next), id))) return false
          yield* release(org_id, name)
          yield* forget((of, old) => old !== key(org_id, next) && (keepOld || of !== id))
          if (keepOld) yield* before.set(key(org_id, name), id)
          return true
        })
    })
  })
)
