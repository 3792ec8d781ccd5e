/** Versions of templates of `FlowStore` in memory. */
import type { FlowStore } from "@attestry/core/FlowStore"
import type { TemplateVersion } from "@attestry/core/TemplateVersion"
import * as Effect from "effect/Effect"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** The versions; histories read them. */
export const versions = table<TemplateVersion>("template_version")

/** Versions of templates of `FlowStore` in memory. */
export const make: Effect.Effect<
  Pick<FlowStore["Type"], "appendTemplate" | "findTemplate">,
  never,
  MemoryState
> = Effect.map(MemoryRows.make(versions), (rows) => ({
  appendTemplate: (version) => rows.set(key(version.org_id, version.id), version),
  findTemplate: (org, id) => rows.find(key(org, id))
}))
