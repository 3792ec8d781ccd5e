/** Port: the approvals of an org; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { FlowId, OrgId } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Approval } from "./Approval.js"

/** Port: the approvals of an org. */
export class ApprovalStore extends Context.Tag("@attestry/core/ApprovalStore")<
  ApprovalStore,
  {
    /**
     * Adds an approval under the flow's next number, counting from 1, and returns it. The caller holds the
     * flow's lock.
     */
    readonly append: (approval: Omit<Approval, "number">) => Effect.Effect<Approval, StoreError>
    /** The approval of that number in the flow; none when there is none. */
    readonly find: (key: {
      readonly org: OrgId
      readonly flow: FlowId
      readonly number: number
    }) => Effect.Effect<Option.Option<Approval>, StoreError>
    /** One page of the approvals of a flow, newest first. */
    readonly list: (
      key: { readonly org: OrgId; readonly flow: FlowId },
      page: Page
    ) => Effect.Effect<ReadonlyArray<Approval>, StoreError>
  }
>() {}
