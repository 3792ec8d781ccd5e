/**
 * The handlers of a group, one for each endpoint of its contract.
 *
 * A handler calls one use case and translates its failures; an endpoint without a handler, and a failure
 * that is not translated, do not compile.
 */
import type { Actor, CurrentActor } from "@attestry/core/Actor"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { HttpError } from "../HttpError.js"
import type { IncomingRequest, Reply, StreamedReply } from "../HttpMessage.js"
import type { UploadedFile } from "./Upload.js"

type Endpoints<Group> = HttpApiGroup.HttpApiGroup.Endpoints<Group>
type Named<Group, Name extends string> = HttpApiEndpoint.HttpApiEndpoint.WithName<
  Endpoints<Group>,
  Name
>

/** What a handler is given: the decoded parts of the request, and the request itself. */
export type HandlerRequest<Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any> = Omit<
  HttpApiEndpoint.HttpApiEndpoint.Request<Endpoint>,
  "request"
> & {
  readonly incoming: IncomingRequest
  /** The files of a form; none for other bodies. */
  readonly files: ReadonlyArray<UploadedFile>
  /** Whose a key is that came in the body; a wrong one counts as any failed authentication does. */
  readonly authenticate: (key: Redacted.Redacted<string>) => Effect.Effect<Actor, HttpError>
}

/** One handler for each endpoint of a group. */
export type GroupHandlers<Group> = {
  readonly [Name in HttpApiEndpoint.HttpApiEndpoint.Name<Endpoints<Group>>]: (
    request: HandlerRequest<Named<Group, Name>>
  ) => Effect.Effect<
    Reply<HttpApiEndpoint.HttpApiEndpoint.Success<Named<Group, Name>>> | StreamedReply,
    HttpError,
    CurrentActor
  >
}

/** A handler as the dispatcher calls it: it has decoded the request by the same contract. */
export type AnyHandler = (
  request: object
) => Effect.Effect<Reply<unknown> | StreamedReply, HttpError, CurrentActor>

/** The handlers of a group under the group's name. */
export interface BoundGroup {
  readonly group: string
  readonly handlers: { readonly [endpoint: string]: AnyHandler }
}

/** Binds handlers to their group; what they need, the host owes. */
export const group = <Group extends HttpApiGroup.HttpApiGroup.Any, R>(
  contract: Group & { readonly identifier: string },
  build: Effect.Effect<GroupHandlers<Group>, never, R>
): Effect.Effect<BoundGroup, never, R> =>
  Effect.map(build, (handlers) => ({
    group: contract.identifier,
    // WHY: the dispatcher decodes by the schemas of this very contract before it calls a handler, which
    // the type of a table over all groups cannot say.
    handlers: handlers as unknown as BoundGroup["handlers"]
  }))
