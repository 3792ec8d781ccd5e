/** Compares the columns of a record with their expected values. Pure. */
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { Columns } from "../AuditStore.js"
import { UNRECORDED } from "./ReplayState.js"

const print = (value: unknown): string => CanonicalJson.print(value ?? null)

/**
 * The names of the columns that differ. An absent column counts as null; a column whose expected value is not
 * recorded is not compared.
 */
export const differing = (expected: Columns, stored: Columns): ReadonlyArray<string> =>
  [...new Set([...Object.keys(expected), ...Object.keys(stored)])]
    .filter(
      (name) => expected[name] !== UNRECORDED && print(expected[name]) !== print(stored[name])
    )
    .sort()
