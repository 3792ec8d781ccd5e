/** Serves the operation that tags things. */
import { Controls } from "@attestry/core/Controls"
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Flows } from "@attestry/core/Flows"
import { ControlIdentifier, FlowName, type OrgName } from "@attestry/core/Identifier"
import { Repos } from "@attestry/core/Repos"
import type { TagChange } from "@attestry/core/Tags"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { ok } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import { type BadRequest, type HttpError, invalid, NotFound } from "../shared/HttpError.js"
import { toWire } from "../shared/WireErrors.js"
import { TagApi } from "./TagApi.js"

/** A path name that breaks its pattern is 400, as on every other route. DECISION A-28 */
const named =
  <A>(schema: Schema.Schema<A, string>) =>
  (text: string): Either.Either<A, BadRequest> =>
    Either.mapLeft(ParseResult.decodeUnknownEither(schema)(text), (issue) =>
      invalid({ resource_id: Object.values(FieldErrors.fromParseIssue(issue))[0] ?? "" })
    )

const flowName = named(FlowName)
const controlIdentifier = named(ControlIdentifier)

/** WHY: clients know this message with the quotes that it has only here. */
const quoted = (error: HttpError): HttpError =>
  error._tag === "NotFound"
    ? new NotFound({ message: JSON.stringify(error.message.replace(" org '", " organization '")) })
    : error

/** Serves the operation that tags things. */
export const TagHandlers = group(
  TagApi,
  Effect.gen(function* () {
    const flows = yield* Flows
    const controls = yield* Controls
    const repos = yield* Repos
    const tagFlow = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(flowName(id), (name) => toWire(flows.tag(org, name, change)))
    const tagControl = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(controlIdentifier(id), (control) =>
        Effect.mapError(toWire(controls.tag({ org, control }, change)), quoted)
      )
    const tagRepo = (org: OrgName, id: string, change: TagChange) =>
      toWire(repos.tag(org, id, change))
    const changes = {
      flow: tagFlow,
      flows: tagFlow,
      control: tagControl,
      controls: tagControl,
      repo: tagRepo,
      repos: tagRepo
    }
    return {
      change: ({ path, payload }) => {
        const change = { set: payload.set_tags ?? {}, remove: payload.remove_tags ?? [] }
        const { org, resource_type, resource_id } = path
        return Effect.as(changes[resource_type](org, resource_id, change), ok("OK" as const))
      }
    }
  })
)
