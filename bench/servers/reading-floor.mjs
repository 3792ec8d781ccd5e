/**
 * The floor of benchmark 2: node:http, JSON.parse, validation by hand, the digest of the sorted lines, one
 * named statement on PostgreSQL. No credentials, no router, and it stops at the first problem.
 */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import pg from "pg"

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })
const DIGEST = /^[a-f0-9]{64}$/

const linesOf = ({ artifacts }) => {
  const lines = new Set()
  for (const { app_kind, app_name, creationTimestamp, digests, digests_source } of artifacts) {
    if (typeof app_kind !== "string" || typeof app_name !== "string") throw new Error("app")
    if (!Number.isInteger(creationTimestamp)) throw new Error("creationTimestamp")
    if (typeof digests_source !== "string") throw new Error("digests_source")
    for (const [name, digest] of Object.entries(digests)) {
      if (!DIGEST.test(digest)) throw new Error("digest")
      lines.add(`${digest} ${JSON.stringify(name)}`)
    }
  }
  return [...lines].sort().join("\n")
}

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const lines = linesOf(JSON.parse(Buffer.concat(chunks).toString("utf8")))
  const digest = createHash("sha256").update(lines).digest("hex")
  const { rows } = await pool.query({
    name: "environment",
    text: `select e.environment_id, e.rows_digest from attestry.environment e
      join attestry.org o on o.org_id = e.org_id where o.name = $1 and e.name = $2`,
    values: ["bench", request.url.slice(1)]
  })
  if (rows[0]?.rows_digest !== digest) throw new Error("the digest is not the one of the server")
  const body = '"OK"'
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
  response.end(body)
})

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on ${server.address().port}\n`)
})
process.on("SIGTERM", () => process.exit(0))
