/** The rejection of a call of the Promise client, for refusals of the API and for calls without a response of it. */
import type { HttpError } from "@attestry/api/HttpError"
import type { ClientErrorReason } from "./ClientError.js"

/** The name of an error: that of a refusal of the API, or `ClientError`. */
export type AttestryErrorTag =
  | Exclude<HttpError["_tag"], "MethodNotAllowed" | "Damaged">
  | "ClientError"

/** The details of a failed call. */
export interface Failure {
  readonly _tag: AttestryErrorTag
  readonly message: string
  readonly status?: number | undefined
  readonly errors?: { readonly [field: string]: string } | undefined
  readonly reason?: ClientErrorReason | undefined
  readonly cause?: unknown
}

/** The rejection of a call: `name` and `_tag` name the error. It never contains the key. */
export class AttestryError extends Error {
  readonly _tag: AttestryErrorTag
  /** Group and name: `flow.put`. */
  readonly operation: string
  /** The status of the response, where there was one. */
  readonly status: number | undefined
  /** The problems by field, where they are known. */
  readonly errors: { readonly [field: string]: string } | null
  /** The reason why the API did not respond, for a `ClientError`. */
  readonly reason: ClientErrorReason | undefined

  constructor(operation: string, failure: Failure) {
    super(failure.message, failure.cause === undefined ? {} : { cause: failure.cause })
    this._tag = failure._tag
    this.name = failure._tag
    this.operation = operation
    this.status = failure.status
    this.errors = failure.errors ?? null
    this.reason = failure.reason
  }
}

/** The error of a call without a response of the API. */
export const clientError = (
  operation: string,
  failure: Omit<Failure, "_tag" | "message"> & { readonly detail: string }
): AttestryError =>
  new AttestryError(operation, {
    ...failure,
    _tag: "ClientError",
    message: `\`${operation}\` failed: ${failure.detail}`
  })
