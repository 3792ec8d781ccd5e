/**
 * The floor of benchmark 1: node:http, the whole body, its SHA-256, one named statement on PostgreSQL.
 * No credentials, no validation, no router.
 */
import { createHash } from "node:crypto"
import { createServer } from "node:http"
import pg from "pg"

const pool = new pg.Pool({ connectionString: process.env.DATABASE_URL, max: 10 })

const server = createServer(async (request, response) => {
  const chunks = []
  for await (const chunk of request) chunks.push(chunk)
  const digest = createHash("sha256").update(Buffer.concat(chunks)).digest("hex")
  const { rows } = await pool.query({
    name: "environment",
    text: `select e.environment_id, e.body_digest from attestry.environment e
      join attestry.org o on o.org_id = e.org_id where o.name = $1 and e.name = $2`,
    values: ["bench", request.url.slice(1)]
  })
  const body = rows[0]?.body_digest === digest ? '"OK"' : '"changed"'
  response.writeHead(200, { "content-type": "application/json", "content-length": body.length })
  response.end(body)
})

server.listen(0, "127.0.0.1", () => {
  process.stdout.write(`listening on ${server.address().port}\n`)
})
process.on("SIGTERM", () => process.exit(0))
