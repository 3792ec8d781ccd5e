/**
 * Attestry in a host of your own, without knowing Effect: a store goes in, a request handler comes out.
 *
 * Deliveries, evaluations and scans of the assembled server are started with it. Hosts that
 * know Effect compose the layers themselves (docs/EMBEDDING.md).
 */
import type * as Http from "node:http"
import * as HttpHostSignIn from "@attestry/http/HostSignIn"
import * as NodeServer from "@attestry/http/NodeServer"
import * as WebHandler from "@attestry/http/WebHandler"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as ManagedRuntime from "effect/ManagedRuntime"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import { type HostSignIn, toEdge } from "./HostActor.js"
import * as Application from "./internal/Application.js"
import * as Admin from "./internal/admin/Admin.js"
import * as Banner from "./internal/Banner.js"
import * as Logging from "./internal/Logging.js"
import * as LogKeyFile from "./internal/LogKeyFile.js"
import * as ServerConfig from "./ServerConfig.js"
import * as ServerLayer from "./ServerLayer.js"

/** Memory, a PostgreSQL by its address, or a PostgreSQL that is kept in a folder and started by Attestry. */
export type StoreOption = "memory" | { readonly postgres: string } | { readonly folder: string }

/** The options of a host. */
export interface AttestryOptions {
  readonly store: StoreOption
  /** The address under which clients reach the host: the base of every link in answers. */
  readonly publicUrl?: string
  /** The path below which requests arrive, such as `/attestry`; the root by default. */
  readonly basePath?: string
  /** Origins of pages that may call the API from a browser; none by default, `*` is every origin. */
  readonly corsOrigins?: ReadonlyArray<string>
  /** Who has sent a request without an API key and without a session, in a host that signs people in itself. */
  readonly actor?: HostSignIn
  /** Further settings of the assembled server, under the names of its variables (docs/OPERATING.md). */
  readonly settings?: { readonly [variable: string]: string }
}

/** The org, the administrator and the key that were made because the store was empty; the key is returned once. */
export interface FirstStart {
  readonly org: string
  readonly user: string
  readonly key: string
}

/** A running Attestry. */
export interface Attestry {
  /** Answers a request of the Fetch standard. */
  readonly fetch: (request: Request) => Promise<Response>
  /** Answers a request of `node:http`, also behind Express or Fastify; nothing before it may read the body. */
  readonly listener: Http.RequestListener
  /** Orgs, users and keys, for which the API has no operation. */
  readonly admin: Admin.Admin
  /** The org and key of the first start; undefined on a store that has orgs. */
  readonly first: FirstStart | undefined
  /** Stops the background work and closes the store. */
  readonly close: () => Promise<void>
}

const storeSettings = (store: StoreOption): { readonly [variable: string]: string } => {
  if (store === "memory") return { ATTESTRY_STORE: "memory" }
  return "postgres" in store
    ? { ATTESTRY_STORE: "postgres", ATTESTRY_DATABASE_URL: store.postgres }
    : { ATTESTRY_STORE: "embedded", ATTESTRY_DATA_DIR: store.folder }
}

const configOf = ({ store, publicUrl, basePath, corsOrigins, settings }: AttestryOptions) =>
  ServerConfig.read({
    file: new Map(),
    flags: new Map(),
    variables: {
      ATTESTRY_LOG_LEVEL: "warning",
      ...(publicUrl === undefined ? {} : { ATTESTRY_PUBLIC_URL: publicUrl }),
      ...(basePath === undefined ? {} : { ATTESTRY_BASE_PATH: basePath }),
      ...(corsOrigins === undefined ? {} : { ATTESTRY_CORS_ORIGINS: corsOrigins.join(",") }),
      ...settings,
      ...storeSettings(store)
    }
  })

const start = (config: ServerConfig.ServerConfig, actor: HostSignIn | undefined) =>
  Effect.gen(function* () {
    const publicUrl =
      config.ATTESTRY_PUBLIC_URL ??
      `http://${config.ATTESTRY_HOST}:${config.ATTESTRY_PORT}${config.ATTESTRY_BASE_PATH}`
    const dispatch = yield* Effect.provideService(
      Application.dispatch(config, publicUrl),
      HttpHostSignIn.HostSignIn,
      actor === undefined ? undefined : toEdge(actor)
    )
    const listener = yield* NodeServer.listener(dispatch, {
      trustedProxies: config.ATTESTRY_TRUSTED_PROXIES,
      sendTimeout: config.ATTESTRY_SEND_TIMEOUT
    })
    const fetch = yield* WebHandler.make(dispatch)
    yield* Application.startBackground(config, publicUrl)
    const first = Option.match(yield* Application.bootstrap(config), {
      onNone: () => undefined,
      onSome: ({ org, user, key }) => ({ org, user, key: Redacted.value(key) })
    })
    if (!(yield* LogKeyFile.isSigning(config))) yield* Effect.logWarning(Banner.UNSIGNED)
    return { fetch, listener, first }
  })

/** Opens a store, prepares it, and serves it until it is closed. Rejects with the reason why it cannot start. */
export const createAttestry = async (options: AttestryOptions): Promise<Attestry> => {
  const config = Either.getOrThrowWith(configOf(options), (problem) => new Error(problem.message))
  const runtime = ManagedRuntime.make(
    Layer.provideMerge(Layer.scope, ServerLayer.layer(config)).pipe(
      Layer.provideMerge(Logging.layer(config))
    )
  )
  const close = () => runtime.dispose()
  try {
    const started = await runtime.runPromise(start(config, options.actor))
    return { ...started, admin: Admin.make((effect) => runtime.runPromise(effect)), close }
  } catch (cause) {
    await close()
    throw cause
  }
}
