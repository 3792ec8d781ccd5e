/**
 * A target in a request: distinguished by `type`, strict, with defaults. SPEC §2.1
 *
 * A target without a type is the first of `CHAT`, `WEBHOOK` and `EMAIL` that has all its fields. Times of deliveries
 * are accepted and ignored. Errors never contain the input, because a target's URL is a secret.
 */
import * as Schema from "effect/Schema"
import * as FieldErrors from "../shared/FieldErrors.js"
import {
  ChatContext,
  EMAIL_LENGTH_MAX,
  EMAILS_MAX,
  EmailAddress,
  PAYLOAD_VERSION,
  TARGETS_MAX,
  TargetUrl,
  URL_LENGTH_MAX,
  URL_PATTERN,
  type WantedTarget
} from "./NotificationTarget.js"

const strict = { parseOptions: { onExcessProperty: "error" } } as const

const optional = <A, I>(schema: Schema.Schema<A, I>) => Schema.optionalWith(schema, { exact: true })

const times = {
  last_success_at: optional(Schema.NullOr(Schema.Finite)),
  last_failure_at: optional(Schema.NullOr(Schema.Finite)),
  last_error: optional(Schema.NullOr(Schema.String))
}

const ChatInput = Schema.Struct({
  type: Schema.Literal("CHAT"),
  webhook: TargetUrl,
  ...times,
  context: optional(Schema.NullOr(ChatContext))
})

const WebhookInput = Schema.Struct({
  type: Schema.Literal("WEBHOOK"),
  webhook: TargetUrl,
  payload_version: optional(Schema.Literal(PAYLOAD_VERSION)),
  ...times
})

const EmailInput = Schema.Struct({
  type: Schema.Literal("EMAIL"),
  emails: Schema.Array(EmailAddress).pipe(Schema.minItems(1), Schema.maxItems(EMAILS_MAX)),
  ...times
})

/** A target with its type. */
const TypedInput = Schema.Union(ChatInput, WebhookInput, EmailInput).annotations({
  ...strict,
  ...FieldErrors.sensitive
})

type TypedInput = typeof TypedInput.Type

/** The variants in the order in which a target without a type is tried. */
const FIELDS: ReadonlyArray<readonly [TypedInput["type"], ReadonlyArray<string>]> = [
  ["CHAT", Object.keys(ChatInput.fields)],
  ["WEBHOOK", Object.keys(WebhookInput.fields)],
  ["EMAIL", Object.keys(EmailInput.fields)]
]

/** Adds the type to a target without one; other inputs are left to the schema. */
const withType = (input: unknown): unknown => {
  if (typeof input !== "object" || input === null || Object.hasOwn(input, "type")) return input
  const names = Object.keys(input)
  const fitting = FIELDS.find(([, fields]) => names.every((name) => fields.includes(name)))
  return { ...input, type: fitting?.[0] ?? "CHAT" }
}

const nullable = (type: "number" | "object" | "string") => ({ anyOf: [{ type }, { type: "null" }] })

const jsonTimes = {
  last_success_at: nullable("number"),
  last_failure_at: nullable("number"),
  last_error: nullable("string")
}

const jsonUrl = { type: "string", pattern: URL_PATTERN, maxLength: URL_LENGTH_MAX }

const jsonVariant = (type: TypedInput["type"], required: string, properties: object) => ({
  type: "object",
  required: [required],
  properties: { type: { const: type, default: type }, ...properties, ...jsonTimes },
  additionalProperties: false
})

const jsonSchema = {
  anyOf: [
    jsonVariant("CHAT", "webhook", {
      webhook: jsonUrl,
      context: {
        anyOf: [
          {
            type: "object",
            required: ["channel_id", "channel_name", "team_id"],
            properties: {
              channel_id: { type: "string" },
              channel_name: { type: "string" },
              team_id: { type: "string" }
            },
            additionalProperties: false
          },
          { type: "null" }
        ]
      }
    }),
    jsonVariant("WEBHOOK", "webhook", {
      webhook: jsonUrl,
      payload_version: { const: PAYLOAD_VERSION, default: PAYLOAD_VERSION }
    }),
    jsonVariant("EMAIL", "emails", {
      emails: {
        type: "array",
        items: { type: "string", format: "email", maxLength: EMAIL_LENGTH_MAX },
        minItems: 1,
        maxItems: EMAILS_MAX
      }
    })
  ]
}

/** One target in a request. */
export const TargetInput = Schema.transform(Schema.Unknown, TypedInput, {
  // WHY not strict: the input is unknown until the other schema has decoded it.
  strict: false,
  decode: withType,
  encode: (input) => input
}).annotations({ identifier: "TargetInput", jsonSchema })
/** One target in a request, with its type. */
export type TargetInput = typeof TargetInput.Type

/** The targets in a request: at least one. SPEC §8 */
export const TargetInputs = Schema.Array(TargetInput).pipe(
  Schema.minItems(1),
  Schema.maxItems(TARGETS_MAX)
)

/** The fields of a target to store. */
export const wanted = (input: TargetInput): WantedTarget => {
  switch (input.type) {
    case "CHAT":
      return { target: { type: "CHAT", webhook: input.webhook }, context: input.context ?? null }
    case "WEBHOOK":
      return {
        target: { type: "WEBHOOK", webhook: input.webhook, payload_version: PAYLOAD_VERSION },
        context: null
      }
    case "EMAIL":
      return { target: { type: "EMAIL", emails: input.emails }, context: null }
  }
}
