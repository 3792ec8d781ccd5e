/** Reads components: where a package is contained, and what an artifact contains. */
import * as Effect from "effect/Effect"
import { Reaches } from "../access/Reaches.js"
import type { OrgName } from "../shared/Identifier.js"
import type { Page } from "../shared/Page.js"
import { type ComponentQuery, ComponentStore } from "./ComponentStore.js"

/** Use cases of components. */
export class Components extends Effect.Service<Components>()("@attestry/core/Components", {
  effect: Effect.gen(function* () {
    const store = yield* ComponentStore
    const reaches = yield* Reaches

    /** One page of the components that pass the query, in ascending order of name, type and purl. */
    const list = Effect.fn("Components.list")(function* (
      org: OrgName,
      query: ComponentQuery,
      page: Page
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const readable = {
        ...(yield* reaches.readableFlows(granted)),
        ...(yield* reaches.readableEnvironments(granted))
      }
      return yield* store.list(granted.orgId, { ...query, ...readable }, page)
    })

    return { list } as const
  })
}) {}
