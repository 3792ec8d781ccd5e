/** Creates, replaces, finds, renames, tags and archives flows. SPEC §4.12 */

import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as WriteContext from "../access/internal/WriteContext.js"
import { type GrantedWithin, Reaches, readableWithin } from "../access/Reaches.js"
import { Journals } from "../journal/Journals.js"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { FlowId, type FlowName, type OrgName, TemplateId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Invalidation } from "../shared/Invalidation.js"
import type { Page } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Tags from "../shared/Tags.js"
import { Transaction } from "../shared/Transaction.js"
import * as Upsert from "../shared/Upsert.js"
import type { WriteOutcome } from "../shared/WriteOutcome.js"
import { Placements } from "../space/Placements.js"
import * as Flow from "./Flow.js"
import { type FlowQuery, FlowStore } from "./FlowStore.js"
import * as FlowTemplate from "./FlowTemplate.js"
import * as ReadableFlows from "./internal/ReadableFlows.js"

/** The spaces, by id, of which a list shows what is in them and below them. */
export interface InSpaces {
  readonly spaces?: ReadonlyArray<string>
}

/** Use cases of flows. */
export class Flows extends Effect.Service<Flows>()("@attestry/core/Flows", {
  effect: Effect.gen(function* () {
    const store = yield* FlowStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator
    const invalidation = yield* Invalidation
    const reaches = yield* Reaches
    const placements = yield* Placements
    const readable = yield* ReadableFlows.make

    const record = (writer: WriteContext.WriteContext, kind: string, flow: Flow.Flow) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "flow", id: flow.id },
        content: flow
      })

    const tell = (flow: Flow.Flow, result: WriteOutcome["result"]) =>
      CurrentOutcome.setOutcomeOf("flow", flow, result)

    const appendVersion = ({ org_id, template_id, template, last_modified_at }: Flow.Flow) =>
      store.appendTemplate({
        org_id,
        id: template_id,
        content: template,
        created_at: last_modified_at
      })

    /** Puts a new flow in its space; `asked` is the path that the caller names. */
    const insert = (
      granted: GrantedWithin,
      writer: WriteContext.WriteContext,
      { asked, flow }: { readonly flow: Flow.Flow; readonly asked?: string | undefined }
    ) =>
      Effect.gen(function* () {
        const { id, name } = flow
        const space = yield* placements.choose(granted, { kind: "flow", name, space: asked })
        const created = yield* store.insert(flow)
        if (!created) return false
        yield* appendVersion(flow)
        yield* record(writer, "flow_created", flow)
        yield* placements.put(writer, { kind: "flow", id, name }, space)
        return true
      })

    const update =
      (granted: GrantedWithin, writer: WriteContext.WriteContext, draft: Flow.FlowDraft) =>
      (current: Flow.Flow) =>
        Effect.gen(function* () {
          yield* reaches.permitTaken(granted, { kind: "flow", id: current.id })
          const version = TemplateId.make(yield* ids.next)
          const next = Flow.revise(current, draft, { at: writer.at, version })
          const isSame = Flow.sameContent(current, next)
          yield* tell(current, isSame ? "unchanged" : "updated")
          if (isSame) return "unchanged" as const
          yield* store.update(next)
          if (next.template_id === version) yield* appendVersion(next)
          yield* record(writer, "flow_updated", next)
          return "updated" as const
        })

    const fresh = (writer: WriteContext.WriteContext, draft: Flow.FlowDraft) =>
      Effect.map(
        Effect.all([ids.next, ids.next]),
        ([id, version]): Flow.Flow => ({
          org_id: writer.org,
          id: FlowId.make(id),
          name: draft.name,
          description: draft.description,
          visibility: draft.visibility ?? "private",
          template: draft.template ?? Flow.EMPTY_TEMPLATE,
          template_id: TemplateId.make(version),
          tags: {},
          archived_at: null,
          created_at: writer.at,
          last_modified_at: writer.at
        })
      )

    /** Creates or updates the flow; identical concurrent calls all succeed. */
    const put = Effect.fn("Flows.put")(function* (org: OrgName, draft: Flow.FlowDraft) {
      const granted = yield* reaches.authorize(org, "flow.write")
      if (draft.template !== undefined) yield* FlowTemplate.parse(draft.template)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.flatMap(scope.now, (now) => {
          const writer = WriteContext.make(granted, now)
          return Upsert.put({
            find: store.lock({ org: writer.org, name: draft.name }),
            insert: Effect.flatMap(fresh(writer, draft), (flow) =>
              Effect.zipLeft(
                insert(granted, writer, { flow, asked: draft.space }),
                tell(flow, "created")
              )
            ),
            update: update(granted, writer, draft)
          })
        })
      )
    })

    /** The flow of that name; fails when there is none. */
    const get = Effect.fn("Flows.get")(function* (org: OrgName, flow: FlowName) {
      return yield* readable.find(yield* reaches.authorize(org, "org.read"), flow)
    })

    /**
     * The flow of that name, if the permission reaches it; created empty and private where it is absent. For use cases
     * that write below a flow, inside their transaction.
     */
    const ensure = (granted: GrantedWithin, writer: WriteContext.WriteContext, name: FlowName) =>
      Effect.flatMap(fresh(writer, { name, description: "" }), (flow) =>
        Upsert.getOrCreate(
          {
            find: Effect.tap(store.findByName({ org: writer.org, name }), (found) =>
              Option.isSome(found)
                ? reaches.permitTaken(granted, { kind: "flow", id: found.value.id })
                : Effect.void
            ),
            insert: insert(granted, writer, { flow })
          },
          flow
        ).pipe(Effect.map(([found]) => found))
      )

    /** One page of the active flows, or all of them. */
    const list = Effect.fn("Flows.list")(function* (
      org: OrgName,
      { spaces, ...query }: FlowQuery & InSpaces,
      page: Option.Option<Page>
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const readableThere = yield* reaches.narrowed(granted, spaces)
      const listed = { ...query, ...readableWithin({ readable: readableThere }) }
      return yield* store.list(granted.orgId, listed, page)
    })

    /** Runs a change on the locked flow of a current or former name. */
    const change = <A, E>(
      granted: GrantedWithin,
      name: FlowName,
      work: (writer: WriteContext.WriteContext, flow: Flow.Flow) => Effect.Effect<A, E | StoreError>
    ) =>
      transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const notFound = () => new Flow.FlowNotFound({ org: granted.org, flow: name })
          const found = yield* readable.find(granted, name)
          const flow = yield* Effect.flatMap(
            store.lock({ org: granted.orgId, id: found.id }),
            Either.fromOption(notFound)
          )
          // WHY again: a move may have passed between the two.
          yield* reaches.permit(granted, { kind: "flow", id: flow.id }, notFound)
          return yield* work(WriteContext.make(granted, now), flow)
        })
      )

    /** Archives the flow and frees its name; its contents stay. */
    const archive = Effect.fn("Flows.archive")(function* (org: OrgName, name: FlowName) {
      const granted = yield* reaches.authorize(org, "flow.write")
      return yield* change(granted, name, (writer, flow) =>
        Effect.gen(function* () {
          yield* tell(flow, flow.archived_at === null ? "archived" : "unchanged")
          if (flow.archived_at !== null) return
          const next: Flow.Flow = {
            ...flow,
            name: Flow.archivedName(flow, writer.at),
            archived_at: writer.at,
            last_modified_at: writer.at
          }
          // WHY: two flows of one name that are archived within a second would get the same new name.
          const isFree = yield* store.rename(flow, next.name, false)
          if (!isFree) return yield* new Flow.FlowNameTaken({ org, flow: next.name })
          yield* store.update(next)
          yield* invalidation.invalidateReaders(writer.org, flow.id, "flow.name")
          yield* record(writer, "flow_archived", next)
        })
      )
    })

    /** Renames the flow; the old name leads to it until another flow takes it. */
    const rename = Effect.fn("Flows.rename")(function* (
      org: OrgName,
      name: FlowName,
      newName: FlowName
    ) {
      const granted = yield* reaches.authorize(org, "flow.write")
      return yield* change(granted, name, (writer, flow) =>
        Effect.gen(function* () {
          yield* tell({ ...flow, name: newName }, flow.name === newName ? "unchanged" : "updated")
          if (flow.name === newName) return
          yield* placements.checkName(writer.org, { kind: "flow", id: flow.id }, newName)
          const next: Flow.Flow = { ...flow, name: newName, last_modified_at: writer.at }
          const isFree = yield* store.rename(flow, newName, true)
          if (!isFree) return yield* new Flow.FlowNameTaken({ org, flow: newName })
          yield* store.update(next)
          yield* invalidation.invalidateReaders(writer.org, flow.id, "flow.name")
          yield* record(writer, "flow_renamed", next)
        })
      )
    })

    /** Sets and removes tags of a flow. */
    const tag = Effect.fn("Flows.tag")(function* (
      org: OrgName,
      name: FlowName,
      tags: Tags.TagChange
    ) {
      const granted = yield* reaches.authorize(org, "tag.write")
      return yield* change(granted, name, (writer, flow) => {
        const next = { ...flow, tags: Tags.apply(flow.tags, tags), last_modified_at: writer.at }
        return CanonicalJson.equals(next.tags, flow.tags)
          ? tell(flow, "unchanged")
          : store
              .update(next)
              .pipe(
                Effect.zipRight(invalidation.invalidateReaders(writer.org, flow.id, "flow.tags")),
                Effect.zipRight(record(writer, "flow_tagged", next)),
                Effect.zipRight(tell(flow, "updated"))
              )
      })
    })

    return { put, get, ensure, list, archive, rename, tag } as const
  })
}) {}
