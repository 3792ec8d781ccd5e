/**
 * What this package needs of a PostgreSQL driver; `pg/internal/PgDriver` implements it on `pg`.
 *
 * It prepares each statement once per connection and sends several statements in one round trip. `@effect/sql-pg`
 * does neither: it sends every statement without a name, and PostgreSQL then parses and plans it each time.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import type { Connection } from "@effect/sql/SqlConnection"
import type { SqlError } from "@effect/sql/SqlError"
import * as Context from "effect/Context"
import type * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import type * as Stream from "effect/Stream"

/** A statement with its values. */
export interface PipelinedStatement {
  readonly text: string
  readonly values: ReadonlyArray<unknown>
}

/** The result of one statement: its command tag without counts, and its rows. */
export interface StatementResult {
  readonly command: string
  readonly rows: ReadonlyArray<object>
}

/** A connection that can run several statements in one round trip. */
export interface DriverConnection extends Connection {
  /** Runs statements in order; the first that fails ends it, and the statements after it do not run. */
  readonly pipeline: (
    statements: ReadonlyArray<PipelinedStatement>
  ) => Effect.Effect<ReadonlyArray<StatementResult>, SqlError>
}

/** A query whose only column is streamed out of PostgreSQL. */
export interface CopyRequest {
  /** The name of the operation in errors. */
  readonly operation: string
  readonly org: OrgId
  /** A query of one text column without parameters; it reads its arguments from `COPY_ARGUMENTS`. */
  readonly text: string
  /** The arguments of the query; they reach PostgreSQL as a value, never as part of a text. */
  readonly arguments: object
  /** Settings that hold while the query runs. */
  readonly settings: { readonly [name: string]: string }
}

/** The SQL expression that gives the `arguments` of a `CopyRequest` as `jsonb`. */
export const COPY_ARGUMENTS = "current_setting('attestry.arguments')::jsonb"

/** The driver. An interrupted statement is cancelled on the server. */
export class Driver extends Context.Tag("@attestry/sql-store/Driver")<
  Driver,
  {
    /** A connection for the time of the scope; an org gets its fair share of the pool and waits for the rest. */
    readonly reserve: (org: OrgId) => Effect.Effect<DriverConnection, SqlError, Scope.Scope>
    /**
     * The texts of the rows one after another, in UTF-8 and in chunks of any size, read in one transaction.
     *
     * PostgreSQL prints the texts: that costs a fraction of decoding and printing rows in this process. The stream
     * holds a connection until it ends, and few streams may hold one at a time. A reader that takes nothing for
     * long, or takes too long in all, fails; a reader that is interrupted releases the connection at once.
     */
    readonly copyOut: (request: CopyRequest) => Stream.Stream<Uint8Array, StoreError>
  }
>() {}
