/** Makes the receipts of an audit package: the newest verdict about each artifact in each environment that ran it. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { Reaches } from "../access/Reaches.js"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import * as Placement from "../artifact/Placement.js"
import { LogKeys } from "../log/LogKeys.js"
import * as PublicKeySet from "../log/PublicKeySet.js"
import { type ReceiptQuestion, Receipts } from "../receipt/Receipts.js"
import type { EnvironmentName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import { ReadModels } from "../snapshot/ReadModels.js"

/** The most receipts of a package. */
export const RECEIPTS_MAX = 200

/** The receipt of an artifact in a snapshot, or why there is none. */
export interface PackagedReceipt {
  readonly environment: EnvironmentName
  readonly index: number
  readonly fingerprint: Fingerprint
  readonly receipt: Either.Either<string, string>
}

/** The receipts of a package, and the public keys that others check them with. */
export interface PackagedReceipts {
  readonly receipts: ReadonlyArray<PackagedReceipt>
  /** The answer of `/keys`. */
  readonly keys: string
}

/** Use case: makes the receipts of audit packages. */
export class PackageReceipts extends Effect.Service<PackageReceipts>()(
  "@attestry/core/PackageReceipts",
  {
    effect: Effect.gen(function* () {
      const [reaches, receipts] = [yield* Reaches, yield* Receipts]
      const [placements, logKeys] = [yield* ReadModels, yield* LogKeys]

      const receiptOf = (question: ReceiptQuestion, placement: Placement.Placement) => {
        const { fingerprint, index } = Placement.newestKey(placement)
        const { environmentName: environment } = placement
        const expression = { _tag: "Index", n: index } as const
        const asked = { environment, expression, fingerprint }
        return receipts.ofSnapshot(question, asked).pipe(
          Effect.either,
          Effect.flatMap((made) =>
            Either.isLeft(made) && made.left instanceof StoreError
              ? made.left
              : Effect.succeed({
                  environment,
                  index,
                  fingerprint,
                  receipt: Either.mapLeft(made, ({ message }) => message)
                } satisfies PackagedReceipt)
          )
        )
      }

      /** The receipts about some artifacts, by environment. A receipt that cannot be made has the reason. */
      const read = Effect.fn("PackageReceipts.read")(function* (
        question: ReceiptQuestion,
        fingerprints: ReadonlyArray<Fingerprint>
      ) {
        const granted = yield* reaches.authorize(question.org, "org.read")
        const found = yield* placements.placements(granted.orgId, [...new Set(fingerprints)])
        const readable = yield* reaches.keepReadable(granted, {
          kind: "environment",
          things: found,
          idOf: ({ environment }) => environment
        })
        const made = yield* Effect.forEach(readable.slice(0, RECEIPTS_MAX), (placement) =>
          receiptOf(question, placement)
        )
        const keys = yield* logKeys.list(granted.orgId)
        return {
          receipts: made,
          keys: PublicKeySet.print(
            keys.flatMap((key) => Option.toArray(PublicKeySet.fromRecorded(granted.org, key)))
          )
        } satisfies PackagedReceipts
      })

      return { read } as const
    })
  }
) {}
