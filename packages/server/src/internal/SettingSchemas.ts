/** The schemas of single settings. */
import * as FieldErrors from "@attestry/core/FieldErrors"
import * as EvidenceReader from "@attestry/evidence-intake/EvidenceReader"
import * as RemoteAddress from "@attestry/http/RemoteAddress"
import * as AllowList from "@attestry/notifier/AllowList"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"

/** A port; 0 is any free one. */
export const Port = Schema.NumberFromString.pipe(Schema.int(), Schema.between(0, 65_535))

const isWebAddress = (text: string): boolean => {
  try {
    return /^https?:$/.test(new URL(text).protocol)
  } catch {
    return false
  }
}

/** A text with a pattern for JSON Schema; the errors of filters on it do not name the pattern. */
const textLike = (pattern: string) =>
  Schema.String.annotations({ jsonSchema: { type: "string", pattern } })

/** An http or https address. */
export const WebAddress = textLike("^https?://").pipe(
  Schema.filter((text) => isWebAddress(text) || "Input should be an http or https address")
)

const PATH = /^(?:\/[\w.~-]+)*$/

/** A path without a slash at its end; empty for the root. */
export const BasePath = textLike(PATH.source).pipe(
  Schema.filter(
    (path) =>
      PATH.test(path) || "Input should be a path such as `/attestry`, without a slash at its end"
  )
)

/** `SecretSettings` reports the problems of these. */
export const SecretUrl = Schema.String.pipe(
  Schema.minLength(1),
  Schema.annotations(FieldErrors.sensitive)
)

/** A list, separated by commas. */
const Entries = Schema.transform(Schema.String, Schema.Array(Schema.String), {
  strict: true,
  decode: (text) => text.split(",").flatMap((part) => (part.trim() === "" ? [] : [part.trim()])),
  encode: (parts) => parts.join(",")
})

/** Origins of pages, or `*` for all. */
export const Origins = Entries.pipe(
  Schema.filter((origins) => {
    const wrong = origins.find(
      (origin) => origin !== "*" && !(isWebAddress(origin) && new URL(origin).origin === origin)
    )
    return wrong === undefined || `\`${wrong}\` should be an origin like https://app.example.com`
  })
)

/** Addresses and networks. */
export const Networks = Entries.pipe(
  Schema.filter((networks) => {
    const wrong = networks.find((network) => Option.isNone(RemoteAddress.parseNetwork(network)))
    return wrong === undefined || `\`${wrong}\` should be an address or a network like 10.0.0.0/8`
  })
)

/** Destinations that are permitted beside public ones. */
export const Permitted = Entries.pipe(
  Schema.filter((entries) =>
    Either.match(AllowList.parse(entries), {
      onLeft: ({ message }) => message,
      onRight: () => true
    })
  )
)

/** A number of requests in a minute. */
export const PerMinute = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, 1_000_000_000)
)

/** At most 1 GiB; files are stored in chunks, so memory does not limit the size. */
export const AttachmentBytes = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, 1_073_741_824)
)

/** At most what a reader of evidence accepts; threads hold a file in memory. */
export const EvidenceBytes = Schema.NumberFromString.pipe(
  Schema.int(),
  Schema.between(1, EvidenceReader.FILE_BYTES_CEILING)
)

/** A setting that may be absent. */
export const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(schema, { exact: true })

/** The problem of the store `postgres` without the address of its database. */
export const missingAddress = (config: {
  readonly ATTESTRY_STORE: string
  readonly ATTESTRY_DATABASE_URL?: unknown
}): Schema.FilterIssue | undefined =>
  config.ATTESTRY_STORE === "postgres" && config.ATTESTRY_DATABASE_URL === undefined
    ? {
        path: ["ATTESTRY_DATABASE_URL"],
        message: "Field required when the store is `postgres`: give the address of the database"
      }
    : undefined

/** The problem of a reader that has no standby to read, or no primary for its small writes. */
export const incompleteReader = (config: {
  readonly ATTESTRY_ROLE: string
  readonly ATTESTRY_STORE: string
  readonly ATTESTRY_PRIMARY_DATABASE_URL?: unknown
}): Schema.FilterIssue | undefined => {
  if (config.ATTESTRY_ROLE !== "reader") return undefined
  if (config.ATTESTRY_STORE !== "postgres") {
    return {
      path: ["ATTESTRY_STORE"],
      message: "Input should be `postgres` when the role is `reader`: it reads from a standby"
    }
  }
  return config.ATTESTRY_PRIMARY_DATABASE_URL === undefined
    ? {
        path: ["ATTESTRY_PRIMARY_DATABASE_URL"],
        message: "Field required when the role is `reader`: give the address of the primary"
      }
    : undefined
}

/** The problem of a mail server without the address that mails come from. */
export const missingSender = (config: {
  readonly ATTESTRY_SMTP_URL?: unknown
  readonly ATTESTRY_SMTP_FROM?: unknown
}): Schema.FilterIssue | undefined =>
  config.ATTESTRY_SMTP_URL !== undefined && config.ATTESTRY_SMTP_FROM === undefined
    ? {
        path: ["ATTESTRY_SMTP_FROM"],
        message: "Field required with a mail server: give the address that mails come from"
      }
    : undefined
