/**
 * The assembled API and the work that goes on in the background, without a listener.
 *
 * `Serve` listens for it, and `createAttestry` gives it to another host.
 */

import * as BreakGlassEnds from "@attestry/core/BreakGlassEnds"
import { Orgs } from "@attestry/core/Orgs"
import * as PendingWorker from "@attestry/core/PendingWorker"
import * as ProposalEnds from "@attestry/core/ProposalEnds"
import { StoreHealth, StoreUnhealthy } from "@attestry/core/StoreHealth"
import * as WaiverEnds from "@attestry/core/WaiverEnds"
import { AccessLog } from "@attestry/http/AccessLog"
import * as BasePath from "@attestry/http/BasePath"
import * as Cors from "@attestry/http/Cors"
import * as DocumentationPage from "@attestry/http/DocumentationPage"
import * as FeatureFlags from "@attestry/http/FeatureFlags"
import * as FileSpool from "@attestry/http/FileSpool"
import type { Dispatch } from "@attestry/http/HttpMessage"
import { PublicUrl } from "@attestry/http/PublicUrl"
import { Reader } from "@attestry/http/Reader"
import * as RequestLimits from "@attestry/http/RequestLimits"
import * as Server from "@attestry/http/Server"
import { ServiceVersion } from "@attestry/http/ServiceVersion"
import { UploadSpool } from "@attestry/http/UploadSpool"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schedule from "effect/Schedule"
import type { ServerConfig } from "../ServerConfig.js"
import * as Bootstrap from "./Bootstrap.js"
import * as DeadLetterRetention from "./DeadLetterRetention.js"
import * as Deliveries from "./Deliveries.js"
import * as IssuerWorker from "./IssuerWorker.js"
import { LogMarks } from "./LogMarks.js"
import * as LogScrub from "./LogScrub.js"
import * as LogWorker from "./LogWorker.js"
import { LoopWatch } from "./LoopWatch.js"
import * as NoticeScans from "./NoticeScans.js"
import * as Pages from "./Pages.js"
import * as ProcessMetrics from "./ProcessMetrics.js"
import * as ReaderLags from "./ReaderLag.js"
import * as ServerProcesses from "./ServerProcesses.js"
import * as Version from "./Version.js"
import * as WitnessFiles from "./WitnessFiles.js"
import * as WitnessWorker from "./WitnessWorker.js"

/** The options of the API that come from the configuration. */
const withSettings =
  (config: ServerConfig) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      Effect.provideService(UploadSpool, FileSpool.make()),
      Effect.provideService(ServiceVersion, Version.read()),
      Effect.provideService(AccessLog, config.ATTESTRY_ACCESS_LOG === "on"),
      Effect.provideService(RequestLimits.FileBytesMax, config.ATTESTRY_ATTACHMENT_BYTES_MAX),
      Effect.provideService(RequestLimits.EvidenceBytesMax, config.ATTESTRY_EVIDENCE_BYTES_MAX),
      Effect.provideService(RequestLimits.RequestLimits, {
        perOrg: config.ATTESTRY_RATE_PER_ORG,
        writesPerOrg: config.ATTESTRY_WRITES_PER_ORG,
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
      )
    )

/** What is served, by a reader: it is not ready, and hands on, while what it reads is too old. */
const asReader = <A, E, R>(
  config: ServerConfig,
  lag: ReaderLags.ReaderLag,
  served: Effect.Effect<A, E, R>
) =>
  Effect.gen(function* () {
    const health = yield* StoreHealth
    const max = config.ATTESTRY_READER_LAG_MAX
    const isLate = () => lag.isOver(max)
    const fresh = Effect.suspend(() =>
      isLate()
        ? new StoreUnhealthy({ reasons: [`the standby is more than ${max} ms behind its primary`] })
        : Effect.void
    )
    return yield* served.pipe(
      Effect.provideService(Reader, {
        isLate,
        servesUnnamed: config.ATTESTRY_READER_DEFAULT === "serve"
      }),
      Effect.provideService(StoreHealth, { check: Effect.zipRight(health.check, fresh) })
    )
  })

/** The function that serves every request; links in answers begin with the given address. */
export const dispatch = (config: ServerConfig, publicUrl: string) =>
  Effect.gen(function* () {
    const site = yield* Pages.make(config, publicUrl)
    const reader = config.ATTESTRY_ROLE === "reader" ? yield* ReaderLags.ReaderLag : undefined
    const served = Server.make({
      pages: yield* DocumentationPage.make,
      measure: Effect.zipRight(yield* ProcessMetrics.make, reader?.measure ?? Effect.void),
      ...(site === undefined ? {} : { site })
    })
    const { count } = yield* ServerProcesses.ServerProcesses
    const plain: Dispatch = yield* (
      reader === undefined ? served : asReader(config, reader, served)
    ).pipe(
      Effect.provideService(PublicUrl, publicUrl),
      Effect.provideService(RequestLimits.LimitSharers, () => count(config.ATTESTRY_ROLE)),
      Effect.provideService(RequestLimits.Overloaded, (yield* LoopWatch).isOverloaded)
    )
    const api = reader === undefined ? yield* WitnessFiles.front(config, publicUrl, plain) : plain
    const mounted = BasePath.under(api, config.ATTESTRY_BASE_PATH)
    const marks = yield* LogMarks
    return Cors.allow(marks.watch(mounted), config.ATTESTRY_CORS_ORIGINS)
  }).pipe(withSettings(config))

/** Deliveries, pending evaluations, logs and scans, until the scope closes; a reader watches its lag alone. */
export const startBackground = (config: ServerConfig, publicUrl: string) =>
  Effect.gen(function* () {
    yield* ServerProcesses.start(config.ATTESTRY_ROLE)
    if (config.ATTESTRY_ROLE === "reader") return yield* (yield* ReaderLags.ReaderLag).watch
    if (config.ATTESTRY_STORE === "postgres") yield* ReaderLags.renew
    yield* Layer.build(Deliveries.layer(config, publicUrl))
    yield* PendingWorker.run()
    if (config.ATTESTRY_DUE_TURN === "on") {
      yield* PendingWorker.runDue
      yield* PendingWorker.runBehind
    }
    yield* WaiverEnds.run()
    yield* ProposalEnds.run()
    yield* BreakGlassEnds.run()
    yield* Effect.forkScoped(LogWorker.run(publicUrl))
    yield* Effect.forkScoped(LogScrub.run(config.ATTESTRY_SCRUB_RATE))
    yield* NoticeScans.start(config.ATTESTRY_EXPIRY_SCAN_INTERVAL)
    yield* IssuerWorker.start(config)
    yield* WitnessWorker.start(config)
    yield* Effect.forkScoped(DeadLetterRetention.run(config.ATTESTRY_DEAD_LETTER_RETENTION))
  })

/** How long a start waits for the store's first answer. */
const FIRST_ANSWER = Schedule.intersect(
  Schedule.spaced("500 millis"),
  Schedule.recurUpTo("1 minute")
)

/** Waits for the store's first answer, and creates the first org on an empty store, as configured. */
export const bootstrap = (config: ServerConfig) =>
  Effect.zipRight(
    // WHY a read of its own: it may be repeated, and the first key is shown once.
    Effect.flatMap(Orgs, (orgs) => Effect.retry(orgs.list, FIRST_ANSWER)),
    config.ATTESTRY_ROLE === "reader"
      ? Effect.succeedNone
      : Bootstrap.run({
          org: config.ATTESTRY_BOOTSTRAP_ORG,
          user: config.ATTESTRY_BOOTSTRAP_USER,
          keyFile: config.ATTESTRY_BOOTSTRAP_KEY_FILE
        })
  )
