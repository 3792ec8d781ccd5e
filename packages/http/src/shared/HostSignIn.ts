/** How the host of an embedded Attestry says who has sent a request: a person whom the host has signed in. */
import type { HostActor } from "@attestry/core/HostActor"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Option from "effect/Option"
import type { IncomingRequest } from "./HttpMessage.js"

/** Who has sent a request without credentials of ours; none for a person whom the host does not know. */
export type FindActor = (
  request: Pick<IncomingRequest, "method" | "url" | "headers" | "remoteAddress">
) => Effect.Effect<Option.Option<HostActor>, unknown>

/** The header of writes of people whom the host has signed in. WHY: a page of another site cannot send it. */
export const WRITE_HEADER = "X-Attestry-Request"

/** The sign-in of the host; undefined by default, where it has none. */
export class HostSignIn extends Context.Reference<HostSignIn>()("@attestry/http/HostSignIn", {
  defaultValue: (): FindActor | undefined => undefined
}) {}
