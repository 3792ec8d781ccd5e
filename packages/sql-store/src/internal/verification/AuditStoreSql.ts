/** `AuditStore` on PostgreSQL. */
import { AuditStore } from "@attestry/core/AuditStore"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

import * as AuditedRecordsSql from "./AuditedRecordsSql.js"
import * as ErasedCopiesSql from "./ErasedCopiesSql.js"

/** `AuditStore` on PostgreSQL. */
export const layer: Layer.Layer<AuditStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    AuditStore,
    Effect.gen(function* () {
      return AuditStore.of({
        ...(yield* AuditedRecordsSql.make),
        ...(yield* ErasedCopiesSql.make)
      })
    })
  )
