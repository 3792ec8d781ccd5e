/** Port: the audit log of an environment, as the lines that a reader gets. */
import * as Context from "effect/Context"
import type * as Stream from "effect/Stream"
import type { EnvironmentRef } from "../environment/Environment.js"
import type { EnvironmentName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Span } from "../snapshot/SnapshotRange.js"
import type { AuditLogFilter } from "./EnvironmentAuditLog.js"

/** Which lines are wanted. */
export interface AuditLogQuery {
  /** The environment's name, as lines show it. */
  readonly environment: EnvironmentName
  /** The snapshots that are told about: times have been turned into indexes. */
  readonly span: Span
  readonly filter: Pick<AuditLogFilter, "eventClasses" | "flowNames" | "repoNames">
}

/** Port: the audit log of an environment, as the lines that a reader gets. */
export class AuditLogStore extends Context.Tag("@attestry/core/AuditLogStore")<
  AuditLogStore,
  {
    /**
     * The lines without the header, oldest first, in UTF-8: to the byte what `EnvironmentAuditLog` prints of
     * the events that its `matches` lets through, with the names that flows have now. Pieces end anywhere,
     * and are read as they are asked for, so that the length of a log costs no memory. A store may limit how
     * long a reader takes; what came before a failure is not a log.
     */
    readonly lines: (
      ref: EnvironmentRef,
      query: AuditLogQuery
    ) => Stream.Stream<Uint8Array, StoreError>
  }
>() {}
