/**
 * Answers that are kept for a while under a key that the caller chose, so that a request that comes again
 * gets the answer it had and is not carried out twice. DECISION A-20, B-107
 *
 * What an answer's code means is the edge's business; nothing here looks inside.
 */
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** Answers are kept for this long. DECISION D12.2 */
export const RETENTION_SECONDS = 24 * 3600

/** A request that has neither been answered nor given back by then is anybody's again. */
export const CLAIM_SECONDS = 90

/** A request under a key is given up after this long: well before anybody else may carry it out. */
export const RUN_SECONDS_MAX = 60

/** Longer answers are not kept; that the request was carried out is. */
export const TEXT_LENGTH_MAX = 1_048_576

/** The key that a caller chooses for one request: opaque to us. */
export const IdempotencyKey = Schema.String.pipe(
  Schema.pattern(/^[\x21-\x7e]{1,255}$/),
  Schema.brand("IdempotencyKey")
)
/** The key that a caller chooses for one request. */
export type IdempotencyKey = typeof IdempotencyKey.Type

/** An answer as it was sent. */
export const StoredResponse = Schema.Struct({
  code: Schema.Int,
  mediaType: Schema.String,
  text: Schema.String
})
/** An answer as it was sent. */
export type StoredResponse = typeof StoredResponse.Type

/** What became of a request: it is being carried out, it was answered, or its answer is not to be kept. */
export type RequestOutcome =
  | { readonly _tag: "Running" }
  | { readonly _tag: "Answered"; readonly response: StoredResponse }
  | { readonly _tag: "Withheld" }

/** What is known of a request: the digest of what it said, and what became of it. */
export interface StoredRequest {
  readonly content: string
  readonly outcome: RequestOutcome
}

/** What is to be done with a request: carry it out, answer as before, or refuse it for one of three reasons. */
export type Decision =
  | { readonly _tag: "Run" }
  | { readonly _tag: "Replay"; readonly response: StoredResponse }
  | {
      readonly _tag: "Refuse"
      readonly why: IdempotencyKeyReused | RequestUnderWay | ResponseWithheld
    }

/** The key was used before, for a request that said something else. */
export class IdempotencyKeyReused extends Schema.TaggedError<IdempotencyKeyReused>()(
  "IdempotencyKeyReused",
  {}
) {
  override get message(): string {
    return "this key was used for a request that said something else"
  }
}

/** The same request is being carried out at this moment. */
export class RequestUnderWay extends Schema.TaggedError<RequestUnderWay>()("RequestUnderWay", {}) {
  override get message(): string {
    return "the same request is being carried out"
  }
}

/** The request was carried out, and its answer is not kept: it held a secret, or was too long. */
export class ResponseWithheld extends Schema.TaggedError<ResponseWithheld>()(
  "ResponseWithheld",
  {}
) {
  override get message(): string {
    return "the request was carried out, and its answer is not shown twice"
  }
}

/** What to do with a request whose content has this digest; what has ended is not known any more. */
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
