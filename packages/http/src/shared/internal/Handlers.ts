/**
 * The handlers of a group, one for each endpoint of its contract.
 *
 * A handler calls one use case and translates its errors. An endpoint without a handler and an error that is not
 * translated do not compile.
 */
import type { HttpError } from "@attestry/api/HttpError"
import type { Actor, CurrentActor } from "@attestry/core/Actor"
import type * as HttpApiEndpoint from "@effect/platform/HttpApiEndpoint"
import type * as HttpApiGroup from "@effect/platform/HttpApiGroup"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import type { IncomingRequest, Reply, StreamedReply } from "../HttpMessage.js"
import type { UploadedFile } from "./Upload.js"

type Endpoints<Group> = HttpApiGroup.HttpApiGroup.Endpoints<Group>
type Named<Group, Name extends string> = HttpApiEndpoint.HttpApiEndpoint.WithName<
  Endpoints<Group>,
  Name
>

/** The argument of a handler: the decoded parts of the request, and the request itself. */
export type HandlerRequest<Endpoint extends HttpApiEndpoint.HttpApiEndpoint.Any> = Omit<
  HttpApiEndpoint.HttpApiEndpoint.Request<Endpoint>,
  "request"
> & {
  readonly incoming: IncomingRequest
  /** The files of a form; none for other bodies. */
  readonly files: ReadonlyArray<UploadedFile>
  /** The actor of a key in the body; a wrong key counts as a failed authentication. */
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

/** A handler as the dispatcher calls it, after it has decoded the request by the same contract. */
export type AnyHandler = (
  request: object
) => Effect.Effect<Reply<unknown> | StreamedReply, HttpError, CurrentActor>

/** The handlers of a group under the group's name. */
export interface BoundGroup {
  readonly group: string
  readonly handlers: { readonly [endpoint: string]: AnyHandler }
}

/** Binds handlers to their group; the host provides the services that they require. */
export const group = <Group extends HttpApiGroup.HttpApiGroup.Any, R>(
  contract: Group & { readonly identifier: string },
  build: Effect.Effect<GroupHandlers<Group>, never, R>
): Effect.Effect<BoundGroup, never, R> =>
  Effect.map(build, (handlers) => ({
    group: contract.identifier,
    // WHY: the type of a table over all groups cannot express that the dispatcher decodes each request by the
    // schemas of this contract before it calls the handler.
    handlers: handlers as unknown as BoundGroup["handlers"]
  }))
