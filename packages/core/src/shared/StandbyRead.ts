/**
 * Reading from a standby, which may lag behind: what a read must show at least, and why a store cannot answer where a
 * writer can.
 */
import * as Context from "effect/Context"
import * as Predicate from "effect/Predicate"
import type { OrgId } from "./Identifier.js"

/** Entries of an org's journal, by their numbers. */
export interface SeenEntries {
  readonly org: OrgId
  readonly sequences: ReadonlyArray<number>
}

/**
 * Entries that every transaction of their org must see, in the current request; undefined where nothing is asked.
 *
 * Contract of a store: a transaction of the org that does not see all of them within 300 ms fails with `OnlyElsewhere`.
 */
export class MustSee extends Context.Reference<MustSee>()("@attestry/core/MustSee", {
  defaultValue: (): SeenEntries | undefined => undefined
}) {}

/** Why: it writes, replay of the primary's log has ended it, or the entries have not arrived. */
export type ElsewhereReason = "write" | "conflict" | "entry"

const MESSAGES: { readonly [reason in ElsewhereReason]: string } = {
  write: "the database takes no writes",
  conflict: "the transaction is in conflict with others, or with what the standby replays",
  entry: "the standby does not have the entries yet that the request names"
}

/** The cause of a `StoreError` where the store of a writer may answer instead. */
export class OnlyElsewhere extends Error {
  constructor(
    readonly reason: ElsewhereReason,
    cause?: unknown
  ) {
    super(MESSAGES[reason], { cause })
  }
}

/** Why an error, or one that it was caused by, needs another store; undefined for other errors. */
export const elsewhereReason = (error: unknown): ElsewhereReason | undefined => {
  if (error instanceof OnlyElsewhere) return error.reason
  return Predicate.hasProperty(error, "cause") ? elsewhereReason(error.cause) : undefined
}
