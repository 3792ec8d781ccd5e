/** Compares the columns of a record with what they should be. Pure. */
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { Columns } from "../TableAuditStore.js"
import { UNRECORDED } from "./ReplayState.js"

const print = (value: unknown): string => CanonicalJson.print(value ?? null)

/**
 * The columns that are not what is expected, by name. An absent one is null, and one that is not told is not compared.
 */
export const differing = (expected: Columns, stored: Columns): ReadonlyArray<string> =>
  [...new Set([...Object.keys(expected), ...Object.keys(stored)])]
    .filter(
      (name) => expected[name] !== UNRECORDED && print(expected[name]) !== print(stored[name])
    )
    .sort()
