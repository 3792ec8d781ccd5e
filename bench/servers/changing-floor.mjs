/**
 * The floor of benchmark 5: node:http, JSON.parse, finding what differs from the report before, and the one
 * statement that appends it, by a name. No credentials, no validation, no digests, no lock, no journal and no
 * mark on the environment: whatever reports by HTTP can hardly do less.
 */
import { createServer } from "node:http"
import pg from "pg"
import { storedDocument } from "../lib/history.mjs"

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query("set search_path to attestry, pg_temp")

/** What was reported last for each environment, with the number of its snapshot. */
const known = new Map()

/** Rows by name and fingerprint. */
const rowsOf = ({ artifacts }) => {
  const rows = new Map()
  for (const unit of artifacts)
    for (const [name, fingerprint] of Object.entries(unit.digests))
      rows.set(`${fingerprint} ${name}`, { name, fingerprint, unit })
  return rows
}

const missingFrom = (rows, others) =>
  [...rows].flatMap(([key, row]) => (others.has(key) ? [] : [row]))

const draftOf = (index, before, rows) => {
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
  const event =
    (type, now) =>
    ({ name, fingerprint }) => ({
      name,
      fingerprint,
      type,
      was: 1 - now,
      now,
      arrived: now === 1
    })
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
    events: [...ended.map(event("exited", 0)), ...begun.map(event("started-unknown", 1))]
  }
}

/** The first report of an environment is the one that its history ends with, and says how long that is. */
const append = async (path, report) => {
  const [org, env, count] = path.split("/").slice(1)
  const rows = rowsOf(report)
  const last = known.get(env)
  const index = last === undefined ? Number(count) : last.index + 1
  known.set(env, { index, rows })
  if (last === undefined) return
  await client.query({
    name: "append",
    text: "select snapshot_append($1, $2, $3)",
    values: [org, env, JSON.stringify(draftOf(index, last.rows, rows))]
  })
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  await append(request.url, JSON.parse(Buffer.concat(chunks).toString("utf8")))
  response.writeHead(200, { "content-type": "application/json", "content-length": 4 })
  response.end('"OK"')
})

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on ${server.address().port}\n`)
})
process.on("SIGTERM", () => process.exit(0))
