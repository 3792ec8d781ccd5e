/** Small objects that trails, artifacts and attestations carry alike; none of them affects compliance. */
import * as Schema from "effect/Schema"
import { FINGERPRINT_PATTERN } from "./Identifier.js"

/** Label to address, with the fingerprint of what is there where the client knows it. */
export const ExternalUrls = Schema.Record({
  key: Schema.String.pipe(Schema.pattern(/^[^=.]+$/)),
  value: Schema.Struct({
    href: Schema.String,
    fingerprint: Schema.optionalWith(
      Schema.String.pipe(Schema.pattern(new RegExp(FINGERPRINT_PATTERN))),
      { exact: true }
    )
  })
}).annotations({ identifier: "ExternalUrls" })
/** Label to address. */
export type ExternalUrls = typeof ExternalUrls.Type

/** Text notes keyed by letters, digits, `_` and `-`. */
export const Annotations = Schema.Record({
  key: Schema.String.pipe(Schema.pattern(/^[A-Za-z0-9_-]+$/)),
  value: Schema.String
}).annotations({ identifier: "Annotations" })
/** Text notes. */
export type Annotations = typeof Annotations.Type

/** Any JSON object of the client's own. */
export const UserData = Schema.Record({ key: Schema.String, value: Schema.Unknown }).annotations({
  identifier: "UserData"
})
/** Any JSON object of the client's own. */
export type UserData = typeof UserData.Type

const isWebAddress = (text: string): boolean => /^https?:\/\/[^\s/?#]+[^\s]*$/i.test(text)

/** An absolute `http` or `https` address. */
export const WebUrl = Schema.String.pipe(
  Schema.filter((text) =>
    text === ""
      ? "Input should be a valid URL, input is empty"
      : isWebAddress(text) || "Input should be a valid URL"
  )
).annotations({ identifier: "WebUrl", jsonSchema: { type: "string", format: "uri" } })
