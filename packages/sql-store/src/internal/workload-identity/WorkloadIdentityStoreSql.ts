/** `WorkloadIdentityStore` on PostgreSQL. */
import { WorkloadIdentityStore } from "@attestry/core/WorkloadIdentityStore"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

import * as IdentityRulesSql from "./IdentityRulesSql.js"
import * as IssuersSql from "./IssuersSql.js"

/** `WorkloadIdentityStore` on PostgreSQL. */
export const layer: Layer.Layer<
  WorkloadIdentityStore,
  never,
  SqlClient.SqlClient | TenantTransaction
> = Layer.effect(
  WorkloadIdentityStore,
  Effect.gen(function* () {
    return WorkloadIdentityStore.of({
      ...(yield* IdentityRulesSql.make),
      ...(yield* IssuersSql.make)
    })
  })
)
