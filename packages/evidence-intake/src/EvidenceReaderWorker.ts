/**
 * `EvidenceReader` in worker threads, which read outside of the event loop, with bounded time and memory.
 *
 * A file that makes a thread exceed a limit ends that thread alone. Threads have no environment and open no connection.
 */
import {
  EvidenceIsArchive,
  type EvidenceReadError,
  EvidenceReader,
  EvidenceReadersBusy,
  type EvidenceReading,
  EvidenceTooLarge,
  EvidenceUnreadable,
  type ReadEvidence
} from "@attestry/core/EvidenceReader"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Clock from "effect/Clock"
import * as Duration from "effect/Duration"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as Metric from "effect/Metric"
import * as MetricBoundaries from "effect/MetricBoundaries"
import { FILE_BYTES_MAX, READER_VERSION } from "./EvidenceReader.js"
import { PoolFull, ReaderPool } from "./internal/worker/ReaderPool.js"
import type { ReaderResult } from "./internal/worker/ReaderTask.js"
import { ThreadEnded } from "./internal/worker/ReaderThread.js"

/** The resources of the reader. */
export interface ReaderLimits {
  readonly threads: number
  /** How many files wait for a thread at most. */
  readonly waitingMax: number
  /** The time for the start of a thread. */
  readonly start: Duration.DurationInput
  /** The time for one file. */
  readonly file: Duration.DurationInput
  /** The heap of a thread in MiB. */
  readonly heapMiB: number
  /** The most bytes of a file, packed and unpacked. */
  readonly fileBytes: number
}

/** The default resources. */
export const DEFAULTS: ReaderLimits = {
  threads: 2,
  waitingMax: 32,
  start: "1 minute",
  file: "20 seconds",
  heapMiB: 512,
  fileBytes: FILE_BYTES_MAX
}

/** The message for a file that a thread could not finish. */
const EXCEEDED = "Reading the file takes more time or memory than it may use"

const restarts = Metric.counter("attestry_evidence_reader_restarts_total", {
  description: "Threads that read evidence files and were ended",
  incremental: true
})

const seconds = Metric.histogram(
  "attestry_evidence_reader_seconds",
  MetricBoundaries.fromIterable([0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 20]),
  "How long evidence files waited for a reader and were read, by the kind of their first document"
)

/** The label `kind` of a file that was not read, or has no document. */
const NO_KIND = "none"

const track = (kind: string, took: Duration.Duration): Effect.Effect<void> =>
  Metric.update(Metric.tagged(seconds, "kind", kind), Duration.toSeconds(took))

/** Measures the reading of a file. */
const measured = (
  reading: Effect.Effect<ReadEvidence, EvidenceReadError>
): Effect.Effect<ReadEvidence, EvidenceReadError> =>
  Effect.flatMap(Effect.timed(Effect.either(reading)), ([took, read]) =>
    Effect.zipRight(
      track(
        Either.isRight(read) ? (read.right.documents[0]?.facts.kind ?? NO_KIND) : NO_KIND,
        took
      ),
      read
    )
  )

const resultOf = (result: ReaderResult): Effect.Effect<ReadEvidence, EvidenceReadError> => {
  if (result._tag === "Read") return Effect.succeed(result.evidence)
  switch (result.kind) {
    case "unreadable":
      return new EvidenceUnreadable({ problem: result.message, line: result.line })
    case "too_large":
      return new EvidenceTooLarge({ problem: result.message })
    case "archive":
      return new EvidenceIsArchive()
  }
}

const failureOf = (cause: unknown): Effect.Effect<never, EvidenceReadError> => {
  if (cause instanceof PoolFull) return new EvidenceReadersBusy()
  const ended =
    cause instanceof ThreadEnded && cause.isStarted
      ? new EvidenceTooLarge({ problem: EXCEEDED })
      : new EvidenceReadersBusy()
  return Effect.zipRight(
    Effect.zipRight(
      Metric.increment(restarts),
      Effect.logWarning("a thread that reads evidence files was ended", cause)
    ),
    Effect.fail(ended)
  )
}

const readingOf = (pool: ReaderPool): EvidenceReading => ({
  version: String(READER_VERSION),
  read: ({ bytes, org, trust }) =>
    Effect.flatMap(Clock.currentTimeMillis, (millis) =>
      Effect.tryPromise({
        try: (signal) => {
          const now = Timestamp.fromMillis(millis)
          return pool.run({ org, task: { bytes, trust, now }, signal })
        },
        catch: (cause) => cause
      })
    ).pipe(Effect.matchEffect({ onFailure: failureOf, onSuccess: resultOf }), measured)
})

/** `EvidenceReader` in worker threads, with the texts of trust roots by the names that trust policies use. */
export const layer = (
  roots: ReadonlyMap<string, string> = new Map(),
  limits: Partial<ReaderLimits> = {}
): Layer.Layer<never> => {
  const { file, fileBytes, heapMiB, start, threads, waitingMax } = { ...DEFAULTS, ...limits }
  const make = Effect.sync(
    () =>
      new ReaderPool({
        threads,
        waitingMax,
        heapMiB,
        startMs: Duration.toMillis(start),
        fileMs: Duration.toMillis(file),
        equipment: { roots, fileBytes }
      })
  )
  return Layer.scoped(
    EvidenceReader,
    Effect.map(
      Effect.acquireRelease(make, (pool) => Effect.promise(() => pool.stop())),
      readingOf
    )
  )
}
