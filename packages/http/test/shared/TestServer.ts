/**
 * A whole server as one function, from requests to status and body, on each store.
 *
 * The tests of a file run on the memory store and on a new PostgreSQL database, with an org that has one key for each
 * role: `onEveryStore` uses one store in each of the two test runs, and `onBothStores` both in the same run.
 */

import { ApiKeys } from "@attestry/core/ApiKeys"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { Login, OrgName } from "@attestry/core/Identifier"
import type { IdGenerator } from "@attestry/core/IdGenerator"
import type { JournalEntry } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import { LogPublishing, type Publishing } from "@attestry/core/LogPublishing"
import * as LogSigner from "@attestry/core/LogSigner"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { Orgs } from "@attestry/core/Orgs"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import type { Secrets } from "@attestry/core/Secrets"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Effect, Layer, Logger, LogLevel, ManagedRuntime, Redacted } from "effect"
import { afterAll, beforeAll, describe } from "vitest"
import * as Server from "../../src/Server.js"
import * as FeatureFlags from "../../src/shared/FeatureFlags.js"
import type { Dispatch } from "../../src/shared/HttpMessage.js"
import * as RequestLimits from "../../src/shared/RequestLimits.js"
import * as WebHandler from "../../src/WebHandler.js"
import * as PlainReader from "../evidence/PlainReader.js"
import * as TestDatabase from "./TestDatabase.js"

/** A response with its body. */
export interface Answer {
  readonly status: number
  readonly body: unknown
  readonly headers: Headers
}

/** The caller of a request. */
export type Caller = Role | "foreigner" | "nobody"

/** Options of a call. */
export interface CallOptions {
  readonly path?: { readonly [name: string]: string }
  readonly query?: string
  readonly body?: unknown
  readonly raw?: BodyInit
  readonly headers?: { readonly [name: string]: string }
  /** The key to send: of a role in the org, of an admin of another org, or none. */
  readonly as?: Caller
}

/** A server under test. */
export interface TestServer {
  /** Calls an operation by its method and path template: `PUT /flows/{org}`. */
  readonly call: (operation: string, options?: CallOptions) => Promise<Answer>
  /** Serves a request as a host passes it on, also a malformed one. */
  readonly serve: Dispatch
  /** Whether it is the memory store, for tests about what was read from either. */
  readonly isInMemory: boolean
  /** The default of `{org}`. */
  readonly org: string
  /** The text of the caller's key. */
  readonly keyOf: (caller: Exclude<Caller, "nobody">) => string
  readonly journal: () => Promise<ReadonlyArray<JournalEntry>>
  /** Runs an effect on the services of the server, for work without an operation. */
  readonly run: <A, E>(effect: Effect.Effect<A, E, Services>) => Promise<A>
}

/** The services of the server. */
export type Services = PolicyLab.PolicyLab | UseCases.UseCases | Ports | Secrets | IdGenerator

/** Options of a server under test. */
export interface ServerOptions {
  readonly limits?: Partial<RequestLimits.Limits>
  /** Whether the process is overloaded; it never is by default. */
  readonly isOverloaded?: () => boolean
  /** The feature flags; all features are enabled by default. */
  readonly flags?: FeatureFlags.Flags
  /** The number of connections to PostgreSQL. */
  readonly connectionsMax?: number
  /** Ports that replace those of the store, and may use them. */
  readonly override?: Layer.Layer<never, never, Ports>
  /** Whether checkpoints of logs are signed; they are by default. */
  readonly isSigned?: boolean
  /** Which checkpoints are published; the newest signed ones by default. */
  readonly publishing?: Publishing
  /** Receives every line of the server log, of every level. */
  readonly logs?: Array<string>
  /** The resources of the engine of custom attestation types. */
  readonly rules?: Partial<PayloadRulesWorker.RuleLimits>
  /** Ports of use cases that replace their defaults. */
  readonly services?: Layer.Layer<never>
}

/** The address of the client, which a real server reads from its socket. */
export const ADDRESS_HEADER = "x-test-address"

const by = { kind: "system", id: "test", name: "test" } as const

const issueKey = (org: Org, login: string, role: Role) =>
  Effect.gen(function* () {
    const user = yield* (yield* Memberships).add({
      org,
      login: Login.make(login),
      role,
      displayName: null,
      email: null,
      by,
      source: "script"
    })
    const { key } = yield* (yield* ApiKeys).issue({
      org: org.id,
      user: user.id,
      by,
      description: "test",
      lifetimeSeconds: null
    })
    return Redacted.value(key)
  })

const start = (options: ServerOptions) =>
  Effect.gen(function* () {
    const orgs = yield* Orgs
    const org = yield* orgs.create(OrgName.make("acme"), by)
    const other = yield* orgs.create(OrgName.make("globex"), by)
    const keys: { readonly [caller in Exclude<Caller, "nobody">]: string } = {
      admin: yield* issueKey(org, "ada", "admin"),
      member: yield* issueKey(org, "max", "member"),
      snapshotter: yield* issueKey(org, "sue", "snapshotter"),
      reader: yield* issueKey(org, "rob", "reader"),
      foreigner: yield* issueKey(other, "fay", "admin")
    }
    const dispatch = yield* Server.make()
    const handler = yield* WebHandler.make(dispatch, {
      remoteAddress: ({ headers }) => headers.get(ADDRESS_HEADER) ?? ""
    })
    const journal = (yield* JournalStore).listAfter({ org: org.id, after: 0, limit: 10_000 })
    return { org, keys, dispatch, handler, journal }
  }).pipe(
    Effect.provideService(RequestLimits.RequestLimits, {
      ...RequestLimits.defaults,
      ...options.limits
    }),
    Effect.provideService(RequestLimits.Overloaded, options.isOverloaded ?? (() => false)),
    Effect.provideService(FeatureFlags.FeatureFlags, options.flags ?? FeatureFlags.byMode("on", ""))
  )

const urlOf = (template: string, path: { readonly [name: string]: string }, query = ""): string => {
  const filled = template.replaceAll(/\{([a-z_]+)\}/g, (_, name: string) =>
    encodeURIComponent(path[name] ?? `missing-${name}`)
  )
  return `http://attestry.test${filled.startsWith("/api/") ? "" : "/api/v2"}${filled}${query}`
}

const BINARY: ReadonlySet<string> = new Set([
  "application/octet-stream",
  "application/vnd.attestry.capsule+zip",
  "application/x-tar"
])

const read = async (response: Response): Promise<Answer> => {
  const { status, headers } = response
  const type = headers.get("content-type") ?? ""
  if (BINARY.has(type)) {
    return { status, body: new Uint8Array(await response.arrayBuffer()), headers }
  }
  const text = await response.text()
  const isJson = type.startsWith("application/json") && text !== ""
  return { status, body: isJson ? JSON.parse(text) : text, headers }
}

/** The request of a call with a key. */
export const requestTo = (
  org: string,
  key: string | undefined,
  operation: string,
  options: CallOptions
) => {
  const [method = "GET", template = "/"] = operation.split(" ")
  const body =
    options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
  return new Request(urlOf(template, { org, ...options.path }, options.query), {
    method,
    headers: {
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
      ...(options.body === undefined ? {} : { "content-type": "application/json" }),
      ...options.headers
    },
    ...(body === undefined ? {} : { body, duplex: "half" })
  })
}

const overridden = (
  ports: Layer.Layer<Ports, unknown>,
  { override }: ServerOptions
): Layer.Layer<Ports, unknown> =>
  override === undefined ? ports : Layer.provideMerge(override, ports)

const logging = ({ logs }: ServerOptions): Layer.Layer<never> =>
  logs === undefined
    ? Layer.empty
    : Layer.merge(
        Logger.replace(
          Logger.defaultLogger,
          Logger.make((entry) => logs.push(Logger.logfmtLogger.log(entry)))
        ),
        Logger.minimumLogLevel(LogLevel.All)
      )

/** The seed of the key that signs logs. */
export const LOG_KEY: LogSigner.SigningKey = { generation: 1, seed: new Uint8Array(32).fill(5) }

const publishing = ({ publishing: given }: ServerOptions): Layer.Layer<never> =>
  given === undefined ? Layer.empty : Layer.succeed(LogPublishing, given)

const signing = ({ isSigned = true }: ServerOptions): Layer.Layer<never> =>
  isSigned
    ? Layer.effect(LogSigner.LogSigner, LogSigner.fromKeys([LOG_KEY])).pipe(
        Layer.provide(SignaturesWebCrypto.layer)
      )
    : Layer.empty

type Store = readonly [string, () => Layer.Layer<Ports, unknown>, Layer.Layer<never>]

// WHY a reader each: both read reports alike, and every test of reports holds either to that.
const memory: Store = ["memory", () => MemoryStore.layer, Layer.empty]
const postgres = (options: ServerOptions): Store => [
  "PostgreSQL",
  () => TestDatabase.layerWith(options),
  FastReportReader.layer
]

/** Runs the tests on each store that is given. */
const runOn = (
  stores: ReadonlyArray<Store>,
  title: string,
  tests: (server: TestServer) => void,
  options: ServerOptions
): void => {
  for (const [name, store, reportReader] of stores) {
    describe(`${title} (${name})`, () => {
      let stop = async () => {}
      let started:
        | (Effect.Effect.Success<ReturnType<typeof start>> & Pick<TestServer, "run">)
        | undefined
      const ready = () => {
        if (started === undefined) throw new Error("the server has not started")
        return started
      }
      beforeAll(async () => {
        const runtime = ManagedRuntime.make(
          PolicyLab.layer.pipe(
            Layer.provideMerge(UseCases.layer),
            Layer.provideMerge(overridden(store(), options)),
            Layer.provideMerge(SecretsWebCrypto.layer),
            Layer.provideMerge(logging(options)),
            Layer.provide(PayloadRulesWorker.layer(options.rules)),
            Layer.provide(PlainReader.layer),
            Layer.provideMerge(options.services ?? Layer.empty),
            Layer.provide(Layer.merge(signing(options), publishing(options))),
            Layer.provide(reportReader)
          )
        )
        stop = () => runtime.dispose()
        started = {
          ...(await runtime.runPromise(start(options))),
          run: (effect) => runtime.runPromise(effect)
        }
      })
      afterAll(() => stop())
      tests({
        call: async (operation, options = {}) => {
          const { org, keys, handler } = ready()
          const caller = options.as ?? "admin"
          const key = caller === "nobody" ? undefined : keys[caller]
          return read(await handler(requestTo(org.name, key, operation, options)))
        },
        serve: (request) => Effect.suspend(() => ready().dispatch(request)),
        isInMemory: name === "memory",
        org: "acme",
        keyOf: (caller) => ready().keys[caller],
        journal: () => ready().run(ready().journal),
        run: (effect) => ready().run(effect)
      })
    })
  }
}

/** Runs the tests on PostgreSQL alone, for tests about what only a database has. */
export const onPostgres = (
  title: string,
  tests: (server: TestServer) => void,
  options: ServerOptions = {}
): void => runOn([postgres(options)], title, tests, options)

/** Runs the tests on both stores in the same run, for tests about stored behaviour. */
export const onBothStores = (
  title: string,
  tests: (server: TestServer) => void,
  options: ServerOptions = {}
): void => runOn([memory, postgres(options)], title, tests, options)

/** Runs the tests on the memory store in `pnpm test`, on PostgreSQL in `pnpm test:full`, and else on both. */
export const onEveryStore = (
  title: string,
  tests: (server: TestServer) => void,
  options: ServerOptions = {}
): void => {
  const run = process.env.ATTESTRY_TEST_RUN
  if (run !== "full") runOn([memory], title, tests, options)
  if (run !== "quick") runOn([postgres(options)], title, tests, options)
}
