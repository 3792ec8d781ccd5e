/**
 * The floor of benchmark 5: node:http, JSON.parse, finding what differs from the report before, and the one
 * statement that appends it, by a name. No credentials, no validation, no digests, no lock, no journal and no
 * mark on the environment: whatever reports by HTTP can hardly do less.
 */
import { createServer } from "node:http"
import pg from "pg"
import { draftOf, rowsOf } from "../lib/drafts.mjs"

const client = new pg.Client({ connectionString: process.env.DATABASE_URL })
await client.connect()
await client.query("set search_path to attestry, pg_temp")

/** What was reported last for each environment, with the number of its snapshot. */
const known = new Map()

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
