/**
 * The HTTP errors and their bodies, without words of the domain. SPEC §7
 *
 * WHY tagged classes: errors are encoded by their shape, and untagged classes of one shape cannot be distinguished. The
 * tag is not part of the body.
 */
import * as Dictionary from "@attestry/core/Dictionary"
import { Facts } from "@attestry/core/PolicyFacts"
import { PolicyReason } from "@attestry/core/PolicyReason"
import { bounded } from "@attestry/core/Problems"
import * as HttpApiSchema from "@effect/platform/HttpApiSchema"
import * as Schema from "effect/Schema"

/** Field name to message; names of fields come from outside. */
const FieldMessages = Dictionary.make({
  key: Schema.String,
  value: Schema.String,
  members: { type: "string" }
})

const MessageBody = Schema.Struct({ message: Schema.String }).annotations({
  identifier: "MessageBody"
})

const ValidationErrorBody = Schema.Struct({
  message: Schema.String,
  /** Absent where the error is about no field. Clients fail on null. */
  errors: Schema.optionalWith(FieldMessages, { exact: true })
}).annotations({ identifier: "ValidationErrorBody" })

/** 400: the request does not validate, or conflicts with stored records. */
export class BadRequest extends Schema.TaggedError<BadRequest>()(
  "BadRequest",
  ValidationErrorBody.fields
) {
  static readonly status = 400
  static readonly Body = Schema.transform(ValidationErrorBody, Schema.typeSchema(BadRequest), {
    strict: true,
    decode: (body) => new BadRequest(body),
    encode: ({ message, errors }) => ({ message, ...(errors === undefined ? {} : { errors }) })
  }).annotations(
    HttpApiSchema.annotations({ status: 400, description: "the request does not validate" })
  )
}

/** 401: the credential is missing or invalid. */
export class Unauthorized extends Schema.TaggedError<Unauthorized>()("Unauthorized", {
  ...MessageBody.fields,
  /** The sign-in that the operation demands; absent where every valid credential is accepted. RFC 9470 */
  challenge: Schema.optionalWith(Schema.String, { exact: true })
}) {
  static readonly status = 401
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(Unauthorized), {
    strict: true,
    decode: (body) => new Unauthorized(body),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({
      status: 401,
      description: "the credential is missing or opens nothing"
    })
  )
}

/** 403: the caller may not do this. */
export class Forbidden extends Schema.TaggedError<Forbidden>()("Forbidden", {
  ...MessageBody.fields,
  /** Whether the caller may propose it, which a header says. */
  isHeld: Schema.optionalWith(Schema.Boolean, { exact: true }),
  /** The address of proposals, for the header. */
  proposals: Schema.optionalWith(Schema.String, { exact: true })
}) {
  static readonly status = 403
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(Forbidden), {
    strict: true,
    decode: (body) => new Forbidden(body),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({ status: 403, description: "the caller may not do this" })
  )
}

/** 404: the resource does not exist. */
export class NotFound extends Schema.TaggedError<NotFound>()("NotFound", MessageBody.fields) {
  static readonly status = 404
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(NotFound), {
    strict: true,
    decode: (body) => new NotFound(body),
    encode: ({ message }) => ({ message })
  }).annotations(HttpApiSchema.annotations({ status: 404, description: "there is no such thing" }))
}

/** 405: the path exists, with other methods. */
export class MethodNotAllowed extends Schema.TaggedError<MethodNotAllowed>()(
  "MethodNotAllowed",
  MessageBody.fields
) {
  static readonly status = 405
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(MethodNotAllowed), {
    strict: true,
    decode: (body) => new MethodNotAllowed(body),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({ status: 405, description: "the path exists, with other methods" })
  )
}

const ConflictBody = Schema.Struct({
  message: Schema.String,
  /** Only of a policy: facts that only its new text accepts, and why the latest version does not. */
  accepted_by_new_only: Schema.optionalWith(
    Schema.Struct({
      facts: Facts,
      reasons: Schema.Array(PolicyReason),
      now: Schema.optionalWith(Schema.Number, { exact: true })
    }),
    { exact: true }
  )
}).annotations({ identifier: "ConflictBody" })

/**
 * 409: a lasting conflict: a duplicate control, or a policy that may not become weaker. Clients take any other 409 for
 * a lock and repeat.
 */
export class Conflict extends Schema.TaggedError<Conflict>()("Conflict", ConflictBody.fields) {
  static readonly status = 409
  static readonly Body = Schema.transform(ConflictBody, Schema.typeSchema(Conflict), {
    strict: true,
    decode: (body) => new Conflict(body),
    encode: ({ accepted_by_new_only, message }) => ({
      message,
      ...(accepted_by_new_only === undefined ? {} : { accepted_by_new_only })
    })
  }).annotations(
    HttpApiSchema.annotations({
      status: 409,
      description: "a lasting conflict: repeating the request will not help"
    })
  )
}

/** 413: the body, or a part of it, is over its limit. */
export class PayloadTooLarge extends Schema.TaggedError<PayloadTooLarge>()(
  "PayloadTooLarge",
  MessageBody.fields
) {
  static readonly status = 413
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(PayloadTooLarge), {
    strict: true,
    decode: (body) => new PayloadTooLarge(body),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({
      status: 413,
      description: "the body, or a part of it, is over its limit"
    })
  )
}

/** 415: the body is in a form that this operation does not read. */
export class UnsupportedMediaType extends Schema.TaggedError<UnsupportedMediaType>()(
  "UnsupportedMediaType",
  MessageBody.fields
) {
  static readonly status = 415
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(UnsupportedMediaType), {
    strict: true,
    decode: (body) => new UnsupportedMediaType(body),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({
      status: 415,
      description: "the body is in a form that this operation does not read"
    })
  )
}

/** 422: the idempotency key was used for another request. */
export class UnprocessableContent extends Schema.TaggedError<UnprocessableContent>()(
  "UnprocessableContent",
  { message: Schema.String, errors: FieldMessages }
) {
  static readonly status = 422
  static readonly Body = Schema.transform(
    Schema.Struct({ message: Schema.String, errors: FieldMessages }).annotations({
      identifier: "UnprocessableBody"
    }),
    Schema.typeSchema(UnprocessableContent),
    {
      strict: true,
      decode: (body) => new UnprocessableContent(body),
      encode: ({ message, errors }) => ({ message, errors })
    }
  ).annotations(
    HttpApiSchema.annotations({
      status: 422,
      description: "the request stands under a key that was used for another one"
    })
  )
}

/** 429: the rate limit is exceeded; `Retry-After` has the time to wait before the request is repeated. */
export class TooManyRequests extends Schema.TaggedError<TooManyRequests>()("TooManyRequests", {
  ...MessageBody.fields,
  /** Goes into the header, not into the body. */
  retryAfterSeconds: Schema.Number
}) {
  static readonly status = 429
  static readonly Body = Schema.transform(MessageBody, Schema.typeSchema(TooManyRequests), {
    strict: true,
    decode: ({ message }) => new TooManyRequests({ message, retryAfterSeconds: 1 }),
    encode: ({ message }) => ({ message })
  }).annotations(
    HttpApiSchema.annotations({
      status: 429,
      description: "over the rate limit: `Retry-After` is the time to wait"
    })
  )
}

/** 500: a stored record cannot be read; repeating the request does not help. */
export class Damaged extends Schema.TaggedError<Damaged>()("Damaged", MessageBody.fields) {
  static readonly status = 500
}

const UnavailableBody = Schema.Struct({
  ...MessageBody.fields,
  /** The fate of the write, where the client must know it. */
  details: Schema.optionalWith(Schema.String, { exact: true })
}).annotations({ identifier: "UnavailableBody" })

/** 503: the store is unavailable; repeat the request after `Retry-After`. */
export class Unavailable extends Schema.TaggedError<Unavailable>()("Unavailable", {
  ...UnavailableBody.fields,
  /** The reason, for the server log; it is not part of the body. Without one it is expected: busy, or not yet done. */
  cause: Schema.optionalWith(Schema.Unknown, { exact: true }),
  /** The `Retry-After` where it is not a second. */
  retryAfterSeconds: Schema.optionalWith(Schema.Int, { exact: true }),
  /** Why a process that only reads hands the request on, for metrics; a header says that it does. */
  handedOn: Schema.optionalWith(Schema.String, { exact: true })
}) {
  static readonly status = 503
  static readonly Body = Schema.transform(UnavailableBody, Schema.typeSchema(Unavailable), {
    strict: true,
    decode: (body) => new Unavailable(body),
    encode: ({ message, details }) => ({
      message,
      ...(details === undefined ? {} : { details })
    })
  }).annotations(
    HttpApiSchema.annotations({
      status: 503,
      description: "the store cannot answer at the moment: repeat the request after `Retry-After`"
    })
  )
}

/** Every HTTP error. */
export type HttpError =
  | BadRequest
  | Unauthorized
  | Forbidden
  | NotFound
  | MethodNotAllowed
  | Conflict
  | PayloadTooLarge
  | UnsupportedMediaType
  | UnprocessableContent
  | TooManyRequests
  | Damaged
  | Unavailable

/** The status of an error. */
export const statusOf = (error: HttpError): number => {
  switch (error._tag) {
    case "BadRequest":
      return BadRequest.status
    case "Unauthorized":
      return Unauthorized.status
    case "Forbidden":
      return Forbidden.status
    case "NotFound":
      return NotFound.status
    case "MethodNotAllowed":
      return MethodNotAllowed.status
    case "Conflict":
      return Conflict.status
    case "PayloadTooLarge":
      return PayloadTooLarge.status
    case "UnsupportedMediaType":
      return UnsupportedMediaType.status
    case "UnprocessableContent":
      return UnprocessableContent.status
    case "TooManyRequests":
      return TooManyRequests.status
    case "Damaged":
      return Damaged.status
    case "Unavailable":
      return Unavailable.status
  }
}

/** The message of every error with a map of fields. */
export const VALIDATION_FAILED = "Input payload validation failed"

/** 400 with messages by field. */
export const invalid = (errors: { readonly [field: string]: string }): BadRequest =>
  new BadRequest({ message: VALIDATION_FAILED, errors: bounded(errors) })
