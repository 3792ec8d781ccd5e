/** `SigningSecretStore` in memory. */
import type { SigningSecret } from "@attestry/core/SigningSecret"
import { SigningSecretStore } from "@attestry/core/SigningSecretStore"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as MemoryRows from "../shared/MemoryRows.js"
import { type MemoryState, table } from "../shared/MemoryState.js"

const secrets = table<SigningSecret>("signing_secret")

/** `SigningSecretStore` in memory. */
export const layer: Layer.Layer<SigningSecretStore, never, MemoryState> = Layer.effect(
  SigningSecretStore,
  Effect.map(MemoryRows.make(secrets), (rows) =>
    SigningSecretStore.of({
      findSecret: rows.find,
      insertSecret: (secret) => rows.insert(secret.org_id, secret),
      updateSecret: (secret) => rows.replace(secret.org_id, secret)
    })
  )
)
