/** Begins and updates trails. SPEC §4.7 */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import type { Flow } from "../flow/Flow.js"
import { Flows } from "../flow/Flows.js"
import { Journals } from "../journal/Journals.js"
import { type FlowName, type OrgName, TrailId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as PutOutcome from "../shared/PutOutcome.js"
import { Transaction } from "../shared/Transaction.js"
import * as Trail from "./Trail.js"
import { TrailStore } from "./TrailStore.js"

/** Use cases of trails. */
export class Trails extends Effect.Service<Trails>()("@attestry/core/Trails", {
  effect: Effect.gen(function* () {
    const store = yield* TrailStore
    const flows = yield* Flows
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator

    const insert = (writer: Writer.Writer, trail: Trail.Trail) =>
      Effect.tap(store.insert(trail), (created) =>
        created
          ? journals.record({
              ...writer,
              kind: "trail_reported",
              subject: { type: "trail", id: trail.id },
              content: trail
            })
          : Effect.void
      )

    const update = (writer: Writer.Writer, draft: Trail.TrailDraft) => (current: Trail.Trail) => {
      const changes = Trail.changes(current, draft)
      if (changes.length === 0) return Effect.succeed("unchanged" as const)
      const next: Trail.Trail = { ...current, ...draft, last_modified_at: writer.at }
      return store.update(next).pipe(
        Effect.zipRight(
          journals.record({
            ...writer,
            kind: "trail_updated",
            subject: { type: "trail", id: next.id },
            content: { changes, trail: next }
          })
        ),
        Effect.as("updated" as const)
      )
    }

    const fresh = (writer: Writer.Writer, flow: Flow, draft: Trail.TrailDraft) =>
      Effect.map(
        ids.next,
        (id): Trail.Trail => ({
          org_id: writer.org,
          id: TrailId.make(id),
          flow_id: flow.id,
          ...Trail.unsaid,
          ...draft,
          created_by: writer.actor.name,
          created_at: writer.at,
          last_modified_at: writer.at
        })
      )

    const lock = (writer: Writer.Writer, flow: Flow, draft: Trail.TrailDraft) =>
      store.lockByName({ org: writer.org, flow: flow.id, name: draft.name })

    /**
     * Begins the trail, or updates what the draft says of it; a flow that is not there is created.
     * Identical concurrent calls all succeed. DECISION A-34
     */
    const begin = Effect.fn("Trails.begin")(function* (
      org: OrgName,
      flowName: FlowName,
      draft: Trail.TrailDraft
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "trail.write")
      return yield* transaction.run(granted.orgId, ({ now }) =>
        Effect.gen(function* () {
          const writer = Writer.make(granted, now)
          const flow = yield* flows.ensure(writer, flowName)
          const trail = yield* fresh(writer, flow, draft)
          return yield* PutOutcome.put({
            find: lock(writer, flow, draft),
            insert: insert(writer, trail),
            update: update(writer, draft)
          })
        })
      )
    })

    /**
     * For use cases that write below a trail, inside their transaction: the trail of that name, created
     * where there is none, and kept from other writers until the transaction ends.
     */
    const ensureLocked = (writer: Writer.Writer, flow: Flow, draft: Trail.TrailDraft) =>
      Effect.flatMap(fresh(writer, flow, draft), (trail) =>
        Effect.map(
          PutOutcome.getOrCreate(
            { find: lock(writer, flow, draft), insert: insert(writer, trail) },
            trail
          ),
          ([found]) => found
        )
      )

    return { begin, ensureLocked } as const
  })
}) {}
