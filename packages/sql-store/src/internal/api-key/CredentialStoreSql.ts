/** `CredentialStore` on PostgreSQL. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as SessionsSql from "../session/SessionsSql.js"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"
import * as ApiKeysSql from "./ApiKeysSql.js"

/** `CredentialStore` on PostgreSQL. */
export const layer: Layer.Layer<CredentialStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.scoped(
    CredentialStore,
    Effect.gen(function* () {
      return CredentialStore.of({
        ...(yield* ApiKeysSql.make),
        ...(yield* SessionsSql.make)
      })
    })
  )
