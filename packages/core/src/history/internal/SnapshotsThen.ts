/** Reads the snapshot of an environment as of an instant, with the names of that instant. SPEC §4.5 */
import * as Effect from "effect/Effect"
import type { GrantedWithin } from "../../access/Reaches.js"
import * as CommitPosition from "../../shared/CommitPosition.js"
import type { EnvironmentName } from "../../shared/Identifier.js"
import { Transaction } from "../../shared/Transaction.js"
import * as CompleteSnapshots from "../../snapshot/internal/CompleteSnapshots.js"
import type { SnapshotExpression } from "../../snapshot/SnapshotExpression.js"
import * as SnapshotLookup from "../../snapshot/SnapshotLookup.js"
import { SnapshotStore } from "../../snapshot/SnapshotStore.js"
import { Snapshots } from "../../snapshot/Snapshots.js"
import * as AsOf from "../AsOf.js"
import * as NamesAsOf from "../NamesAsOf.js"
import * as EnvironmentThen from "./EnvironmentThen.js"

/** A snapshot expression and an instant. */
export interface Asked {
  readonly environment: EnvironmentName
  readonly expression: SnapshotExpression
  readonly asOf: AsOf.AsOf
}

/** Makes the reader. */
export const make = Effect.gen(function* () {
  const names = yield* NamesAsOf.make
  const snapshots = yield* Snapshots
  const store = yield* SnapshotStore
  const { complete } = yield* CompleteSnapshots.make
  const transaction = yield* Transaction
  const environmentThen = yield* EnvironmentThen.make

  const readThen = (
    granted: GrantedWithin,
    { environment: name, expression }: Asked,
    { asOf, isEarlier }: NamesAsOf.Moment
  ) =>
    Effect.gen(function* () {
      if (!isEarlier) return yield* snapshots.whole(granted, name, expression)
      const environment = yield* environmentThen(granted, name, asOf)
      return yield* transaction.run(granted.orgId, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const located = { environment, expression, now }
          const snapshot = yield* SnapshotLookup.locate(store, granted, located)
          const next = snapshot.next_timestamp
          const then =
            next !== null && next > asOf ? { ...snapshot, next_timestamp: null } : snapshot
          return yield* complete(environment, then, names.namingAt(asOf))
        })
      )
    })

  /**
   * Reads the snapshot, as who reads the whole org sees it, and the bound on its evidence; fails if the snapshot was
   * created after the instant.
   */
  return (granted: GrantedWithin, asked: Asked) =>
    Effect.gen(function* () {
      const moment = yield* names.momentOf(granted.orgId, asked.asOf)
      const { asOf, isEarlier } = moment
      const found = yield* readThen(granted, asked, moment)
      const { index, timestamp } = found.snapshot
      if (asOf < timestamp) return yield* new AsOf.SnapshotAfterAsOf({ index, timestamp, asOf })
      const bound = isEarlier ? CommitPosition.asOf(asOf) : CommitPosition.everything
      return { found, asOf, isEarlier, bound }
    })
})
