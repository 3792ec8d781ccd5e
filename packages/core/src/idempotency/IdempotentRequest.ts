/**
 * Requests with an idempotency key: the stored response, and the decision about a repetition. DECISIONS.md, "Retried
 * writes converge"
 *
 * The status code of a response has no meaning here.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Responses are stored for this long. */
export const RETENTION_SECONDS = 24 * 3600

/** A claim without a result expires after this long. */
export const CLAIM_SECONDS = 90

/** The work of a request is interrupted after this long, before its claim expires. */
export const RUN_SECONDS_MAX = 60

/** The response of a request is not stored when its text is longer; the fact of completion is. */
export const TEXT_LENGTH_MAX = 1_048_576

/** The key of one request, chosen by the caller. */
export const IdempotencyKey = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,255}$/),
  Schema.brand("IdempotencyKey")
)
/** The key of one request, chosen by the caller. */
export type IdempotencyKey = typeof IdempotencyKey.Type

/** A response as it was sent. */
export const StoredResponse = Schema.Struct({
  code: Schema.Int,
  mediaType: Schema.String,
  text: Schema.String,
  /** The ids of the entries that the request recorded, as its response had them. */
  entries: Schema.NullOr(Schema.String)
})
/** A response as it was sent. */
export type StoredResponse = typeof StoredResponse.Type

/** The state of a request: running, answered, or complete without a stored response. */
export type RequestOutcome =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly response: StoredResponse }
  | { readonly _tag: "Withheld" }

/** A stored request: the digest of its content, and its state. */
export interface StoredRequest {
  readonly content: string
  readonly outcome: RequestOutcome
}

/** What to do with a request: run it, replay the response, or refuse it. */
export type Decision =
  | { readonly _tag: "Run" }
  | { readonly _tag: "Replay"; readonly response: StoredResponse }
  | {
      readonly _tag: "Refuse"
      readonly why: IdempotencyKeyReused | RequestUnderWay | ResponseWithheld
    }

/** The key was used before for a request with another content. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  {}
) {
  override get message(): string {
    return "this key was used for a request that said something else"
  }
}

/** The same request is running. */
export class RequestUnderWay extends Schema.TaggedError<RequestUnderWay>()("RequestUnderWay", {}) {
  override get message(): string {
    return "the same request is being carried out"
  }
}

/** The request is complete and its response is not stored: it contained a secret, or was too long. */
export class ResponseWithheld extends Schema.TaggedError<ResponseWithheld>()(
  "ResponseWithheld",
  {}
) {
  override get message(): string {
    return "the request was carried out, and its answer is not shown twice"
  }
}

/** What to do with a request whose content has this digest; an expired request counts as unknown. */
export const decide = (known: Option.Option<StoredRequest>, content: string): Decision => {
  if (Option.isNone(known)) return { _tag: "Run" }
  const { outcome } = known.value
  if (known.value.content !== content) return { _tag: "Refuse", why: new IdempotencyKeyReused() }
  switch (outcome._tag) {
    case "Answered":
      return { _tag: "Replay", response: outcome.response }
    case "Running":
      return { _tag: "Refuse", why: new RequestUnderWay() }
    case "Withheld":
      return { _tag: "Refuse", why: new ResponseWithheld() }
  }
}
