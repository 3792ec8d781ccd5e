/** Serves the operation that tags things. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Flows } from "@attestry/core/Flows"
import { FlowName, type OrgName } from "@attestry/core/Identifier"
import { Repos } from "@attestry/core/Repos"
import type { TagChange } from "@attestry/core/Tags"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import { invalid } from "../shared/HttpError.js"
import { toWire } from "../shared/WireErrors.js"
import { TagApi } from "./TagApi.js"

/** A path name that breaks its pattern is 400, as on every other route. DECISION A-28 */
const flowName = (text: string) =>
  Either.mapLeft(ParseResult.decodeUnknownEither(FlowName)(text), (issue) =>
    invalid({ resource_id: Object.values(FieldErrors.fromParseIssue(issue))[0] ?? "" })
  )

/** Serves the operation that tags things. */
export const TagHandlers = group(
  TagApi,
  Effect.gen(function* () {
    const flows = yield* Flows
    const repos = yield* Repos
    const tagFlow = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(flowName(id), (name) => toWire(flows.tag(org, name, change)))
    return {
      change: ({ path, payload }) => {
        const change = { set: payload.set_tags ?? {}, remove: payload.remove_tags ?? [] }
        const { org, resource_type, resource_id } = path
        const changed =
          resource_type === "flow" || resource_type === "flows"
            ? tagFlow(org, resource_id, change)
            : toWire(repos.tag(org, resource_id, change))
        return Effect.as(changed, ok("OK" as const))
      }
    }
  })
)
