/** Signing secrets of `NotificationStore` in memory. */

import type { NotificationStore } from "@attestry/core/NotificationStore"
import type { SigningSecret } from "@attestry/core/SigningSecret"
import * as Effect from "effect/Effect"
import * as MemoryRows from "../shared/MemoryRows.js"
import { type MemoryState, table } from "../shared/MemoryState.js"

const secrets = table<SigningSecret>("signing_secret")

/** Signing secrets of `NotificationStore` in memory. */
export const make: Effect.Effect<
  Pick<NotificationStore["Type"], "findSecret" | "insertSecret" | "updateSecret">,
  never,
  MemoryState
> = Effect.map(MemoryRows.make(secrets), (rows) => ({
  findSecret: rows.find,
  insertSecret: (secret) => rows.insert(secret.org_id, secret),
  updateSecret: (secret) => rows.replace(secret.org_id, secret)
}))
