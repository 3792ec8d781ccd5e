/** Search by the prefix of a commit or a fingerprint. */
import * as Schema from "effect/Schema"
import type { Artifact } from "../artifact/Artifact.js"
import { FINGERPRINT_PREFIX_PATTERN } from "../artifact/Fingerprint.js"

/** Nothing in the org has this prefix. */
export class NoMatches extends Schema.TaggedError<NoMatches>()("NoMatches", {
  text: Schema.String
}) {
  override get message(): string {
    return `nothing begins with \`${this.text}\``
  }
}

const searchable = new RegExp(FINGERPRINT_PREFIX_PATTERN)

/** Whether a text can be the prefix of a commit or a fingerprint, and is long enough to be searched. */
export const isSearchable = (text: string): boolean => searchable.test(text)

/** The newest record of each fingerprint in each flow, newest first. */
export const newestOfEach = (records: ReadonlyArray<Artifact>): ReadonlyArray<Artifact> => {
  const newest = new Map<string, Artifact>()
  for (const record of [...records].sort((left, right) => right.sequence - left.sequence)) {
    const key = `${record.flow_id} ${record.fingerprint}`
    if (!newest.has(key)) newest.set(key, record)
  }
  return [...newest.values()]
}
