/**
 * The command `serve`: opens the store, listens, creates the first org, and serves until it is interrupted.
 *
 * WHY in this order: the first key is shown once, so it is created after everything that can fail. Earlier requests get
 * 503. DECISION B-176
 */
import { Orgs } from "@attestry/core/Orgs"
import * as PendingWorker from "@attestry/core/PendingWorker"
import { AccessLog } from "@attestry/http/AccessLog"
import * as DocumentationPage from "@attestry/http/DocumentationPage"
import * as FeatureFlags from "@attestry/http/FeatureFlags"
import * as FileSpool from "@attestry/http/FileSpool"
import * as NodeServer from "@attestry/http/NodeServer"
import { PublicUrl } from "@attestry/http/PublicUrl"
import * as RequestLimits from "@attestry/http/RequestLimits"
import * as Server from "@attestry/http/Server"
import { UploadSpool } from "@attestry/http/UploadSpool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as AdminServer from "./internal/admin/AdminServer.js"
import * as Banner from "./internal/Banner.js"
import * as Bootstrap from "./internal/Bootstrap.js"
import * as DeadLetterRetention from "./internal/DeadLetterRetention.js"
import * as Deliveries from "./internal/Deliveries.js"
import * as ExpiryScan from "./internal/ExpiryScan.js"
import * as Logging from "./internal/Logging.js"
import * as ProcessMetrics from "./internal/ProcessMetrics.js"
import * as StartingDispatch from "./internal/StartingDispatch.js"
import type { ServerConfig } from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** How long a stopping server waits for requests under way (P-DRAIN). */
const DRAIN_TIMEOUT = "15 seconds"

/** Serves until it is interrupted; `show` prints the banner. */
export const serve = (config: ServerConfig, show: (text: string) => void) =>
  Effect.gen(function* () {
    const start = StartingDispatch.make()
    const { url } = yield* NodeServer.make(start.dispatch, {
      host: config.ATTESTRY_HOST,
      port: config.ATTESTRY_PORT,
      drainTimeout: DRAIN_TIMEOUT,
      trustedProxies: config.ATTESTRY_TRUSTED_PROXIES
    })
    const publicUrl = config.ATTESTRY_PUBLIC_URL ?? url
    const served = Server.make({
      pages: yield* DocumentationPage.make,
      measure: yield* ProcessMetrics.make
    })
    const dispatch = yield* Effect.provideService(served, PublicUrl, publicUrl)
    yield* AdminServer.make(config)
    yield* Layer.build(Deliveries.layer(config, publicUrl))
    yield* PendingWorker.run()
    yield* Effect.forkScoped(ExpiryScan.run(config.ATTESTRY_EXPIRY_SCAN_INTERVAL))
    yield* Effect.forkScoped(DeadLetterRetention.run(config.ATTESTRY_DEAD_LETTER_RETENTION))
    const first = yield* Bootstrap.run({
      org: config.ATTESTRY_BOOTSTRAP_ORG,
      user: config.ATTESTRY_BOOTSTRAP_USER,
      keyFile: config.ATTESTRY_BOOTSTRAP_KEY_FILE
    })
    const orgs = yield* (yield* Orgs).list
    yield* Effect.sync(() => {
      start.open(dispatch)
      show(
        Banner.print({
          url,
          publicUrl: config.ATTESTRY_PUBLIC_URL,
          store: config.ATTESTRY_STORE,
          permitted: config.ATTESTRY_OUTBOUND_ALLOW,
          first,
          orgs: orgs.map(({ name }) => name)
        })
      )
    })
    yield* Effect.logInfo("listening", { url })
    return yield* Effect.never
  }).pipe(
    Effect.provideService(UploadSpool, FileSpool.make()),
    Effect.provideService(AccessLog, config.ATTESTRY_ACCESS_LOG === "on"),
    Effect.provideService(RequestLimits.FileBytesMax, config.ATTESTRY_ATTACHMENT_BYTES_MAX),
    Effect.provideService(RequestLimits.RequestLimits, {
      perOrg: config.ATTESTRY_RATE_PER_ORG,
      perCredential: config.ATTESTRY_RATE_PER_CREDENTIAL,
      failuresPerSource: config.ATTESTRY_AUTH_FAILURES_PER_SOURCE,
      failuresPerKey: config.ATTESTRY_AUTH_FAILURES_PER_KEY
    }),
    Effect.provideService(
      FeatureFlags.FeatureFlags,
      FeatureFlags.byMode(
        config.ATTESTRY_BETA_CONTROLS,
        "the operator opens it with ATTESTRY_BETA_CONTROLS=on"
      )
    ),
    // WHY: deliveries under way must not delay the moment at which `/ready` answers 503.
    Effect.parallelFinalizers,
    Effect.scoped,
    Effect.provide(ServerLayer.layer(config)),
    Effect.provide(Logging.layer(config))
  )
