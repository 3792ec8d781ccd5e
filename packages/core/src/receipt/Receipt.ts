/**
 * Decision receipts as others hold them: reading one, and checking it against what the holder expects, without a
 * server. Pure, and runs in browsers; it returns the signatures that must be true, and `ReceiptVerifier` verifies them.
 *
 * A receipt is refused unless every expectation holds. An unknown key, an unknown form and an unknown verdict are
 * refusals too.
 */

import * as Sha256 from "@attestry/transparency-log/Sha256"
import type { SignedMessage } from "@attestry/transparency-log/SignedNote"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Timestamp } from "../shared/Timestamp.js"
import * as DecisionReceipt from "./DecisionReceipt.js"
import * as Dsse from "./Dsse.js"
import { type ReceiptClaims, readStatement } from "./internal/ReceiptStatement.js"

/** What a receipt says, as far as it is checked. */
export type { ReceiptClaims } from "./internal/ReceiptStatement.js"

/** A public key that the holder trusts for the receipts of one log. */
export interface ReceiptKey {
  /** The thumbprint of the key (RFC 7638). */
  readonly kid: string
  /** 32 bytes. */
  readonly publicKey: Uint8Array
  /** The origin of the log that the key signs. */
  readonly origin: string
  readonly retiredAt: Timestamp | null
}

/** What the holder of a receipt expects. */
export interface Expected {
  readonly keys: ReadonlyArray<ReceiptKey>
  readonly now: Timestamp
  /** The fingerprint of the artifact. */
  readonly subject?: string
  readonly org?: string
  /** The resource that must have been decided for, such as the URL of an environment. */
  readonly resource?: string
  /** The environment that must have been decided for. */
  readonly environment?: string
  /** The digest of the set of policies. */
  readonly policies?: string
  /** Whether a verdict as of an instant before its making will do; by default it does not. */
  readonly allowsEarlier?: boolean
  /** The greatest age in microseconds. */
  readonly maxAge?: number
  /** The size of the log that the receipt must at least have seen. */
  readonly logSize?: number
}

/** Why a receipt is refused, in the order of the checks. */
export type Refusal =
  | "malformed"
  | "unknown-key"
  | "retired-key"
  | "signature"
  | "verifier"
  | "org"
  | "subject"
  | "resource"
  | "environment"
  | "policies"
  | "log"
  | "not-yet"
  | "earlier"
  | "expired"
  | "too-old"
  | "failed"

/** What a receipt says, once all of its claimed signatures are true. */
export interface ClaimedReceipt {
  readonly receipt: ReceiptClaims
  /** At least one. */
  readonly signed: ReadonlyArray<SignedMessage>
  /** The thumbprints of the keys that signed. */
  readonly keys: ReadonlyArray<string>
}

/** How far the clock of a verifier may be behind that of a server, in microseconds. */
export const SKEW = 300_000_000

/** An envelope and its statement, which nothing vouches for yet. */
interface Opened {
  readonly envelope: Dsse.Envelope
  readonly receipt: ReceiptClaims
}

const open = (text: string): Option.Option<Opened> =>
  Dsse.parse(text).pipe(
    Option.filter(({ payloadType }) => payloadType === Dsse.IN_TOTO),
    Option.flatMap((envelope) =>
      Option.map(readStatement(envelope.payload), (receipt) => ({ envelope, receipt }))
    )
  )

/** What an envelope says. Nothing vouches for it: only for showing, and for finding the keys. */
export const read = (text: string): Option.Option<ReceiptClaims> =>
  Option.map(open(text), ({ receipt }) => receipt)

/** Whether a key of a log may speak for the verifier of a receipt. */
const speaksFor = ({ origin }: ReceiptKey, { org, verifier, log }: ReceiptClaims): boolean => {
  const own = DecisionReceipt.hostOf(origin)
  return (
    own !== undefined &&
    origin === log.origin &&
    own.org === org &&
    ["https", "http"].some(
      (scheme) => DecisionReceipt.verifierOf({ base: `${scheme}://${own.host}`, org }) === verifier
    )
  )
}

const isLater = ({ retiredAt }: ReceiptKey, { at }: ReceiptClaims): boolean =>
  retiredAt !== null && at > retiredAt

const differs = <A>(expected: A | undefined, said: A | null): boolean =>
  expected !== undefined && expected !== said

/** The first expectation that what a receipt says does not meet. */
export const compare = (
  receipt: ReceiptClaims,
  expected: Omit<Expected, "keys">
): Option.Option<Refusal> => {
  const { subject, maxAge, now, logSize } = expected
  const checks: ReadonlyArray<readonly [Refusal, boolean]> = [
    ["org", differs(expected.org, receipt.org)],
    ["subject", subject !== undefined && !receipt.subjects.some((each) => each.sha256 === subject)],
    ["resource", differs(expected.resource, receipt.resource)],
    ["environment", differs(expected.environment, receipt.environment)],
    ["policies", differs(expected.policies, receipt.policiesDigest)],
    ["log", logSize !== undefined && receipt.log.size < logSize],
    ["not-yet", receipt.at > now + SKEW],
    ["earlier", receipt.isEarlier && expected.allowsEarlier !== true],
    ["expired", receipt.expiresAt !== null && receipt.expiresAt <= now],
    ["too-old", maxAge !== undefined && now - receipt.at > maxAge],
    ["failed", !receipt.passed]
  ]
  return Option.map(
    Option.fromNullable(checks.find(([, isRefused]) => isRefused)),
    ([refusal]) => refusal
  )
}

/**
 * What a receipt says, with the signatures that must be true: those by trusted keys that may speak for its verifier. A
 * false one of them refuses the receipt; others prove nothing.
 */
export const claim = (
  text: string,
  keys: ReadonlyArray<ReceiptKey>
): Either.Either<ClaimedReceipt, Refusal> => {
  const opened = Option.getOrUndefined(open(text))
  if (opened === undefined) return Either.left("malformed")
  const { envelope, receipt } = opened
  const known = envelope.signatures.flatMap(({ keyid, sig }) =>
    keys.filter(({ kid }) => kid === keyid).map((key) => ({ key, sig }))
  )
  if (known.length === 0) return Either.left("unknown-key")
  const own = known.filter(({ key }) => speaksFor(key, receipt))
  if (own.length === 0) return Either.left("verifier")
  const valid = own.filter(({ key }) => !isLater(key, receipt))
  if (valid.length === 0) return Either.left("retired-key")
  const message = Sha256.utf8(Dsse.signedText(envelope))
  return Either.right({
    receipt,
    keys: valid.map(({ key }) => key.kid),
    signed: valid.map(({ key, sig }) => ({ publicKey: key.publicKey, message, signature: sig }))
  })
}
