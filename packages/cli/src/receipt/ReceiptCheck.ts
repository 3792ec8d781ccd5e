/** Checks receipts of decisions on this machine, and says in words why one is refused. */
import * as DecisionReceipt from "@attestry/core/DecisionReceipt"
import type { Expected, ReceiptClaims, Refusal } from "@attestry/core/Receipt"
import { ReceiptVerifier, type VerifiedReceipt } from "@attestry/core/ReceiptVerifier"
import * as Timestamp from "@attestry/core/Timestamp"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import type * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { Fields } from "../shared/Json.js"
import type { Style } from "../shared/Style.js"

const layer = Layer.provide(ReceiptVerifier.Default, SignaturesWebCrypto.layer)

/** What a receipt says, or why it is refused. */
export const verify = (
  text: string,
  expected: Expected
): Promise<Either.Either<VerifiedReceipt, Refusal>> =>
  Effect.flatMap(ReceiptVerifier, (verifier) => verifier.verify(text, expected)).pipe(
    Effect.provide(layer),
    Effect.runPromise
  )

/** The words for a refusal. */
export const REFUSALS: { readonly [refusal in Refusal]: string } = {
  malformed: "it is no receipt of a decision",
  "unknown-key": "none of the keys signed it",
  "retired-key": "it was made after the end of the key that signed it",
  signature: "its signature is false",
  verifier: "the key that signed it belongs to another org or deployment",
  org: "it is of another org",
  subject: "it is about other artifacts",
  resource: "it was decided for another resource",
  environment: "it was decided for another environment",
  policies: "it was decided by other policies",
  log: "it is older than the log that was expected",
  "not-yet": "it was made in the future",
  earlier: "it says what was true at an earlier instant: with --earlier it will do",
  expired: "it has ended",
  "too-old": "it is too old",
  failed: "it says that the artifact is not compliant"
}

const isoOf = (at: Timestamp.Timestamp): string =>
  new Date(Timestamp.toSeconds(at) * 1_000).toISOString()

/** The members of a result that show what a receipt says. */
export const toFields = (receipt: ReceiptClaims): Fields => ({
  verdict: receipt.verdict,
  org: receipt.org,
  resource: receipt.resource,
  subjects: receipt.subjects,
  at: isoOf(receipt.at),
  earlier: receipt.isEarlier,
  expires_at: receipt.expiresAt === null ? null : isoOf(receipt.expiresAt),
  snapshot: receipt.snapshot,
  policies: receipt.policies,
  policies_sha256: DecisionReceipt.policiesDigest(receipt.policies),
  log: receipt.log,
  chain: receipt.chain
})

/** Up to so many artifacts are shown to people. */
const SHOWN = 5

/** What a receipt says, for people. */
export const toLines = (receipt: ReceiptClaims, style: Style): ReadonlyArray<string> => {
  const { subjects, snapshot, policies, expiresAt, log } = receipt
  const more = subjects.length - SHOWN
  const numbered = snapshot === null ? "" : `, snapshot ${snapshot}`
  return [
    `${style.text(receipt.verdict)} for ${style.text(receipt.resource)}${numbered}`,
    ...subjects
      .slice(0, SHOWN)
      .map(({ name, sha256 }) => `artifact ${style.text(sha256)} ${style.text(name)}`),
    ...(more > 0 ? [`and ${more} more`] : []),
    `policies ${policies.map(({ name, version }) => style.text(`${name} v${version}`)).join(", ") || "none"}`,
    `${receipt.isEarlier ? "as of" : "decided"} ${style.instant(Timestamp.toSeconds(receipt.at))}`,
    ...(expiresAt === null ? [] : [`ends ${style.instant(Timestamp.toSeconds(expiresAt))}`]),
    `log ${style.text(log.origin)}, size ${log.size}`
  ]
}
