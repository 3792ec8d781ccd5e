/**
 * The API as Promises, for callers without Effect: the same operations as `Client`, small enough for a page.
 *
 * Names are strings without brands, instants are dates. Types come from the contract; at run time there is only a table
 * of methods and paths. With `validate` requests and answers are also checked by the schemas of the contract, which are
 * loaded then.
 */
import * as WrittenEntries from "@attestry/api/WrittenEntries"
import type * as Duration from "effect/Duration"
import * as Redacted from "effect/Redacted"
import { clientError } from "./AttestryError.js"
import type { CallOptions } from "./Calls.js"
import * as BaseUrl from "./internal/BaseUrl.js"
import { KEYED_OPERATIONS } from "./internal/KeyedOperations.js"
import * as OperationGroups from "./internal/OperationGroups.js"
import * as PlainAnswer from "./internal/PlainAnswer.js"
import * as PlainBody from "./internal/PlainBody.js"
import * as PlainOperation from "./internal/PlainOperation.js"
import * as PlainTransport from "./internal/PlainTransport.js"
import { defaultUserAgent } from "./internal/UserAgent.js"
import type { Operations } from "./Operations.js"
import * as RetryPolicy from "./RetryPolicy.js"

/** The rejection of a call. */
export { AttestryError } from "./AttestryError.js"
/** The types of calls. */
export type { CallOptions, Plain } from "./Calls.js"

/** The address of the API, the credential, and the limits of time and retries; durations are milliseconds or texts. */
export interface PromiseClientOptions {
  /** The address of the deployment, with or without `/api/v2`. */
  readonly baseUrl: string | URL
  readonly apiKey: string | Redacted.Redacted<string>
  /** The org of calls that name none. */
  readonly org?: string
  /** Whether requests and answers are checked by the schemas of the contract, which needs Effect; false by default. */
  readonly validate?: boolean
  /** The time limit of one attempt, its body included; a minute by default. */
  readonly timeout?: Duration.DurationInput
  /** Changes to `RetryPolicy.defaults`. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
  /** The `User-Agent` outside of browsers. */
  readonly userAgent?: string
  /** The `fetch` to use, such as that of `node/NodeFetch`; the global one by default. */
  readonly fetch?: PlainTransport.PlainFetch
}

/** Every operation, by group. */
export type PromiseClient = Operations<"promise">

const VISIBLE = /^[\x21-\x7e]+$/

/** WHY: a platform that refuses a header quotes its value in the error, and the value is the key. */
const authorization = (operation: string, apiKey: PromiseClientOptions["apiKey"]): string => {
  const key = (typeof apiKey === "string" ? apiKey : Redacted.value(apiKey)).trim()
  if (VISIBLE.test(key)) return `Bearer ${key}`
  const detail = "the api key is empty, or holds characters that a header cannot carry"
  throw clientError(operation, { reason: "Encode", detail })
}

/** The header with the key of a write: the caller's, or a new one where the operation needs one. */
const idempotency = (
  { name, method }: PlainOperation.PlainOperation,
  given: string | undefined
): { readonly [name: string]: string } => {
  const key = given ?? (KEYED_OPERATIONS.includes(name) ? crypto.randomUUID() : undefined)
  if (key === undefined || method === "GET") return {}
  if (key.length <= 255 && VISIBLE.test(key)) return { "idempotency-key": key }
  const detail = "an idempotency key has 1 to 255 visible ASCII characters"
  throw clientError(name, { reason: "Encode", detail })
}

/** The request with `dry_run`; throws where the operation is a read, which stores nothing anyway. */
const rehearsed = (
  { name, method }: PlainOperation.PlainOperation,
  asked: PlainOperation.PlainRequest
): PlainOperation.PlainRequest => {
  if (method !== "GET") return { ...asked, urlParams: { ...asked.urlParams, dry_run: true } }
  throw clientError(name, { reason: "Encode", detail: "only a write can be a dry run" })
}

/** The headers of a call. */
export const headersOf = (
  operation: PlainOperation.PlainOperation,
  options: PromiseClientOptions,
  given: CallOptions
): { readonly [name: string]: string } => {
  const userAgent = options.userAgent ?? defaultUserAgent()
  return {
    accept: "application/json",
    ...(userAgent === undefined ? {} : { "user-agent": userAgent }),
    authorization: authorization(operation.name, options.apiKey),
    ...idempotency(operation, given.idempotencyKey),
    ...(given.returns === undefined ? {} : { prefer: `return=${given.returns}` })
  }
}

/** The checks of the contract, where the client is asked for them. */
const checks = async (options: PromiseClientOptions) =>
  options.validate === true ? await import("./internal/ContractCheck.js") : undefined

const call =
  (
    options: PromiseClientOptions,
    operation: PlainOperation.PlainOperation,
    written: WrittenEntries.WrittenEntries
  ) =>
  async (asked: PlainOperation.PlainRequest = {}, given: CallOptions = {}): Promise<unknown> => {
    given.signal?.throwIfAborted()
    const check = await checks(options)
    const org = options.org
    const whole = { ...asked, path: { ...(org === undefined ? {} : { org }), ...asked.path } }
    check?.request(operation, whole)
    const sent = given.dryRun === true ? rehearsed(operation, whole) : whole
    const response = await PlainTransport.send(
      {
        fetch: options.fetch ?? ((input, init) => globalThis.fetch(input, init)),
        timeout: options.timeout ?? "1 minute",
        retry: { ...RetryPolicy.defaults, ...options.retry },
        written
      },
      {
        operation: operation.name,
        method: operation.method,
        url: PlainOperation.urlOf(operation, sent, BaseUrl.origin(options.baseUrl)),
        headers: headersOf(operation, options, given),
        body: () => PlainBody.make(asked.payload, given),
        signal: given.signal
      }
    )
    const body = PlainAnswer.bodyOf(operation, response)
    if (operation.answer !== "Json") return body
    check?.answer(operation, response.status, body)
    return PlainAnswer.shown(operation, body)
  }

/**
 * The client of a deployment.
 *
 * ```ts
 * const client = attestry({ baseUrl: "https://attestry.example.com", apiKey, org: "acme" })
 * await client.flow.put({ payload: { name: "shop", description: "" } })
 * const previous = await client.snapshot.get({ path: { env_name: "prod", snapshot_expression: "~1" } })
 * ```
 */
export const attestry = (options: PromiseClientOptions): PromiseClient => {
  const written = WrittenEntries.make(Date.now)
  // WHY: the type of a table cannot express that each operation keeps its request and response.
  return OperationGroups.from(PlainOperation.NAMES, (name) =>
    call(options, PlainOperation.named(name), written)
  ) as unknown as PromiseClient
}
