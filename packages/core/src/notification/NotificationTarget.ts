/**
 * The targets of notifications: a chat service, a webhook, or mail addresses. SPEC §2.1
 *
 * This is the stored form. `TargetInput` is the form of requests; the outbound guard decides whether a URL may
 * be dialled.
 */
import * as Schema from "effect/Schema"
import * as FieldErrors from "../shared/FieldErrors.js"
import { NotificationTargetId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** The pattern of a chat or webhook URL. SPEC §8 */
export const URL_PATTERN = "^https://"
/** The most characters of a chat or webhook URL. */
export const URL_LENGTH_MAX = 2048
/** The most characters of a mail address, as RFC 5321 limits a path. */
export const EMAIL_LENGTH_MAX = 254
/** The most addresses of one e-mail target. */
export const EMAILS_MAX = 50
/** The most targets of one configuration or environment notification. */
export const TARGETS_MAX = 200
/** The one version of the webhook's body. SPEC §9.2 */
export const PAYLOAD_VERSION = "1.0"

const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
/**
 * The pattern of a mail address: an unquoted local part and a domain of at least two labels. Quoted parts,
 * comments and address literals are refused, so that no text that could end a header passes.
 */
export const EMAIL_PATTERN = `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`

/** The URL of a chat or webhook target. It is a secret of the org, because it may contain a token. */
export const TargetUrl = Schema.String.pipe(
  Schema.maxLength(URL_LENGTH_MAX),
  // WHY the annotation: the source of a regular expression has escaped slashes, and clients know this spelling.
  Schema.pattern(new RegExp(URL_PATTERN), { jsonSchema: { pattern: URL_PATTERN } }),
  Schema.annotations(FieldErrors.sensitive)
)

const isEmail = new RegExp(EMAIL_PATTERN)

/** One mail address. */
export const EmailAddress = Schema.String.pipe(
  Schema.maxLength(EMAIL_LENGTH_MAX),
  Schema.filter((text) => isEmail.test(text) || "Input should be a valid email address", {
    jsonSchema: { format: "email" }
  })
)

/** The incoming webhook of a chat service. */
export const ChatTarget = Schema.Struct({
  type: Schema.Literal("CHAT"),
  webhook: TargetUrl
}).annotations({ identifier: "ChatTarget" })
/** The incoming webhook of a chat service. */
export type ChatTarget = typeof ChatTarget.Type

/** A URL that receives the notification as a signed JSON body. */
export const WebhookTarget = Schema.Struct({
  type: Schema.Literal("WEBHOOK"),
  webhook: TargetUrl,
  payload_version: Schema.Literal(PAYLOAD_VERSION)
}).annotations({ identifier: "WebhookTarget" })
/** A URL that receives the notification as a signed JSON body. */
export type WebhookTarget = typeof WebhookTarget.Type

/** Mail addresses; one mail goes to all of them. */
export const EmailTarget = Schema.Struct({
  type: Schema.Literal("EMAIL"),
  emails: Schema.Array(EmailAddress)
}).annotations({ identifier: "EmailTarget" })
/** Mail addresses. */
export type EmailTarget = typeof EmailTarget.Type

/** A target: the values that sending needs. */
export const NotificationTarget = Schema.Union(ChatTarget, WebhookTarget, EmailTarget)
/** A target. */
export type NotificationTarget = typeof NotificationTarget.Type

/** Fields that a client gives about a chat target; stored, and not needed to send. */
export const ChatContext = Schema.Struct({
  channel_id: Schema.String,
  channel_name: Schema.String,
  team_id: Schema.String
}).annotations({ identifier: "ChatContext" })
/** Fields that a client gives about a chat target. */
export type ChatContext = typeof ChatContext.Type

/** A stored target with the results of its deliveries. SPEC §3.1 */
export const StoredTarget = Schema.Struct({
  id: NotificationTargetId,
  target: NotificationTarget,
  context: Schema.NullOr(ChatContext),
  last_success_at: Schema.NullOr(Timestamp),
  last_failure_at: Schema.NullOr(Timestamp),
  /** The class of the last failure, never an address or a response body. */
  last_error: Schema.NullOr(Schema.String),
  /** When the receiver answered that it is gone; no notification goes to it until it is saved again. */
  disabled_at: Schema.NullOr(Timestamp)
})
/** A stored target. */
export type StoredTarget = typeof StoredTarget.Type

/**
 * The identity of a target: type and URL, or type and set of addresses without regard to case or order. A
 * target that is saved again keeps its id and times by this. Times are ours; those that a client sends are ignored.
 */
export const identityOf = (target: NotificationTarget): string =>
  target.type === "EMAIL"
    ? `EMAIL ${[...new Set(target.emails.map((email) => email.toLowerCase()))].sort().join(" ")}`
    : `${target.type} ${target.webhook}`

/** A target to save. */
export type WantedTarget = Pick<StoredTarget, "target" | "context">

/**
 * The stored targets after a save: existing ones keep their ids and times and are no longer disabled; of equal
 * ones the first counts. `freshIds` has one id for each target to save.
 */
export const reconcile = (
  current: ReadonlyArray<StoredTarget>,
  wanted: ReadonlyArray<WantedTarget>,
  freshIds: ReadonlyArray<NotificationTargetId>
): ReadonlyArray<StoredTarget> => {
  const before = new Map(current.map((stored) => [identityOf(stored.target), stored]))
  const after = new Map<string, StoredTarget>()
  for (const [position, { target, context }] of wanted.entries()) {
    const identity = identityOf(target)
    const known = before.get(identity)
    const id = known?.id ?? freshIds[position]
    if (id === undefined || after.has(identity)) continue
    after.set(identity, {
      id,
      target,
      context,
      last_success_at: known?.last_success_at ?? null,
      last_failure_at: known?.last_failure_at ?? null,
      last_error: known?.last_error ?? null,
      disabled_at: null
    })
  }
  return [...after.values()]
}

/** The latest success over all targets, or null. */
export const lastSuccess = (
  targets: ReadonlyArray<Pick<StoredTarget, "last_success_at">>
): Timestamp | null =>
  targets.reduce<Timestamp | null>(
    (latest, { last_success_at: at }) =>
      latest === null || (at !== null && at > latest) ? at : latest,
    null
  )

/** The latest failure over all targets, or null. */
export const lastFailure = (
  targets: ReadonlyArray<Pick<StoredTarget, "last_failure_at">>
): Timestamp | null =>
  lastSuccess(targets.map(({ last_failure_at }) => ({ last_success_at: last_failure_at })))

/** Whether the last attempt at a target failed; one broken target must show. */
export const isFailing = ({
  last_success_at: success,
  last_failure_at: failure
}: Pick<StoredTarget, "last_success_at" | "last_failure_at">): boolean =>
  failure !== null && (success === null || failure > success)

/** Whether a target accepted the last attempt; false for one without attempts. */
export const isAnswering = (
  target: Pick<StoredTarget, "last_success_at" | "last_failure_at">
): boolean => target.last_success_at !== null && !isFailing(target)

/** Addresses of targets. */
export interface Addresses {
  /** URLs of chats and webhooks. */
  readonly urls: ReadonlyArray<string>
  readonly emails: ReadonlyArray<string>
}

/** The URL of a target whose own was erased: a name that never resolves, by RFC 6761. */
export const ERASED_URL = "https://erased.invalid/"

/** A target without some addresses: its URL becomes `ERASED_URL`, and mail addresses are left out. */
export const without = (
  target: NotificationTarget,
  { emails, urls }: Addresses
): NotificationTarget => {
  if (target.type === "EMAIL")
    return { ...target, emails: target.emails.filter((email) => !emails.includes(email)) }
  return urls.includes(target.webhook) ? { ...target, webhook: ERASED_URL } : target
}

/** Whether a target has an address that can be written to. */
export const hasAddress = (target: NotificationTarget): boolean =>
  target.type === "EMAIL" ? target.emails.length > 0 : target.webhook !== ERASED_URL
