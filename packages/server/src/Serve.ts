/**
 * The command `serve`: opens the store, listens, creates the first org, and serves until it is interrupted.
 *
 * WHY in this order: the first key is shown once, so it is created after everything that can fail. Earlier requests get
 * 503. The first key is shown once, so it is made when nothing else can fail.
 */
import { Orgs } from "@attestry/core/Orgs"
import type { Dispatch } from "@attestry/http/HttpMessage"
import * as NodeServer from "@attestry/http/NodeServer"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Application from "./internal/Application.js"
import * as AdminServer from "./internal/admin/AdminServer.js"
import * as Banner from "./internal/Banner.js"
import type { FirstStart } from "./internal/Bootstrap.js"
import * as Logging from "./internal/Logging.js"
import * as LogKeyFile from "./internal/LogKeyFile.js"
import * as StartingDispatch from "./internal/StartingDispatch.js"
import * as StartProgress from "./internal/StartProgress.js"
import type { ServerConfig } from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** How long a stopping server waits for requests under way (P-DRAIN). */
const DRAIN_TIMEOUT = "15 seconds"

/** Fills the first org before the server takes requests. */
export type Fill<E> = (dispatch: Dispatch, first: FirstStart) => Effect.Effect<void, E>

/** The program between the opened store and the interruption; `isStarted` is called when requests are taken. */
const serving = <E>(
  config: ServerConfig,
  show: (text: string) => void,
  { fill, isStarted }: { readonly fill: Fill<E> | undefined; readonly isStarted: () => void }
) =>
  Effect.gen(function* () {
    const start = StartingDispatch.make()
    const { url } = yield* NodeServer.make(start.dispatch, {
      host: config.ATTESTRY_HOST,
      port: config.ATTESTRY_PORT,
      drainTimeout: DRAIN_TIMEOUT,
      trustedProxies: config.ATTESTRY_TRUSTED_PROXIES,
      sendTimeout: config.ATTESTRY_SEND_TIMEOUT
    })
    const publicUrl = config.ATTESTRY_PUBLIC_URL ?? `${url}${config.ATTESTRY_BASE_PATH}`
    const dispatch = yield* Application.dispatch(config, publicUrl)
    // WHY not in a reader: most commands write.
    if (config.ATTESTRY_ROLE === "writer") yield* AdminServer.make(config)
    const startBackground = Application.startBackground(config, publicUrl)
    if (fill === undefined) yield* startBackground
    const first = yield* Application.bootstrap(config)
    if (fill !== undefined) {
      if (Option.isSome(first)) yield* fill(dispatch, first.value)
      // WHY after it: deliveries and scans are about the present.
      yield* startBackground
    }
    const orgs = yield* (yield* Orgs).list
    const isSigned = yield* LogKeyFile.isSigning(config)
    yield* Effect.sync(() => {
      start.open(dispatch)
      isStarted()
      show(
        Banner.print({
          url,
          publicUrl: config.ATTESTRY_PUBLIC_URL,
          store: config.ATTESTRY_STORE,
          hasPages: config.ATTESTRY_WEB !== "off",
          permitted: config.ATTESTRY_OUTBOUND_ALLOW,
          isSigned,
          first,
          orgs: orgs.map(({ name }) => name)
        })
      )
    })
    if (!isSigned) yield* Effect.logWarning(Banner.UNSIGNED)
    yield* Effect.logInfo("listening", { url })
    return yield* Effect.never
  }).pipe(
    // WHY: deliveries under way must not delay the moment at which `/ready` answers 503.
    Effect.parallelFinalizers,
    Effect.scoped,
    Effect.provide(ServerLayer.layer(config)),
    Effect.provide(Logging.layer(config))
  )

/** Serves until it is interrupted; `show` prints the banner, and `fill` gives a new store a content. */
export const serve = <E = never>(
  config: ServerConfig,
  show: (text: string) => void,
  fill?: Fill<E>
) =>
  Effect.acquireUseRelease(
    Effect.sync(() => StartProgress.begin(config, (line) => process.stderr.write(line))),
    (isStarted) => serving(config, show, { fill, isStarted }),
    (isStarted) => Effect.sync(isStarted)
  )
