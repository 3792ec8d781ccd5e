/**
 * The API as Effects: `client.flow.put(…)`, `client.snapshot.get(…)`, every operation of the contract under the name
 * of its group. Requests, responses and errors are those of the contract.
 *
 * The caller provides an `HttpClient`; `@effect/platform/FetchHttpClient` has one for every runtime with `fetch`.
 */
import type { Api } from "@attestry/api/Api"
import type * as HttpApi from "@effect/platform/HttpApi"
import * as HttpApiClient from "@effect/platform/HttpApiClient"
import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type { HttpApiDecodeError } from "@effect/platform/HttpApiError"
import type { HttpApiGroup } from "@effect/platform/HttpApiGroup"
import * as HttpClient from "@effect/platform/HttpClient"
import type { HttpClientResponse } from "@effect/platform/HttpClientResponse"
import type * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import type * as Redacted from "effect/Redacted"
import type { Simplify } from "effect/Types"
import type { ClientError } from "./ClientError.js"
import * as Operations from "./internal/Operations.js"
import * as SendableApi from "./internal/SendableApi.js"
import * as Translation from "./internal/Translation.js"
import * as Transport from "./internal/Transport.js"
import * as RetryPolicy from "./RetryPolicy.js"

/** The address of the API, the credential, and the limits of time and retries. */
export interface ClientOptions {
  /** The address of the deployment, without `/api/v2`. */
  readonly baseUrl: string | URL
  readonly apiKey: Redacted.Redacted<string>
  /** The time limit of one attempt, its body included; a minute by default. */
  readonly timeout?: Duration.DurationInput
  /** Changes to `RetryPolicy.defaults`. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
  /** The `User-Agent` outside of browsers. */
  readonly userAgent?: string
  /** Whether requests propagate the trace of the caller; false by default. */
  readonly tracePropagation?: boolean
}

type ContractParts =
  typeof Api extends HttpApi.HttpApi<infer _Id, infer Groups, infer ApiError, infer _R>
    ? { readonly groups: Groups; readonly error: ApiError }
    : never

/** Every group of the contract. */
export type Groups = ContractParts["groups"]

/** Every HTTP error of any operation. */
export type WireError = Exclude<ContractParts["error"], HttpApiDecodeError>

/** The query of a request: optional where all of its parameters are. */
export type Query<UrlParams> = [UrlParams] extends [never]
  ? unknown
  : Partial<UrlParams> extends UrlParams
    ? { readonly urlParams?: UrlParams }
    : { readonly urlParams: UrlParams }

/** An operation, from its request to the body of its response; HTTP errors keep their classes. */
export type Method<Endpoint> =
  Endpoint extends HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer Refusal,
    infer _R,
    infer _RE
  >
    ? <WithResponse extends boolean = false>(
        request: Simplify<
          HttpApiEndpoint.ClientRequest<Path, never, Payload, Headers, WithResponse> &
            Query<UrlParams>
        >
      ) => Effect.Effect<
        WithResponse extends true ? [Success, HttpClientResponse] : Success,
        Refusal | WireError | ClientError
      >
    : never

/** Every operation, by group. */
export type Client = {
  readonly [Group in Groups as HttpApiGroup.Name<Group>]: {
    readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Name<Endpoint>]: Method<Endpoint>
  }
}

/** The default `User-Agent`; browsers set their own. */
const defaultUserAgent = (): Option.Option<string> =>
  typeof navigator !== "undefined" && navigator.userAgent.startsWith("Mozilla/")
    ? Option.none()
    : Option.some("attestry-client")

/**
 * The client of a deployment.
 *
 * ```ts
 * const client = yield* Client.make({ baseUrl, apiKey })
 * const previous = yield* client.snapshot.get({
 *   path: { org, env_name, snapshot_expression: SnapshotExpression.behind(1) }
 * })
 * ```
 */
export const make = (options: ClientOptions): Effect.Effect<Client, never, HttpClient.HttpClient> =>
  Effect.gen(function* () {
    const httpClient = Transport.make(yield* HttpClient.HttpClient, {
      apiKey: options.apiKey,
      userAgent: Option.orElse(Option.fromNullable(options.userAgent), defaultUserAgent),
      timeout: options.timeout ?? "1 minute",
      retry: { ...RetryPolicy.defaults, ...options.retry },
      tracePropagation: options.tracePropagation ?? false
    })
    const derived = yield* HttpApiClient.makeWith(SendableApi.api, {
      httpClient,
      baseUrl: options.baseUrl.toString().replace(/\/+$/, ""),
      transformResponse: Effect.mapError(Translation.undecodable)
    })
    // WHY: the type of a table cannot express that each operation keeps its request and response.
    return Operations.map<Translation.DerivedCall, unknown>(
      derived,
      Translation.translate
    ) as unknown as Client
  })
