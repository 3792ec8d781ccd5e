/**
 * Makes the receipts of an audit package: the newest verdict about each artifact in each environment that ran it, or
 * those of one snapshot.
 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Stream from "effect/Stream"
import type { CurrentActor } from "../access/Actor.js"
import { type GrantedWithin, Reaches } from "../access/Reaches.js"
import { distinctKnown, type Fingerprint } from "../artifact/Fingerprint.js"
import * as Placement from "../artifact/Placement.js"
import { LogKeys } from "../log/LogKeys.js"
import * as PublicKeySet from "../log/PublicKeySet.js"
import { type ReceiptQuestion, Receipts } from "../receipt/Receipts.js"
import type { EnvironmentName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import type { CompleteSnapshot } from "../snapshot/Snapshots.js"

/** The most receipts of a package. */
export const RECEIPTS_MAX = 200

/** How many receipts of a snapshot are made at once: each waits for the store several times. */
const AT_ONCE = 8

/** The receipt of a snapshot, or of an artifact in it, or why there is none. */
export interface PackagedReceipt {
  readonly environment: EnvironmentName
  readonly index: number
  /** Null for the whole snapshot. */
  readonly fingerprint: Fingerprint | null
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

      /** A receipt, or in words why there is none. */
      const orReason = <E extends { readonly message: string }>(
        made: Effect.Effect<string, E | StoreError, CurrentActor>
      ): Effect.Effect<Either.Either<string, string>, StoreError, CurrentActor> =>
        Effect.flatMap(Effect.either(made), (found) =>
          Either.isLeft(found) && found.left instanceof StoreError
            ? found.left
            : Effect.succeed(Either.mapLeft(found, ({ message }) => message))
        )

      const receiptOf = (question: ReceiptQuestion, placement: Placement.Placement) => {
        const { fingerprint, index } = Placement.newestKey(placement)
        const { environmentName: environment } = placement
        const expression = { _tag: "Index", n: index } as const
        const asked = { environment, expression, fingerprint }
        return Effect.map(
          orReason(receipts.ofSnapshot(question, asked)),
          (receipt): PackagedReceipt => ({ environment, index, fingerprint, receipt })
        )
      }

      /** The public keys of the org, as `/keys` answers them. */
      const keysOf = ({ org, orgId }: GrantedWithin) =>
        Effect.map(logKeys.list(orgId), (keys) =>
          PublicKeySet.print(
            keys.flatMap((key) => Option.toArray(PublicKeySet.fromRecorded(org, key)))
          )
        )

      /**
       * The receipt of a snapshot, and one of each artifact that runs in it, made while they are read. The snapshot is
       * as who reads the whole org sees it.
       */
      const ofSnapshot = (
        granted: GrantedWithin,
        question: ReceiptQuestion,
        found: CompleteSnapshot
      ): Stream.Stream<PackagedReceipt, StoreError, CurrentActor> =>
        Stream.unwrap(
          Effect.map(receipts.makerOf(granted, question, found), (make) => {
            const { environment, rows, snapshot } = found
            const running = rows.filter(({ annotation }) => annotation.type !== "exited")
            const fingerprints = distinctKnown(running.map(({ fingerprint }) => fingerprint))
            return Stream.mapEffect(
              Stream.fromIterable([undefined, ...fingerprints]),
              (fingerprint) =>
                Effect.map(
                  orReason(make(fingerprint)),
                  (receipt): PackagedReceipt => ({
                    environment: environment.name,
                    index: snapshot.index,
                    fingerprint: fingerprint ?? null,
                    receipt
                  })
                ),
              { concurrency: AT_ONCE }
            )
          })
        )

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
        return {
          receipts: made,
          keys: yield* keysOf(granted)
        } satisfies PackagedReceipts
      })

      return { read, ofSnapshot, keysOf } as const
    })
  }
) {}
