/** The composition of the assembled server: use cases on a store, with secrets, tracing and rule evaluation. */

import { CredentialLife } from "@attestry/core/CredentialLife"
import * as FastReportReader from "@attestry/core/FastReportReader"
import type { IdGenerator } from "@attestry/core/IdGenerator"
import { LogAddress } from "@attestry/core/LogAddress"
import { LogUpkeep } from "@attestry/core/LogUpkeep"
import type { Ports } from "@attestry/core/Ports"
import type { Secrets } from "@attestry/core/Secrets"
import type { StoreError } from "@attestry/core/StoreError"
import * as UseCases from "@attestry/core/UseCases"
import * as IdGeneratorWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import type { EmbeddedPostgresError } from "@attestry/embedded-postgres/EmbeddedPostgresError"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as MemoryStore from "@attestry/memory-store/MemoryStore"
import { BacktestsAtOnce } from "@attestry/policy-lab/BacktestsAtOnce"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as PgStore from "@attestry/sql-store/PgStore"
import * as Otlp from "@effect/opentelemetry/Otlp"
import * as FetchHttpClient from "@effect/platform/FetchHttpClient"
import * as Duration from "effect/Duration"
import * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as CapsuleParts from "./internal/CapsuleParts.js"
import * as Deliveries from "./internal/Deliveries.js"
import * as EmbeddedStore from "./internal/EmbeddedStore.js"
import * as EvidenceReading from "./internal/EvidenceReading.js"
import * as LogKeyFile from "./internal/LogKeyFile.js"
import { LogMarks } from "./internal/LogMarks.js"
import * as LogStateFile from "./internal/LogStateFile.js"
import { LoopWatch } from "./internal/LoopWatch.js"
import * as OtlpEndpoint from "./internal/OtlpEndpoint.js"
import { ReaderLag } from "./internal/ReaderLag.js"
import { ServerProcesses } from "./internal/ServerProcesses.js"
import * as SignInFile from "./internal/SignInFile.js"
import * as WitnessFiles from "./internal/WitnessFiles.js"
import * as WitnessMemory from "./internal/WitnessMemory.js"
import * as SecretsNode from "./SecretsNode.js"
import type { ServerConfig } from "./ServerConfig.js"

/** Exports spans to the configured collector; without one no span is made. */
export const tracing = (config: ServerConfig): Layer.Layer<never> =>
  config.ATTESTRY_OTLP_ENDPOINT === undefined
    ? Layer.setTracerEnabled(false)
    : Otlp.layerJson({
        ...OtlpEndpoint.make(config.ATTESTRY_OTLP_ENDPOINT),
        resource: { serviceName: "attestry-server" }
      }).pipe(Layer.provide(FetchHttpClient.layer))

/** The configured database, which is only read. */
const reading = (config: ServerConfig): Layer.Layer<Ports, StoreError> =>
  PgStore.layerReader({
    url: config.ATTESTRY_DATABASE_URL ?? Redacted.make(""),
    ...(config.ATTESTRY_PRIMARY_DATABASE_URL === undefined
      ? {}
      : { primaryUrl: config.ATTESTRY_PRIMARY_DATABASE_URL })
  })

/** The configured store. */
export const store = (
  config: ServerConfig
): Layer.Layer<Ports, StoreError | EmbeddedPostgresError> => {
  switch (config.ATTESTRY_STORE) {
    case "memory":
      return MemoryStore.layer
    case "embedded":
      return EmbeddedStore.layer({ dataDir: config.ATTESTRY_DATA_DIR })
    case "postgres":
      if (config.ATTESTRY_ROLE === "reader") return reading(config)
      return PgStore.layer({
        url: config.ATTESTRY_DATABASE_URL ?? Redacted.make(""),
        ...(config.ATTESTRY_MIGRATION_DATABASE_URL === undefined
          ? {}
          : { migrationUrl: config.ATTESTRY_MIGRATION_DATABASE_URL })
      })
  }
}

/** WHY not cached by a reader: what it reads may be late already. */
const credentialLife = ({ ATTESTRY_ROLE: role }: ServerConfig): Layer.Layer<never> =>
  role === "reader" ? Layer.succeed(CredentialLife, Duration.zero) : Layer.empty

/** How reports are read; the plain reader is core's default. */
const reportReader = ({ ATTESTRY_REPORT_READER: reader }: ServerConfig): Layer.Layer<never> =>
  reader === "fast" ? FastReportReader.layer : Layer.empty

/** Every service that `Serve` and administration commands need. */
export const layer = (
  config: ServerConfig
): Layer.Layer<
  | PolicyLab.PolicyLab
  | UseCases.UseCases
  | Ports
  | Secrets
  | IdGenerator
  | LogMarks
  | LoopWatch
  | ReaderLag
  | ServerProcesses,
  | StoreError
  | EmbeddedPostgresError
  | LogKeyFile.LogFileFailed
  | EvidenceReading.TrustRootsFailed
  | SignInFile.SignInFileFailed
  | Deliveries.InvalidDeliverySettings
> =>
  PolicyLab.layer.pipe(
    Layer.provideMerge(
      Layer.mergeAll(
        UseCases.layer,
        LogMarks.Default,
        LoopWatch.Default,
        ReaderLag.Default,
        ServerProcesses.Default
      )
    ),
    Layer.provide(
      Layer.mergeAll(
        Layer.succeed(LogUpkeep, "worker"),
        credentialLife(config),
        Layer.succeed(LogAddress, Option.fromNullable(config.ATTESTRY_PUBLIC_URL)),
        Layer.succeed(BacktestsAtOnce, config.ATTESTRY_BACKTESTS)
      )
    ),
    Layer.provide(
      Layer.mergeAll(
        LogStateFile.layer(config),
        WitnessFiles.layerPublishing(config),
        CapsuleParts.layer(config),
        Layer.provideMerge(WitnessMemory.layer(config), LogKeyFile.layer(config))
      )
    ),
    Layer.provideMerge(store(config)),
    Layer.provideMerge(Layer.merge(SecretsNode.layer, IdGeneratorWebCrypto.layerIds)),
    Layer.provideMerge(tracing(config)),
    Layer.provide(reportReader(config)),
    Layer.provide(PayloadRulesWorker.layer()),
    Layer.provide(EvidenceReading.layer(config)),
    Layer.provideMerge(SignInFile.layer(config)),
    Layer.provide(Deliveries.layerUrlCheck(config))
  )
