/** Serves the operations that make receipts of decisions. */
import { ReceiptApi } from "@attestry/api/ReceiptApi"
import type { OrgName } from "@attestry/core/Identifier"
import * as Log from "@attestry/core/Log"
import { EXPIRES_IN } from "@attestry/core/ReceiptLimits"
import { MEDIA_TYPES, type ReceiptPredicate } from "@attestry/core/ReceiptPredicate"
import { type ReceiptQuestion, Receipts } from "@attestry/core/Receipts"
import * as Sha256 from "@attestry/transparency-log/Sha256"
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import { streamed } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { PublicUrl } from "../../shared/PublicUrl.js"
import { targetOf } from "../../snapshot/internal/AssertionTarget.js"

const replyOf = (predicate: ReceiptPredicate) => (envelope: string) =>
  streamed(Stream.make(Sha256.utf8(envelope)), {
    "content-type": MEDIA_TYPES[predicate],
    "cache-control": "no-cache"
  })

/** Serves the operations of receipts. */
export const ReceiptHandlers = group(
  ReceiptApi,
  Effect.gen(function* () {
    const receipts = yield* Receipts
    const base = yield* PublicUrl
    const asked = (org: OrgName, predicate: ReceiptPredicate): ReceiptQuestion => ({
      org,
      origin: Log.originOf(base, org),
      publicUrl: base,
      predicate
    })
    return {
      snapshot: ({ path, urlParams: { fingerprint, predicate = "vsa" } }) =>
        receipts
          .ofSnapshot(asked(path.org, predicate), {
            environment: path.env_name,
            expression: path.snapshot_expression,
            ...(fingerprint === undefined ? {} : { fingerprint })
          })
          .pipe(toWire, Effect.map(replyOf(predicate))),
      assertion: ({ path: { fingerprint, org }, urlParams }) => {
        const { as_of: asOf, flow_name, predicate = "vsa" } = urlParams
        const { expires_in: expiresIn = EXPIRES_IN } = urlParams
        return Effect.flatMap(targetOf(urlParams), (target) =>
          receipts.ofAssertion(asked(org, predicate), {
            fingerprint,
            target,
            expiresIn,
            ...(asOf === undefined ? {} : { asOf }),
            ...(flow_name === undefined ? {} : { flow: flow_name })
          })
        ).pipe(toWire, Effect.map(replyOf(predicate)))
      }
    }
  })
)
