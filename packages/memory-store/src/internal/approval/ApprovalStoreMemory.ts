/** `ApprovalStore` in memory: the approvals of each flow, in order of their numbers. */
import type { Approval } from "@attestry/core/Approval"
import { ApprovalStore } from "@attestry/core/ApprovalStore"
import * as Page from "@attestry/core/Page"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

const approvals = table<ReadonlyArray<Approval>>("approval")

/** `ApprovalStore` in memory. */
export const layer: Layer.Layer<ApprovalStore, never, MemoryState> = Layer.effect(
  ApprovalStore,
  Effect.map(MemoryRows.make(approvals), (rows) => {
    const ofFlow = (org: string, flow: string) =>
      Effect.map(
        rows.find(key(org, flow)),
        Option.getOrElse((): ReadonlyArray<Approval> => [])
      )
    return ApprovalStore.of({
      append: (draft) =>
        Effect.gen(function* () {
          const before = yield* ofFlow(draft.org_id, draft.flow_id)
          const approval: Approval = { ...draft, number: before.length + 1 }
          yield* rows.set(key(draft.org_id, draft.flow_id), [...before, approval])
          return approval
        }),
      find: ({ org, flow, number }) =>
        Effect.map(ofFlow(org, flow), (all) => Option.fromNullable(all[number - 1])),
      list: ({ org, flow }, page) =>
        Effect.map(ofFlow(org, flow), (all) => Page.slice([...all].reverse(), page).items)
    })
  })
)
