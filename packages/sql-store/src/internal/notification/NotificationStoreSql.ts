/** `NotificationStore` on PostgreSQL. */
import { NotificationStore } from "@attestry/core/NotificationStore"
import type * as SqlClient from "@effect/sql/SqlClient"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import type { TenantTransaction } from "../transaction/TenantTransaction.js"

import * as DecaysSql from "./DecaysSql.js"
import * as ExpiringKeysSql from "./ExpiringKeysSql.js"
import * as NotificationConfigsSql from "./NotificationConfigsSql.js"
import * as SigningSecretsSql from "./SigningSecretsSql.js"
import * as SubscriptionsSql from "./SubscriptionsSql.js"

/** `NotificationStore` on PostgreSQL. */
export const layer: Layer.Layer<NotificationStore, never, SqlClient.SqlClient | TenantTransaction> =
  Layer.effect(
    NotificationStore,
    Effect.gen(function* () {
      return NotificationStore.of({
        ...(yield* DecaysSql.make),
        ...(yield* ExpiringKeysSql.make),
        ...(yield* NotificationConfigsSql.make),
        ...(yield* SigningSecretsSql.make),
        ...(yield* SubscriptionsSql.make)
      })
    })
  )
