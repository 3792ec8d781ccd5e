/** The draft of a snapshot as `snapshot_append` takes it: what ended and began between two reports with pods. */
import { storedDocument } from "./history.mjs"

/** The rows of a report, by fingerprint and name. */
export const rowsOf = ({ artifacts }) => {
  const rows = new Map()
  for (const unit of artifacts)
    for (const [name, fingerprint] of Object.entries(unit.digests))
      rows.set(`${fingerprint} ${name}`, { name, fingerprint, unit })
  return rows
}

const missingFrom = (rows, others) =>
  [...rows].flatMap(([key, row]) => (others.has(key) ? [] : [row]))

const eventOf =
  (type, now) =>
  ({ name, fingerprint }) => ({ name, fingerprint, type, was: 1 - now, now, arrived: now === 1 })

/** What is appended when these rows follow those before; without policies, nothing is known of any. */
export const draftOf = (index, before, rows) => {
  const ended = missingFrom(before, rows).map(({ name, fingerprint }) => ({ name, fingerprint }))
  const begun = missingFrom(rows, before).map(({ name, fingerprint, unit }) => ({
    name,
    fingerprint,
    verdict: "Unknown",
    started_index: index,
    flows: [],
    decisions: [],
    doc: storedDocument(unit)
  }))
  return {
    index,
    timestamp: 1_700_000_000_000_000 + index * 1_000_000,
    verdict: "Unknown",
    counts: { true: 0, false: 0, null: rows.size },
    running: rows.size,
    members: null,
    policies: [],
    ended,
    begun,
    events: [...ended.map(eventOf("exited", 0)), ...begun.map(eventOf("started-unknown", 1))]
  }
}
