/** Port: the versions of the templates of flows and of single trails; append-only. */
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { OrgId, TemplateId } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { TemplateVersion } from "./TemplateVersion.js"

/** Port: the versions of templates. */
export class TemplateVersionStore extends Context.Tag("@attestry/core/TemplateVersionStore")<
  TemplateVersionStore,
  {
    /** Adds a version under a fresh id. */
    readonly append: (version: TemplateVersion) => Effect.Effect<void, StoreError>
    /** The version of that id; none when there is none. */
    readonly find: (
      org: OrgId,
      id: TemplateId
    ) => Effect.Effect<Option.Option<TemplateVersion>, StoreError>
  }
>() {}
