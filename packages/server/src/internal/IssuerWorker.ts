/**
 * Fetches the keys of issuers of id tokens, on one of all servers of a store, through the guard of deliveries.
 *
 * Rules are written by tenants, so that an issuer may be any address: it is reached as a webhook is, over https,
 * without redirects, and only where it is public or permitted.
 */
import type { BackgroundLeaseStore } from "@attestry/core/BackgroundLeaseStore"
import * as IssuerRefresh from "@attestry/core/IssuerRefresh"
import * as JsonText from "@attestry/core/JsonText"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import type { ServerConfig } from "../ServerConfig.js"
import * as Deliveries from "./Deliveries.js"
import * as LeaderLease from "./LeaderLease.js"

const LEASE = "issuer_keys"
/** How often a server looks for issuers whose keys are due: an exchange that waits is tried again after seconds. */
const POLL_MILLIS = 2_000
const ANSWER_BYTES_MAX = 262_144
const TIMEOUT_MILLIS = 10_000

/** The JSON of an address, through the guard. */
const fetchJson =
  (client: GuardedHttpClient["Type"]): IssuerRefresh.FetchJson =>
  (url) =>
    client
      .get({
        tenant: "issuers",
        url,
        headers: { accept: "application/json", "user-agent": "attestry" },
        timeoutMs: TIMEOUT_MILLIS
      })
      .pipe(
        Effect.mapError(({ reason }) => new IssuerRefresh.IssuerUnreachable({ reason })),
        Effect.flatMap(({ status, body }) => {
          if (status !== 200)
            return new IssuerRefresh.IssuerUnreachable({ reason: `status ${status}` })
          return Either.mapLeft(
            JsonText.parse(body),
            () => new IssuerRefresh.IssuerUnreachable({ reason: "no JSON" })
          )
        })
      )

const refreshOnce = (client: GuardedHttpClient["Type"]) =>
  LeaderLease.take(
    { name: LEASE, intervalMillis: POLL_MILLIS },
    Effect.flatMap(IssuerRefresh.IssuerRefresh, ({ refresh }) => refresh(fetchJson(client)))
  ).pipe(
    Effect.catchTag("StoreError", (error) =>
      Effect.logWarning("could not look for keys of issuers", error)
    )
  )

const run = (
  client: GuardedHttpClient["Type"]
): Effect.Effect<never, never, IssuerRefresh.IssuerRefresh | BackgroundLeaseStore> =>
  refreshOnce(client).pipe(Effect.zipRight(Effect.sleep(POLL_MILLIS)), Effect.forever)

/** Fetches keys until the scope closes. */
export const start = (config: ServerConfig) =>
  Effect.gen(function* () {
    const trust = yield* Deliveries.readCertificates(config)
    const context = yield* Layer.build(
      GuardedHttpClientNode.layerWithResolver({
        allow: config.ATTESTRY_OUTBOUND_ALLOW,
        maxResponseBytes: ANSWER_BYTES_MAX,
        ...Deliveries.resolverOf(config),
        ...trust
      })
    )
    const client = yield* Effect.provide(GuardedHttpClient, context)
    yield* Effect.forkScoped(run(client))
  })
