/** Bytes of a column. WHY not the schema of Effect alone: rows with it would all be decoded (`SchemaFastPath`). */
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Predicate from "effect/Predicate"
import * as Schema from "effect/Schema"

/** Bytes as they are stored. */
export const ByteColumn = Schema.Uint8ArrayFromSelf.annotations(
  SchemaFastPath.guardedBy(Predicate.isUint8Array)
)
