/**
 * Texts that PostgreSQL makes and we only pass on, however many there are.
 *
 * WHY: reading, decoding and printing rows in this process costs several times what PostgreSQL needs for it,
 * and the process has other things to answer meanwhile.
 */
import type { OrgId } from "@attestry/core/Identifier"
import type { StoreError } from "@attestry/core/StoreError"
import * as Context from "effect/Context"
import type * as Stream from "effect/Stream"

/** Texts that are wanted. */
export interface CopyRequest {
  /** The name that this has in errors. */
  readonly operation: string
  readonly org: OrgId
  /** A query of one column of texts, without parameters: what it is about, it reads from `ASKED`. */
  readonly text: string
  /** What the query is about; reaches PostgreSQL as a value, never as part of a text. */
  readonly asked: object
  /** Settings that hold while the query runs. */
  readonly settings: { readonly [name: string]: string }
}

/** What a query is about, as SQL: the `asked` of the request as `jsonb`. */
export const ASKED = "current_setting('attestry.asked')::jsonb"

/** Streams texts out of PostgreSQL. */
export class CopyOut extends Context.Tag("@attestry/sql-store/CopyOut")<
  CopyOut,
  {
    /**
     * The texts one after another, in UTF-8 and in pieces of any size, in one transaction of one org.
     *
     * A connection is held until the stream ends: few streams may have one at a time, others wait for their
     * turn. A reader that takes nothing for long, or takes too long in all, is cut off with a failure; one
     * that goes away gives the connection up at once.
     */
    readonly texts: (request: CopyRequest) => Stream.Stream<Uint8Array, StoreError>
  }
>() {}
