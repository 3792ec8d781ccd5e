/** Serves the operation that reads an org. */
import { OrgApi } from "@attestry/api/OrgApi"
import { OrgViews } from "@attestry/core/OrgViews"
import * as Effect from "effect/Effect"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

/** Serves the operation that reads an org. */
export const OrgHandlers = group(
  OrgApi,
  Effect.map(OrgViews, (views) => ({
    get: ({ path }) =>
      views.get(path.org).pipe(
        toWire,
        Effect.map(({ name, created_at }) => ok({ name, created_at }))
      )
  }))
)
