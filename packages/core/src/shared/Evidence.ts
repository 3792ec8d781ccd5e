/** Objects that trails, artifacts and attestations share; none affects compliance. */
import * as ParseResult from "effect/ParseResult"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"
import * as Dictionary from "./Dictionary.js"
import * as FieldErrors from "./FieldErrors.js"
import { FINGERPRINT_PATTERN } from "./Identifier.js"
import { optional } from "./OptionalField.js"
import * as SchemaFastPath from "./SchemaFastPath.js"

/** A link, with the fingerprint of its content where the client knows it. */
const ExternalUrl = Schema.Struct({
  href: Schema.String,
  fingerprint: optional(Schema.String.pipe(Schema.pattern(new RegExp(FINGERPRINT_PATTERN))))
}).annotations({ parseOptions: { onExcessProperty: "error" } })

/** Links by label. */
export const ExternalUrls = Dictionary.make({
  key: Schema.String.pipe(Schema.pattern(/^[^=.]+$/)),
  value: ExternalUrl,
  members: {
    type: "object",
    required: ["href"],
    properties: {
      href: { type: "string" },
      fingerprint: { anyOf: [{ type: "string", pattern: FINGERPRINT_PATTERN }, { type: "null" }] }
    },
    additionalProperties: false
  }
}).annotations({ identifier: "ExternalUrls" })
/** Links by label. */
export type ExternalUrls = typeof ExternalUrls.Type

/** Text notes keyed by letters, digits, `_` and `-`. */
export const Annotations = Dictionary.make({
  key: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]+$/)),
  value: Schema.String,
  members: { type: "string" }
}).annotations({ identifier: "Annotations" })
/** Text notes. */
export type Annotations = typeof Annotations.Type

/** Any JSON object. */
export const JsonObject = Dictionary.make({
  key: Schema.String,
  value: Schema.Unknown,
  members: {}
})

/** Any JSON object. */
export type JsonObject = typeof JsonObject.Type

/** A JSON object or a list of the client. */
export type UserData = JsonObject | ReadonlyArray<unknown>

const isUserData = (input: unknown): input is UserData =>
  Predicate.isRecord(input) || Array.isArray(input)

const checkUserData: ParseResult.DeclarationDecodeUnknown<UserData, never> = (input, _, ast) =>
  isUserData(input)
    ? ParseResult.succeed(input)
    : ParseResult.fail(new ParseResult.Type(ast, input, "Input should be a valid dictionary"))

/**
 * Any JSON object or list of the client, as it was sent; another value has the error key that clients know. SPEC §7.1
 */
export const UserData: Schema.Schema<UserData> = Schema.declare<UserData, UserData, []>(
  [],
  { decode: () => checkUserData, encode: () => checkUserData },
  {
    identifier: "UserData",
    jsonSchema: {
      anyOf: [
        { type: "object", additionalProperties: {} },
        { type: "array", items: {} }
      ]
    },
    ...SchemaFastPath.guardedBy(isUserData),
    ...FieldErrors.alternative("dict[any,any]")
  }
)

/** `user@host:path`, and the same with its scheme. */
const SSH_ADDRESS = /^(?:[^\s@:/]+@[^\s@:/]+:[^\s]+|ssh:\/\/[^\s/?#]+\/[^\s]+)$/i

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/?#]+[^\s]*$/i.test(text)

/** An absolute `http` or `https` address. */
export const WebUrl = Schema.String.pipe(
  Schema.filter((text) =>
    text === ""
      ? "Input should be a valid URL, input is empty"
      : isWebAddress(text) || "Input should be a valid URL"
  )
).annotations({ identifier: "WebUrl", jsonSchema: { type: "string", format: "uri" } })

/** The address of a repository: an absolute address or one of ssh; empty when it is unknown. */
export const RepoUrl = Schema.String.pipe(
  Schema.filter(
    (text) =>
      text === "" || SSH_ADDRESS.test(text) || isWebAddress(text) || "Input should be a valid URL"
  )
).annotations({ identifier: "RepoUrl", jsonSchema: { type: "string" } })
