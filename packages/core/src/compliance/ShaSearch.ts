/** What a text that may begin a commit or a fingerprint is worth searching for, and what is shown of it. */
import * as Schema from "effect/Schema"
import type { Artifact } from "../artifact/Artifact.js"
import { FINGERPRINT_PREFIX_PATTERN } from "../artifact/Fingerprint.js"

/** Nothing in the org begins like this. */
export class NoMatches extends Schema.TaggedError<NoMatches>()("NoMatches", {
  text: Schema.String
}) {
  override get message(): string {
    return `nothing begins with \`${this.text}\``
  }
}

const searchable = new RegExp(FINGERPRINT_PREFIX_PATTERN)

/** Whether a commit or a fingerprint can begin like this; shorter texts would mean too much. */
export const isSearchable = (text: string): boolean => searchable.test(text)

/** Of each content in each flow the newest record, newest first. */
export const newestOfEach = (records: ReadonlyArray<Artifact>): ReadonlyArray<Artifact> => {
  const newest = new Map<string, Artifact>()
  for (const record of [...records].sort((left, right) => right.sequence - left.sequence)) {
    const key = `${record.flow_id} ${record.fingerprint}`
    if (!newest.has(key)) newest.set(key, record)
  }
  return [...newest.values()]
}
