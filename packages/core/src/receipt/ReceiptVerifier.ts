/** Use case: verifies decision receipts with known keys. It needs signatures and no store, so that any holder can. */
import { Signatures } from "@attestry/transparency-log/Signatures"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Receipt from "./Receipt.js"

/** A receipt that is true, and as expected. */
export interface VerifiedReceipt {
  readonly receipt: Receipt.ReceiptClaims
  /** The thumbprints of the keys that signed it. */
  readonly keys: ReadonlyArray<string>
}

/** Use case: verifies decision receipts. */
export class ReceiptVerifier extends Effect.Service<ReceiptVerifier>()(
  "@attestry/core/ReceiptVerifier",
  {
    effect: Effect.gen(function* () {
      const signatures = yield* Signatures

      /** Why a receipt is refused, or what it says. */
      const verify = (
        text: string,
        expected: Receipt.Expected
      ): Effect.Effect<Either.Either<VerifiedReceipt, Receipt.Refusal>> =>
        Effect.gen(function* () {
          const claimed = Receipt.claim(text, expected.keys)
          if (Either.isLeft(claimed)) return Either.left(claimed.left)
          const { keys, receipt, signed } = claimed.right
          if (!(yield* Effect.every(signed, signatures.verify))) return Either.left("signature")
          return Option.match(Receipt.compare(receipt, expected), {
            onNone: () => Either.right({ receipt, keys }),
            onSome: (refusal) => Either.left(refusal)
          })
        })

      return { verify } as const
    })
  }
) {}
