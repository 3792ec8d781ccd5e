/** The command `key generate`: prints a new key for `ATTESTRY_BOOTSTRAP_KEY_FILE`, and stores nothing. */
import * as ApiKeySecret from "@attestry/core/ApiKeySecret"
import { ApiKeyId } from "@attestry/core/Identifier"
import { IdGenerator } from "@attestry/core/IdGenerator"
import { Secrets } from "@attestry/core/Secrets"
import * as IdGeneratorWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as SecretsNode from "../SecretsNode.js"

const make: Effect.Effect<string, never, IdGenerator | Secrets> = Effect.gen(function* () {
  const id = ApiKeyId.make(yield* (yield* IdGenerator).next)
  const bytes = yield* (yield* Secrets).randomBytes(ApiKeySecret.RANDOM_BYTES)
  const text = ApiKeySecret.make({ id, kind: "user" }, bytes)
  return Option.isSome(text) ? Redacted.value(text.value) : yield* make
})

/** Prints a new key. */
export const show = (write: (text: string) => void): Effect.Effect<void> =>
  Effect.map(make, (text) => write(`${text}\n`)).pipe(
    Effect.provide(SecretsNode.layer),
    Effect.provide(IdGeneratorWebCrypto.layerIds)
  )
