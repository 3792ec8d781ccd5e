/** Reads components: where a package is contained, and what an artifact contains. */
import * as Effect from "effect/Effect"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import type { OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { type ComponentQuery, ComponentStore } from "./ComponentStore.js"

/** Use cases of components. */
export class Components extends Effect.Service<Components>()("@attestry/core/Components", {
  effect: Effect.gen(function* () {
    const store = yield* ComponentStore

    /** One page of the components that pass the query, in ascending order of name, type and purl. */
    const list = Effect.fn("Components.list")(function* (
      org: OrgName,
      query: ComponentQuery,
      page: Page
    ) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      return yield* store.list(orgId, query, page)
    })

    return { list } as const
  })
}) {}
