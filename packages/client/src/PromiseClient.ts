/**
 * The API as Promises, for callers without Effect: the same operations, requests and responses as `Client`.
 *
 * Names are strings without brands; they are checked against the contract before a request is sent. Instants in
 * responses are whole microseconds (`Timestamp.toSeconds` of `@attestry/core` converts).
 */
import * as HttpError from "@attestry/api/HttpError"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import type { HttpApiEndpoint } from "@effect/platform/HttpApiEndpoint"
import type { HttpApiGroup } from "@effect/platform/HttpApiGroup"
import type * as Brand from "effect/Brand"
import * as Cause from "effect/Cause"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Attachments from "./Attachments.js"
import * as Client from "./Client.js"
import type { ClientError, ClientErrorReason } from "./ClientError.js"
import * as Idempotency from "./Idempotency.js"
import * as Operations from "./internal/Operations.js"

/** The options of `Client`; durations are milliseconds or texts. */
export interface PromiseClientOptions extends Omit<Client.ClientOptions, "apiKey"> {
  readonly apiKey: string | Redacted.Redacted<string>
  /** The `fetch` to use; the global one by default. */
  readonly fetch?: typeof globalThis.fetch
}

/** Options of one call. */
export interface CallOptions {
  /** Files of an attestation. */
  readonly attachments?: ReadonlyArray<Attachments.Attachment>
  readonly onProgress?: (progress: Attachments.Progress) => void
  /** The idempotency key: the server handles the same call under the same key once in a day. */
  readonly idempotencyKey?: string
  /** Aborts the call, which then rejects with the reason of the signal. */
  readonly signal?: AbortSignal
}

/** A value without brands on its strings and numbers. */
export type Plain<A> =
  A extends Brand.Brand<infer _>
    ? Brand.Brand.Unbranded<A>
    : A extends FormData
      ? A
      : A extends object
        ? { readonly [Key in keyof A]: Plain<A[Key]> }
        : A

/** An operation, from its request to a promise of the body of its response. */
export type PromiseMethod<Endpoint> =
  Endpoint extends HttpApiEndpoint<
    infer _Name,
    infer _Method,
    infer Path,
    infer UrlParams,
    infer Payload,
    infer Headers,
    infer Success,
    infer _Refusal,
    infer _R,
    infer _RE
  >
    ? (
        request: Plain<
          Omit<
            HttpApiEndpoint.ClientRequest<Path, never, Payload, Headers, false>,
            "withResponse"
          > &
            Client.Query<UrlParams>
        >,
        options?: CallOptions
      ) => Promise<Success>
    : never

/** Every operation, by group. */
export type PromiseClient = {
  readonly [Group in Client.Groups as HttpApiGroup.Name<Group>]: {
    readonly [Endpoint in HttpApiGroup.Endpoints<Group> as HttpApiEndpoint.Name<Endpoint>]: PromiseMethod<Endpoint>
  }
}

/** Every error of a call, as the `cause` of an `AttestryError`. */
export type Failure = HttpError.HttpError | ClientError

/** The rejection of a call: `name` and `_tag` name the error, and `cause` is the typed error. */
export class AttestryError extends Error {
  readonly _tag: Failure["_tag"]
  /** The status of the response, where there was one. */
  readonly status: number | undefined
  /** The problems by field, where they are known. */
  readonly errors: { readonly [field: string]: string } | null
  /** The reason of a `ClientError`. */
  readonly reason: ClientErrorReason | undefined

  constructor(failure: Failure) {
    super(failure.message, { cause: failure })
    const isClient = failure._tag === "ClientError"
    this._tag = failure._tag
    this.name = failure._tag
    this.status = isClient ? (failure.status ?? undefined) : HttpError.statusOf(failure)
    this.errors = "errors" in failure ? (failure.errors ?? null) : null
    this.reason = isClient ? failure.reason : undefined
  }
}

type Call = (request: never) => Effect.Effect<unknown, Failure>

const rejection = (cause: Cause.Cause<Failure>, signal: AbortSignal | undefined): unknown => {
  const failure = Cause.failureOption(cause)
  if (Option.isSome(failure)) return new AttestryError(failure.value)
  return signal?.aborted === true ? signal.reason : Cause.squash(cause)
}

const promise = async <A>(call: Effect.Effect<A, Failure>, signal?: AbortSignal): Promise<A> => {
  signal?.throwIfAborted()
  const exit = await Effect.runPromiseExit(call, signal === undefined ? {} : { signal })
  if (Exit.isSuccess(exit)) return exit.value
  throw rejection(exit.cause, signal)
}

const alongOf = ({ attachments, onProgress }: CallOptions = {}): Attachments.Attached => ({
  files: attachments ?? [],
  ...(onProgress === undefined ? {} : { onProgress })
})

const under = <A, E>(given: CallOptions | undefined, call: Effect.Effect<A, E>) =>
  given?.idempotencyKey === undefined ? call : Idempotency.under(given.idempotencyKey)(call)

/**
 * The client of a deployment.
 *
 * ```ts
 * const client = attestry({ baseUrl: "https://attestry.example.com", apiKey })
 * await client.flow.put({ path: { org: "acme" }, payload: { name: "shop", description: "" } })
 * await client.snapshot.get({
 *   path: { org: "acme", env_name: "prod", snapshot_expression: SnapshotExpression.behind(1) }
 * })
 * ```
 */
export const attestry = ({ apiKey, fetch, ...options }: PromiseClientOptions): PromiseClient => {
  const http =
    fetch === undefined
      ? FetchHttpClient.layer
      : Layer.provide(FetchHttpClient.layer, Layer.succeed(FetchHttpClient.Fetch, fetch))
  const client = Client.make({
    ...options,
    apiKey: typeof apiKey === "string" ? Redacted.make(apiKey) : apiKey
  }).pipe(Effect.provide(http), Effect.runSync)
  // WHY: the type of a table cannot express that each operation keeps its request and response.
  return Operations.map<Call, unknown>(
    client,
    (_, call) => (request: never, given?: CallOptions) =>
      promise(under(given, Attachments.attach(alongOf(given))(call(request))), given?.signal)
  ) as unknown as PromiseClient
}
