/** A notifier in its own process, with the database and the certificate of its environment variables. */
import { readFileSync } from "node:fs"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as Channels from "@attestry/notifier/Channels"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as HmacNode from "@attestry/notifier/HmacNode"
import * as Mailer from "@attestry/notifier/Mailer"
import * as Notifier from "@attestry/notifier/Notifier"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, Layer, Logger, LogLevel, Redacted } from "effect"

const TIMEOUT_MS = Number(process.env.ATTEMPT_MILLIS)

const worker = Notifier.layer({ timeoutMs: TIMEOUT_MS, pollMillis: 50, backoffMillis: 200 }).pipe(
  Layer.provide(Channels.layer({ publicUrl: "https://attestry.example", timeoutMs: TIMEOUT_MS })),
  Layer.provide(
    GuardedHttpClientNode.layerWithResolver({
      allow: ["127.0.0.1"],
      extraCa: readFileSync(process.env.RECEIVER_CERTIFICATE, "utf8")
    })
  ),
  Layer.provide([HmacNode.layer, Mailer.layerNone]),
  Layer.provide(UseCases.layer),
  Layer.provide(PgStore.layer({ url: Redacted.make(process.env.DATABASE_URL) })),
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(Logger.minimumLogLevel(LogLevel.Error))
)

const main = Effect.runFork(
  Effect.scoped(
    Layer.build(worker).pipe(
      Effect.zipRight(Effect.sync(() => process.stdout.write("ready\n"))),
      Effect.zipRight(Effect.never)
    )
  )
)
main.addObserver(() => process.exit(0))
process.on("SIGTERM", () => main.unsafeInterruptAsFork(main.id()))
