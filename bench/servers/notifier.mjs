/** The notifier alone, as a deployment runs it: PostgreSQL's outbox, real names, guarded and signed posts. */
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

const extraCa = readFileSync(
  new URL("../../packages/notifier/test/fixture/receiver.cert.pem", import.meta.url),
  "utf8"
)
const outbound = GuardedHttpClientNode.layerWithResolver({
  allow: ["127.0.0.1"],
  resolver: process.env.RESOLVER,
  extraCa
})
const channels = Channels.layer({ publicUrl: "https://attestry.example.com", timeoutMs: 15_000 })
const worker = Notifier.layer().pipe(
  Layer.provide(channels),
  Layer.provide([outbound, HmacNode.layer, Mailer.layerNone]),
  Layer.provide(UseCases.layer),
  Layer.provide(PgStore.layer({ url: Redacted.make(process.env.DATABASE_URL) })),
  Layer.provide(SecretsWebCrypto.layer),
  Layer.provide(Layer.setTracerEnabled(false)),
  Layer.provide(Logger.minimumLogLevel(LogLevel.Error))
)
Effect.runFork(
  Effect.scoped(
    Effect.zipRight(
      Layer.build(worker),
      Effect.zipRight(
        Effect.sync(() => process.stdout.write("ready\n")),
        Effect.never
      )
    )
  )
)
process.on("SIGTERM", () => process.exit(0))
