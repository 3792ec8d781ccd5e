/** `TemplateVersionStore` in memory. */
import type { TemplateVersion } from "@attestry/core/TemplateVersion"
import { TemplateVersionStore } from "@attestry/core/TemplateVersionStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { key, type MemoryState, table } from "../shared/MemoryState.js"

/** The versions; histories read them. */
export const versions = table<TemplateVersion>("template_version")

/** `TemplateVersionStore` in memory. */
export const layer: Layer.Layer<TemplateVersionStore, never, MemoryState> = Layer.effect(
  TemplateVersionStore,
  Effect.map(MemoryRows.make(versions), (rows) => ({
    append: (version) => rows.set(key(version.org_id, version.id), version),
    find: (org, id) => rows.find(key(org, id))
  }))
)
