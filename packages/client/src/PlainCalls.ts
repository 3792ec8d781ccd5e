/**
 * Sends one operation by its name and gives its answer as bytes: for programs that pass answers on unchanged.
 *
 * The requests are those of `PromiseClient`: the same table, forms, idempotency keys and repetitions. Neither the
 * request nor the answer is read by a schema, and an error of the API is an answer like any other. DECISIONS.md, "The
 * command line has its own reader"
 */
import * as WrittenEntries from "@attestry/api/WrittenEntries"
import type * as Duration from "effect/Duration"
import type { CallOptions } from "./Calls.js"
import * as BaseUrl from "./internal/BaseUrl.js"
import { KEYED_OPERATIONS } from "./internal/KeyedOperations.js"
import * as PlainBody from "./internal/PlainBody.js"
import * as PlainOperation from "./internal/PlainOperation.js"
import * as PlainTransport from "./internal/PlainTransport.js"
import * as RetryPolicy from "./RetryPolicy.js"

/** A response that has arrived as a whole. */
export type { Arrived } from "./internal/PlainAnswer.js"
/** The parameters and the payload of a request. */
export type { PlainRequest } from "./internal/PlainOperation.js"
/** The part of `fetch` that is needed. */
export type { PlainFetch } from "./internal/PlainTransport.js"

/** The address of the API, the headers of every request, and the limits of time and retries. */
export interface PlainCallsOptions {
  /** The address of the deployment, with or without `/api/v2`. */
  readonly baseUrl: string
  readonly fetch: PlainTransport.PlainFetch
  readonly headers: { readonly [name: string]: string }
  /** The time limit of one attempt, its body included. */
  readonly timeout: Duration.DurationInput
  /** Changes to `RetryPolicy.defaults`. */
  readonly retry?: Partial<RetryPolicy.RetryPolicy>
  /** Remembers what was written, and has it shown by later reads; by default nothing is remembered. */
  readonly written?: WrittenEntries.WrittenEntries
}

/** One call, without its operation. */
export interface PlainCall extends PlainOperation.PlainRequest, CallOptions {
  /** Headers of this call. */
  readonly headers?: { readonly [name: string]: string }
}

/** The operation of a name such as `flow.put`. */
export const operationOf = PlainOperation.named

/** The URL of a call. */
export const urlOf = (baseUrl: string, name: string, asked: PlainOperation.PlainRequest): string =>
  PlainOperation.urlOf(operationOf(name), asked, BaseUrl.origin(baseUrl))

const keyOf = ({ name, method }: PlainOperation.PlainOperation, given: string | undefined) => {
  const key = given ?? (KEYED_OPERATIONS.includes(name) ? crypto.randomUUID() : undefined)
  return key === undefined || method === "GET" ? {} : { "idempotency-key": key }
}

/** Sends a call, repeatedly where that may help; rejects with an `AttestryError` without an answer. */
export const send = (
  options: PlainCallsOptions,
  name: string,
  asked: PlainCall
): ReturnType<typeof PlainTransport.send> => {
  const operation = operationOf(name)
  return PlainTransport.send(
    {
      fetch: options.fetch,
      timeout: options.timeout,
      retry: { ...RetryPolicy.defaults, ...options.retry },
      written: options.written ?? WrittenEntries.make(Date.now)
    },
    {
      operation: name,
      method: operation.method,
      url: PlainOperation.urlOf(operation, asked, BaseUrl.origin(options.baseUrl)),
      headers: { ...options.headers, ...asked.headers, ...keyOf(operation, asked.idempotencyKey) },
      body: () => PlainBody.make(asked.payload, asked),
      signal: asked.signal
    }
  )
}

/** Throws for a request that does not match the contract, whose schemas are loaded for it. */
export const check = async (name: string, asked: PlainOperation.PlainRequest): Promise<void> => {
  const contract = await import("./internal/ContractCheck.js")
  contract.request(operationOf(name), asked)
}

/** The lowest role that an operation needs; the contract is loaded for it. Undefined where any key will do. */
export const neededRole = async (
  name: string,
  asked: PlainOperation.PlainRequest
): Promise<string | undefined> =>
  (await import("./internal/NeededRole.js")).of(name, asked.path ?? {})
