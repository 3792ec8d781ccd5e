/**
 * Asks witnesses to cosign the newest checkpoints of all orgs, on one of all servers of a store, through the guard of
 * deliveries.
 *
 * A witness that fails is left alone for a growing while; the others go on.
 */
import {
  Cosigning,
  type CosigningOutcome,
  type Submit,
  WitnessUnreachable
} from "@attestry/core/Cosigning"
import { LogPublishing } from "@attestry/core/LogPublishing"
import type { Org } from "@attestry/core/Org"
import { OrgStore } from "@attestry/core/OrgStore"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as Option from "effect/Option"
import type { ServerConfig } from "../ServerConfig.js"
import * as Deliveries from "./Deliveries.js"
import * as LeaderLease from "./LeaderLease.js"
import * as WitnessFiles from "./WitnessFiles.js"

const EVERY_MILLIS = 10_000
const TIMEOUT_MILLIS = 10_000
const LEASE = { name: "log-witness", intervalMillis: EVERY_MILLIS }
/** The longest time that a witness which fails is left alone. */
const REST_MILLIS_MAX = 600_000

const requests = Metric.counter("attestry_log_witness_requests_total", {
  description: "Requests for cosignatures on checkpoints, by their outcome",
  incremental: true
})

const asked = (outcome: CosigningOutcome) => Metric.tagged(requests, "outcome", outcome)

/** Witnesses that failed: how often, and until when they are left alone. */
export class Resting {
  readonly #until = new Map<string, { readonly failures: number; readonly until: number }>()

  isWanted(witness: string, now: number): boolean {
    return (this.#until.get(witness)?.until ?? 0) <= now
  }

  note(witness: string, outcome: CosigningOutcome, now: number): void {
    if (outcome === "cosigned" || outcome === "current") {
      this.#until.delete(witness)
      return
    }
    const failures = (this.#until.get(witness)?.failures ?? 0) + 1
    const rest = Math.min(REST_MILLIS_MAX, EVERY_MILLIS * 2 ** (failures - 1))
    this.#until.set(witness, { failures, until: now + rest })
  }
}

const submitBy =
  (client: GuardedHttpClient["Type"]): Submit =>
  (url, body) =>
    client
      .exchange({
        tenant: "witnesses",
        url,
        headers: { "content-type": "text/plain; charset=utf-8", "user-agent": "attestry" },
        body,
        timeoutMs: TIMEOUT_MILLIS
      })
      .pipe(Effect.mapError(({ reason }) => new WitnessUnreachable({ reason })))

/** Requests cosignatures for one org, and logs failures. */
const askFor = (org: Org, submit: Submit, resting: Resting) =>
  Effect.gen(function* () {
    const before = yield* Clock.currentTimeMillis
    const cosigning = yield* Cosigning
    const outcomes = yield* cosigning.cosign(org.id, submit, (name) =>
      resting.isWanted(name, before)
    )
    const now = yield* Clock.currentTimeMillis
    for (const [witness, outcome] of outcomes) {
      resting.note(witness, outcome, now)
      yield* Metric.increment(asked(outcome))
      if (outcome === "ahead") {
        yield* Effect.logError("a witness has cosigned more than the log has", {
          org: org.name,
          witness
        })
      } else if (outcome !== "cosigned" && outcome !== "current") {
        yield* Effect.logWarning("a witness did not cosign", { org: org.name, witness, outcome })
      }
    }
  })

const askAll = (submit: Submit, resting: Resting) =>
  Effect.gen(function* () {
    for (const org of yield* (yield* OrgStore).list) yield* askFor(org, submit, resting)
  })

const askOnce = (submit: Submit, resting: Resting) =>
  LeaderLease.take(LEASE, askAll(submit, resting)).pipe(
    Effect.catchTag("StoreError", (error) => Effect.logWarning("could not ask witnesses", error))
  )

/** Requests cosignatures until the scope closes; does nothing without a policy. */
export const start = (config: ServerConfig) =>
  Effect.gen(function* () {
    const publishing = yield* Layer.build(WitnessFiles.layerPublishing(config))
    const { policy } = yield* Effect.provide(LogPublishing, publishing)
    if (Option.isNone(policy)) return
    const trust = yield* Deliveries.readCertificates(config)
    const context = yield* Layer.build(
      GuardedHttpClientNode.layerWithResolver({
        allow: config.ATTESTRY_OUTBOUND_ALLOW,
        maxResponseBytes: WitnessRequest.BYTES_MAX,
        ...Deliveries.resolverOf(config),
        ...trust
      })
    )
    const submit = submitBy(yield* Effect.provide(GuardedHttpClient, context))
    const resting = new Resting()
    const work = Effect.forever(
      Effect.zipRight(askOnce(submit, resting), Effect.sleep(EVERY_MILLIS / 2))
    ).pipe(
      Effect.provide(
        Cosigning.Default.pipe(
          Layer.provide(WitnessFiles.layerPublishing(config)),
          Layer.provide(SignaturesWebCrypto.layer)
        )
      )
    )
    yield* Effect.forkScoped(work)
  })
