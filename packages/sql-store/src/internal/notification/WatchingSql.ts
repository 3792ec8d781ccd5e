/**
 * Reads the subscriptions that a write notifies. Their targets are read one by one, so that a damaged one does not hide
 * the others; what is damaged is logged and left out.
 */
import { DamagedRecords } from "@attestry/core/DamagedRecords"
import { StoredTarget } from "@attestry/core/NotificationTarget"
import type { StoreError } from "@attestry/core/StoreError"
import * as Effect from "effect/Effect"
import type * as Schema from "effect/Schema"
import * as SqlFailure from "../shared/SqlFailure.js"
import * as TenantQueries from "../shared/TenantQueries.js"

/** Subscriptions with those of their targets that can be read. */
export const list = <A extends { readonly targets: ReadonlyArray<unknown> }, I>(
  rows: TenantQueries.TenantQueries,
  row: Schema.Schema<A, I>,
  call: TenantQueries.ListCall
): Effect.Effect<
  ReadonlyArray<Omit<A, "targets"> & { readonly targets: ReadonlyArray<StoredTarget> }>,
  StoreError
> => {
  const { operation } = call
  const readTargets = (targets: ReadonlyArray<unknown>) =>
    SqlFailure.toStoreError(operation)(TenantQueries.listOf(StoredTarget, operation)(targets))
  return Effect.provideService(
    Effect.flatMap(rows.list(row, call), (found) =>
      Effect.forEach(found, (each) =>
        Effect.map(readTargets(each.targets), (targets) => ({ ...each, targets }))
      )
    ),
    DamagedRecords,
    []
  )
}
