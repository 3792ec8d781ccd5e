/**
 * The API as Effects: `client.flow.put(…)`, `client.snapshot.get(…)`, every operation of the contract under the name
 * of its group. Requests, responses and errors are those of the contract.
 *
 * The caller provides an `HttpClient`; `@effect/platform/FetchHttpClient` has one for every runtime with `fetch`.
 */

import { OPERATIONS } from "@attestry/api/OperationIndex"
import * as HttpClient from "@effect/platform/HttpClient"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import type * as Redacted from "effect/Redacted"
import * as BaseUrl from "./internal/BaseUrl.js"
import * as DerivedCall from "./internal/DerivedCall.js"
import * as OperationGroups from "./internal/OperationGroups.js"
import * as Translation from "./internal/Translation.js"
import * as Transport from "./internal/Transport.js"
import type { Operations } from "./Operations.js"
import type * as RetryPolicy from "./RetryPolicy.js"

/** The types of calls. */
export type { Groups, Method, Query, WireError } from "./Calls.js"

/** The address of the API, the credential, and the limits of time and retries. */
export interface ClientOptions {
  /** The address of the deployment, with or without `/api/v2`. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted<string>
  /** The org of calls that name none. */
  readonly org?: string
  /** The time limit of one attempt, its body included; a minute by default. */
  readonly timeout?: Duration.DurationInput
  /** Changes to `RetryPolicy.defaults`. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
  /** The `User-Agent` outside of browsers. */
  readonly userAgent?: string
  /** Whether requests propagate the trace of the caller; false by default. */
  readonly tracePropagation?: boolean
}

/** Every operation, by group. */
export type Client = Operations<"effect">

/**
 * The client of a deployment.
 *
 * ```ts
 * const client = yield* Client.make({ baseUrl, apiKey, org: "acme" })
 * const previous = yield* client.snapshot.get({ path: { env_name, snapshot_expression: "~1" } })
 * ```
 */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const httpClient = Transport.make(yield* HttpClient.HttpClient, Transport.optionsOf(options))
    const baseUrl = BaseUrl.origin(options.baseUrl)
    // WHY: the type of a table cannot express that each operation keeps its request and response.
    return OperationGroups.from(Object.keys(OPERATIONS), (name) =>
      Translation.translate(options.org)(name, DerivedCall.lazy(name, { httpClient, baseUrl }))
    ) as unknown as Client
  })
