/** Serves the operation that changes tags. */
import { type HttpError, invalid, NotFound } from "@attestry/api/HttpError"
import { type ResourceType, TagApi } from "@attestry/api/TagApi"
import type { CurrentActor } from "@attestry/core/Actor"
import { Controls } from "@attestry/core/Controls"
import { Environments } from "@attestry/core/Environments"
import * as FieldErrors from "@attestry/core/FieldErrors"
import { Flows } from "@attestry/core/Flows"
import {
  ControlIdentifier,
  EnvironmentName,
  FlowName,
  type OrgName
} from "@attestry/core/Identifier"
import { Repos } from "@attestry/core/Repos"
import type { TagChange } from "@attestry/core/Tags"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as ParseResult from "effect/ParseResult"
import type * as Schema from "effect/Schema"
import { ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"

interface TagPath {
  readonly org: OrgName
  readonly resource_type: typeof ResourceType.Type
  readonly resource_id: string
}

/** A name in the path that does not match its pattern is 400, as in every other operation. */
const nameOf =
  <A>(schema: Schema.Schema<A, string>) =>
  (text: string) =>
    Either.mapLeft(ParseResult.decodeUnknownEither(schema)(text), (issue) =>
      invalid({ resource_id: Object.values(FieldErrors.fromParseIssue(issue))[0] ?? "" })
    )

const flowName = nameOf(FlowName)
const environmentName = nameOf(EnvironmentName)
const controlIdentifier = nameOf(ControlIdentifier)

/** WHY: clients expect this message with quotes, which it has here alone. */
const quoted = (error: HttpError): HttpError =>
  error._tag === "NotFound"
    ? new NotFound({ message: JSON.stringify(error.message.replace(" org '", " organization '")) })
    : error

/** Serves the operation that changes tags. */
export const TagHandlers = group(
  TagApi,
  Effect.gen(function* () {
    const flows = yield* Flows
    const repos = yield* Repos
    const environments = yield* Environments
    const controls = yield* Controls
    const tagFlow = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(flowName(id), (name) => toWire(flows.tag(org, name, change)))
    const tagEnvironment = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(environmentName(id), (name) => toWire(environments.tag(org, name, change)))
    const tagControl = (org: OrgName, id: string, change: TagChange) =>
      Effect.flatMap(controlIdentifier(id), (control) =>
        Effect.mapError(toWire(controls.tag({ org, control }, change)), quoted)
      )
    const tag = (
      { org, resource_type, resource_id }: TagPath,
      change: TagChange
    ): Effect.Effect<unknown, HttpError, CurrentActor> => {
      switch (resource_type) {
        case "flow":
        case "flows":
          return tagFlow(org, resource_id, change)
        case "env":
        case "environment":
        case "environments":
          return tagEnvironment(org, resource_id, change)
        case "control":
        case "controls":
          return tagControl(org, resource_id, change)
        case "repo":
        case "repos":
          return toWire(repos.tag(org, resource_id, change))
      }
    }
    return {
      change: ({ path, payload }) =>
        Effect.as(
          tag(path, { set: payload.set_tags ?? {}, remove: payload.remove_tags ?? [] }),
          ok("OK" as const)
        )
    }
  })
)
