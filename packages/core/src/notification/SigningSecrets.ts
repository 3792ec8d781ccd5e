/**
 * The secrets that sign an org's webhooks, for its admins and for the sender.
 *
 * An org gets its first secret at the first read. The journal records that a secret exists and when it changed,
 * never the secret.
 */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as WriteContext from "../access/internal/WriteContext.js"
import { Journals } from "../journal/Journals.js"
import type { OrgId, OrgName } from "../shared/Identifier.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import { Transaction } from "../shared/Transaction.js"
import { NotificationStore } from "./NotificationStore.js"
import * as SigningSecret from "./SigningSecret.js"

const SYSTEM = { kind: "system", id: "system", name: "system" } as const

/** Use cases of signing secrets. */
export class SigningSecrets extends Effect.Service<SigningSecrets>()(
  "@attestry/core/SigningSecrets",
  {
    effect: Effect.gen(function* () {
      const store = yield* NotificationStore
      const transaction = yield* Transaction
      const journals = yield* Journals
      const secrets = yield* Secrets

      const record = (writer: WriteContext.WriteContext, kind: string) =>
        journals.record({
          ...writer,
          kind,
          subject: { type: "signing-secret", id: writer.org },
          content: {}
        })

      const getOrCreate = (
        writer: WriteContext.WriteContext
      ): Effect.Effect<SigningSecret.SigningSecret, StoreError> =>
        Effect.gen(function* () {
          const current = yield* store.findSecret(writer.org, { lock: true })
          if (Option.isSome(current)) return current.value
          const bytes = yield* secrets.randomBytes(SigningSecret.SECRET_BYTES)
          const first = SigningSecret.make(writer.org, { bytes, at: writer.at })
          if (!(yield* store.insertSecret(first))) return yield* getOrCreate(writer)
          yield* record(writer, "signing_secret_created")
          return first
        })

      /**
       * The secrets that sign for an org now, the current one first. The sender needs no permission and reads
       * them for each delivery, so that both secrets sign from the moment of a rotation.
       */
      const forDelivery = Effect.fn("SigningSecrets.forDelivery")((org: OrgId) =>
        transaction.run(org, (scope) =>
          Effect.flatMap(scope.now, (now) =>
            Effect.map(
              Effect.flatMap(
                store.findSecret(org),
                Option.match({
                  onSome: (secret) => Effect.succeed(secret),
                  onNone: () => getOrCreate({ org, actor: SYSTEM, at: now })
                })
              ),
              (secret) => SigningSecret.signingAt(secret, now)
            )
          )
        )
      )

      /** The org's secrets, for its admins. */
      const get = Effect.fn("SigningSecrets.get")(function* (org: OrgName) {
        const granted = yield* Access.authorize(
          yield* CurrentActor,
          org,
          "notification-config.write"
        )
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.flatMap(scope.now, (now) => getOrCreate(WriteContext.make(granted, now)))
        )
      })

      /** Replaces the org's secret; the previous one also signs for a while. */
      const rotate = Effect.fn("SigningSecrets.rotate")(function* (org: OrgName) {
        const granted = yield* Access.authorize(
          yield* CurrentActor,
          org,
          "notification-config.write"
        )
        return yield* transaction.run(granted.orgId, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            const writer = WriteContext.make(granted, now)
            const current = yield* getOrCreate(writer)
            const bytes = yield* secrets.randomBytes(SigningSecret.SECRET_BYTES)
            const next = SigningSecret.rotate(current, { bytes, at: now })
            yield* store.updateSecret(next)
            yield* record(writer, "signing_secret_rotated")
            return next
          })
        )
      })

      return { forDelivery, get, rotate } as const
    })
  }
) {}
