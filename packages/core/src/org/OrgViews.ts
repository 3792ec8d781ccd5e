/** Reads an org. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { OrgName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import { OrgStore } from "./OrgStore.js"

/** Use cases of reading orgs. */
export class OrgViews extends Effect.Service<OrgViews>()("@attestry/core/OrgViews", {
  effect: Effect.map(OrgStore, (store) => {
    /** The org of that name, for any member. */
    const get = Effect.fn("OrgViews.get")(function* (name: OrgName) {
      const { orgId } = yield* Access.authorizeMember(yield* CurrentActor, name)
      const found = yield* store.find({ id: orgId })
      // INVARIANT: an actor is a member of orgs that exist, and orgs are not deleted.
      return Option.isSome(found)
        ? found.value
        : yield* new StoreError({
            operation: "OrgViews.get",
            cause: new Error("the org is missing")
          })
    })

    return { get } as const
  })
}) {}
