/**
 * Where notifications go: a chat service, a webhook, or mail boxes. SPEC §2.1
 *
 * This is the form in which targets are kept and answered. What a client may send in place of one is
 * `TargetInput`; whether a URL may be dialled is decided by the outbound guard, not here.
 */
import * as Schema from "effect/Schema"
import * as FieldErrors from "../shared/FieldErrors.js"
import { NotificationTargetId } from "../shared/Identifier.js"
import { Timestamp } from "../shared/Timestamp.js"

/** A chat or webhook URL starts like this. SPEC §8 */
export const URL_PATTERN = "^https://"
/** A chat or webhook URL has at most this many characters. */
export const URL_LENGTH_MAX = 2048
/** A mail address has at most this many characters: what fits in a path of RFC 5321. */
export const EMAIL_LENGTH_MAX = 254
/** One e-mail target has at most this many addresses. DECISION B-81 */
export const EMAILS_MAX = 50
/** One configuration or environment notification has at most this many targets. DECISION B-81 */
export const TARGETS_MAX = 200
/** The one version of the webhook's body. SPEC §9.2 */
export const PAYLOAD_VERSION = "1.0"

const LABEL = "[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?"
/**
 * The pattern of a mail address: an unquoted local part and a domain of at least two labels. Quoted
 * parts, comments and address literals are refused, so nothing that could end a header passes.
 */
export const EMAIL_PATTERN = `^[a-zA-Z0-9.!#$%&'*+/=?^_\`{|}~-]{1,64}@${LABEL}(?:\\.${LABEL})+$`

/** The URL of a chat or webhook target. It is a secret of the org: see DECISION A-27. */
export const TargetUrl = Schema.String.pipe(
  Schema.maxLength(URL_LENGTH_MAX),
  // WHY the annotation: a pattern's own source has its slashes escaped, and clients know this spelling.
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

/** A URL that gets the notification as a signed JSON body. */
export const WebhookTarget = Schema.Struct({
  type: Schema.Literal("WEBHOOK"),
  webhook: TargetUrl,
  payload_version: Schema.Literal(PAYLOAD_VERSION)
}).annotations({ identifier: "WebhookTarget" })
/** A URL that gets the notification as a signed JSON body. */
export type WebhookTarget = typeof WebhookTarget.Type

/** Mail boxes; one mail goes to all of them. */
export const EmailTarget = Schema.Struct({
  type: Schema.Literal("EMAIL"),
  emails: Schema.Array(EmailAddress)
}).annotations({ identifier: "EmailTarget" })
/** Mail boxes. */
export type EmailTarget = typeof EmailTarget.Type

/** Where a notification goes, and what is needed to send it there. */
export const NotificationTarget = Schema.Union(ChatTarget, WebhookTarget, EmailTarget)
/** Where a notification goes. */
export type NotificationTarget = typeof NotificationTarget.Type

/** What a client says about the place of a chat target; kept, and never needed to send. */
export const ChatContext = Schema.Struct({
  channel_id: Schema.String,
  channel_name: Schema.String,
  team_id: Schema.String
}).annotations({ identifier: "ChatContext" })
/** What a client says about the place of a chat target. */
export type ChatContext = typeof ChatContext.Type

/** A target as it is kept, with what is known about deliveries to it. SPEC §3.1 */
export const StoredTarget = Schema.Struct({
  id: NotificationTargetId,
  target: NotificationTarget,
  context: Schema.NullOr(ChatContext),
  last_success_at: Schema.NullOr(Timestamp),
  last_failure_at: Schema.NullOr(Timestamp),
  /** When the receiver said that it is gone for good; nothing is addressed to it until it is saved again. */
  disabled_at: Schema.NullOr(Timestamp)
})
/** A target as it is kept. */
export type StoredTarget = typeof StoredTarget.Type

/**
 * What makes two targets the same: type and URL, or type and set of addresses without regard to case or
 * order. A target that is saved again keeps its id and its times by this. DECISION D10.4
 */
export const identityOf = (target: NotificationTarget): string =>
  target.type === "EMAIL"
    ? `EMAIL ${[...new Set(target.emails.map((email) => email.toLowerCase()))].sort().join(" ")}`
    : `${target.type} ${target.webhook}`

/** A target that is wanted, with what is kept beside it. */
export type WantedTarget = Pick<StoredTarget, "target" | "context">

/**
 * The targets that come of what is wanted: those that were there keep their ids and times, and are no
 * longer disabled; of equal ones the first counts. `freshIds` has one for each that is wanted.
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
    const id = before.get(identity)?.id ?? freshIds[position]
    if (id === undefined || after.has(identity)) continue
    const { last_success_at = null, last_failure_at = null } = before.get(identity) ?? {}
    after.set(identity, {
      id,
      target,
      context,
      last_success_at,
      last_failure_at,
      disabled_at: null
    })
  }
  return [...after.values()]
}

/** The latest success over all targets, or null. DECISION D9.8 */
export const lastSuccess = (
  targets: ReadonlyArray<Pick<StoredTarget, "last_success_at">>
): Timestamp | null =>
  targets.reduce<Timestamp | null>(
    (latest, { last_success_at: at }) =>
      latest === null || (at !== null && at > latest) ? at : latest,
    null
  )

/** Whether the last attempt at a target failed. DECISION D9.8 */
export const isFailing = ({
  last_success_at: success,
  last_failure_at: failure
}: Pick<StoredTarget, "last_success_at" | "last_failure_at">): boolean =>
  failure !== null && (success === null || failure > success)

/** Whether a target took what was last tried; one that nothing was ever sent to has yet to. */
export const isAnswering = (
  target: Pick<StoredTarget, "last_success_at" | "last_failure_at">
): boolean => target.last_success_at !== null && !isFailing(target)
