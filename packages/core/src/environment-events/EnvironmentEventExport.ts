/** Port: the audit log of an environment as CSV lines. */
import * as Context from "effect/Context"
import type * as Stream from "effect/Stream"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Span } from "../snapshot/SnapshotRange.js"
import type { AuditLogFilter } from "./EnvironmentEvents.js"

/** Which lines are read. */
export interface AuditLogQuery {
  /** The environment's name, as lines contain it. */
  readonly environment: EnvironmentName
  /** The snapshots whose events are read. */
  readonly span: Span
  readonly filter: Pick<AuditLogFilter, "eventClasses" | "flowNames" | "repoNames">
}

/** Port: the audit log of an environment as CSV lines. */
export class EnvironmentEventExport extends Context.Tag("@attestry/core/EnvironmentEventExport")<
  EnvironmentEventExport,
  {
    /**
     * The lines without the header, oldest first, in UTF-8: byte for byte the output of
     * `EnvironmentEvents.printEvent` for the events that pass `EnvironmentEvents.matches`, with the current names
     * of flows. A chunk may end anywhere in a line. The stream is pulled, so the memory does not depend on the length
     * of the audit log. A store may limit the duration of a read; after a failure the output is incomplete.
     */
    readonly lines: (
      ref: EnvironmentRef,
      query: AuditLogQuery
    ) => Stream.Stream<Uint8Array, StoreError>
  }
>() {}
