/** A server of ours in a process of its own, on a PostgreSQL of our own, with one org and its key. */
import { randomBytes } from "node:crypto"
import { readdirSync, writeFileSync } from "node:fs"
import { Agent } from "node:http"
import { join } from "node:path"
import { once } from "./load.mjs"
import { pidIn, startPostgres } from "./postgres.mjs"
import { startProcess } from "./process.mjs"

const hasServer = (folder) => {
  try {
    return readdirSync(folder).includes("postmaster.pid")
  } catch {
    return false
  }
}

/** The folder of the cluster, which may lie below the given one. */
export const clusterOf = (dataDir) =>
  hasServer(dataDir)
    ? dataDir
    : readdirSync(dataDir)
        .map((name) => join(dataDir, name))
        .find(hasServer)

export const MAIN = join(import.meta.dirname, "../../packages/server/dist/main.js")

/**
 * Starts both; `through` may change the address under which the server finds its database, `env` adds settings, and
 * `main` is another executable of the server.
 */
export const startDeployment = async ({
  through = async (url) => url,
  isSigned = false,
  env = {},
  main = MAIN
} = {}) => {
  const postgres = await startPostgres()
  const keyFile = join(postgres.dataDir, "bench-log-key")
  if (isSigned) writeFileSync(keyFile, `1 ${randomBytes(32).toString("base64")}\n`)
  const server = await startProcess([main], {
    env: {
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: await through(postgres.url),
      ATTESTRY_PORT: "0",
      ATTESTRY_BOOTSTRAP_ORG: "bench",
      ATTESTRY_LOG_LEVEL: "warning",
      // WHY: verifying costs by the size of the log and the hour, whatever is requested.
      ATTESTRY_SCRUB_RATE: "0",
      // WHY: one org gets more writes here than its limit.
      ATTESTRY_WRITES_PER_ORG: "1000000000",
      ...env,
      ...(isSigned ? { ATTESTRY_LOG_KEY_FILE: keyFile } : {})
    },
    ready: /ready at http:\/\/127\.0\.0\.1:(\d+)[\s\S]*API key +(\S+)[\s\S]*builds of my service/
  })
  const [, port, key] = server.match
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
  const put = (path, body) => ({
    method: "PUT",
    path: `/api/v2${path}`,
    headers,
    body: Buffer.isBuffer(body) ? body : Buffer.from(JSON.stringify(body))
  })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const send = (request) => once(agent, port, request)
  return {
    server,
    port,
    headers,
    put,
    send,
    databaseUrl: postgres.url,
    databasePid: pidIn(clusterOf(postgres.dataDir)),
    stop: async () => {
      agent.destroy()
      await server.stop()
      await postgres.stop()
    }
  }
}

/** The artifacts of a report; `version` says which of them are another build than the first one. */
export const artifactsOf = (count, version = () => 0) =>
  Array.from({ length: count }, (_, index) => ({
    app_kind: "web",
    app_name: `service-${index}`,
    creationTimestamp: 1_790_000_000 + index,
    digests: {
      [`registry.example.org/team/service-${index}:1.${index}`]: (
        BigInt(index) * 1_000_000n +
        BigInt(version(index))
      )
        .toString(16)
        .padStart(64, "0")
    },
    digests_source: "registry"
  }))

/** The body of a report. */
export const reportOf = (artifacts) => Buffer.from(JSON.stringify({ artifacts }))
