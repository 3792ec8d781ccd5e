/** Asks the witnesses of the policy what they have cosigned of our logs, through the guard of deliveries. */
import { WitnessUnreachable } from "@attestry/core/Cosigning"
import { LogPublishing } from "@attestry/core/LogPublishing"
import * as WitnessedCheckpoints from "@attestry/core/WitnessedCheckpoints"
import { GuardedHttpClient } from "@attestry/notifier/GuardedHttpClient"
import * as GuardedHttpClientNode from "@attestry/notifier/GuardedHttpClientNode"
import { Notes } from "@attestry/transparency-log/Notes"
import * as WitnessRequest from "@attestry/transparency-log/WitnessRequest"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import type { ServerConfig } from "../ServerConfig.js"
import * as Deliveries from "./Deliveries.js"
import { LogFileFailed } from "./LogKeyFile.js"
import * as WitnessFiles from "./WitnessFiles.js"

/** WHY short: the first question about a log waits for it. */
const TIMEOUT_MILLIS = 5_000

const readBy =
  (client: GuardedHttpClient["Type"]): WitnessedCheckpoints.Read =>
  (url) =>
    client
      .get({
        tenant: "witnesses",
        url,
        timeoutMs: TIMEOUT_MILLIS,
        headers: { "user-agent": "attestry" }
      })
      .pipe(Effect.mapError(({ reason }) => new WitnessUnreachable({ reason })))

const failed = (problem: string) =>
  new LogFileFailed({
    setting: "ATTESTRY_WITNESS_POLICY_FILE",
    problem: `its witnesses cannot be asked: ${problem}`
  })

const make = (config: ServerConfig) =>
  Effect.gen(function* () {
    const { policy } = yield* LogPublishing
    if (Option.isNone(policy)) return yield* WitnessedCheckpoints.WitnessedCheckpoints
    const trust = yield* Deliveries.readCertificates(config)
    const context = yield* Layer.build(
      GuardedHttpClientNode.layerWithResolver({
        allow: config.ATTESTRY_OUTBOUND_ALLOW,
        maxResponseBytes: WitnessRequest.BYTES_MAX,
        ...Deliveries.resolverOf(config),
        ...trust
      })
    )
    const client = yield* Effect.provide(GuardedHttpClient, context)
    return yield* WitnessedCheckpoints.make(policy.value.witnesses, readBy(client))
  }).pipe(Effect.mapError((error) => failed(error.message)))

/** The checkpoints that the witnesses of the policy file serve; none without a file. */
export const layer = (config: ServerConfig) =>
  Layer.scoped(WitnessedCheckpoints.WitnessedCheckpoints, make(config)).pipe(
    Layer.provide(Layer.provide(Notes.Default, SignaturesWebCrypto.layer)),
    Layer.provide(WitnessFiles.layerPublishing(config))
  )
