/**
 * An operation of the library's client that is derived when it is first called, and once. Deriving the whole contract
 * costs the start of every program more than one call.
 */
import type { GroupName } from "@attestry/api/WireAnswer"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type * as HttpClient from "@effect/platform/HttpClient"
import * as Effect from "effect/Effect"
import * as SendableApi from "./SendableApi.js"
import * as Translation from "./Translation.js"

/** The parts that the operations of one client share. */
export interface DerivedClient {
  readonly httpClient: HttpClient.HttpClient.With<Translation.DerivedError>
  readonly baseUrl: string
}

const derive = (
  name: string,
  { httpClient, baseUrl }: DerivedClient
): Effect.Effect<Translation.DerivedCall> => {
  const [group = "", endpoint = ""] = name.split(".")
  const derived = HttpApiClient.endpoint(SendableApi.only(group, endpoint), {
    // WHY: the library asks for names as literals, and those of the index are the contract's.
    group: group as GroupName,
    endpoint: endpoint as never,
    httpClient,
    baseUrl,
    transformResponse: Effect.mapError(Translation.undecodable)
  })
  // WHY: a name that is not a literal does not determine the type of the call.
  return Effect.map(derived, (call: unknown) => call as Translation.DerivedCall)
}

/** The operation of a name such as `flow.put`. */
export const lazy = (name: string, client: DerivedClient): Translation.DerivedCall => {
  const derived: Array<Translation.DerivedCall> = []
  const call = Effect.suspend(() => {
    const [known] = derived
    return known === undefined
      ? Effect.tap(derive(name, client), (made) => Effect.sync(() => derived.push(made)))
      : Effect.succeed(known)
  })
  return (request) => Effect.flatMap(call, (made) => made(request))
}
