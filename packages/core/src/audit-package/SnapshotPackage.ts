/** The limits of the audit package of a snapshot, and why a snapshot has none. SPEC §4.21, §8 */
import * as Schema from "effect/Schema"
import { EnvironmentName } from "../shared/Identifier.js"

/** The most rows, those that have exited included. */
export const ROWS_MAX = 10_000

/** The most attestations, each counted for every row that it counts for. */
export const ATTESTATIONS_MAX = 50_000

/** The most attached files. */
export const FILES_MAX = 20_000

/** What of a package is counted. */
export const Counted = Schema.Literal("rows", "attestations", "files")
/** What of a package is counted. */
export type Counted = typeof Counted.Type

const MAX: { readonly [counted in Counted]: number } = {
  rows: ROWS_MAX,
  attestations: ATTESTATIONS_MAX,
  files: FILES_MAX
}

/** A snapshot has more than a package holds. */
export class SnapshotTooLarge extends Schema.TaggedError<SnapshotTooLarge>()("SnapshotTooLarge", {
  environment: EnvironmentName,
  index: Schema.Int,
  counted: Counted,
  max: Schema.Int
}) {
  override get message(): string {
    return `snapshot ${this.index} of \`${this.environment}\` has more than ${this.max} ${this.counted}`
  }
}

/** A snapshot by its environment and its index. */
export interface NamedSnapshot {
  readonly environment: EnvironmentName
  readonly index: number
}

/** The failure of a snapshot that has more of something than a package holds; undefined for another one. */
export const tooLarge = (
  { environment, index }: NamedSnapshot,
  counted: Counted,
  count: number
): SnapshotTooLarge | undefined => {
  const max = MAX[counted]
  return count > max ? new SnapshotTooLarge({ environment, index, counted, max }) : undefined
}
