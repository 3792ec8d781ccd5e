/** Reports of what runs, as use cases take them. */
import type { PhysicalKind } from "@attestry/core/EnvironmentKind"
import * as FastReportReader from "@attestry/core/FastReportReader"
import { ReportReader } from "@attestry/core/ReportReader"
import type { SubmittedReport } from "@attestry/core/Reports"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

/** Something that runs; one instance, begun at 1, unless it says otherwise. */
export interface ReportedRow {
  readonly name: string
  readonly fingerprint: string
  readonly creationTimestamp?: ReadonlyArray<number>
}

/** The text of a report of these rows, for kinds whose units have no context. */
export const textOf = (rows: ReadonlyArray<ReportedRow>): string =>
  JSON.stringify({
    artifacts: rows.flatMap(({ name, fingerprint, creationTimestamp = [1] }) =>
      creationTimestamp.map((at) => ({ digests: { [name]: fingerprint }, creationTimestamp: at }))
    )
  })

/** A report of these rows. */
export const submitted = (
  kind: Extract<PhysicalKind, "docker" | "server">,
  bodyDigest: string,
  rows: ReadonlyArray<ReportedRow>
): SubmittedReport<never, never> => ({ kind, bodyDigest, text: Effect.succeed(textOf(rows)) })

/** Both readers, by name. */
export const readers: ReadonlyArray<readonly [name: string, reader: Layer.Layer<ReportReader>]> = [
  ["plain", Layer.sync(ReportReader, () => ReportReader.defaultValue())],
  ["fast", FastReportReader.layer]
]
