/**
 * Two server processes on one PostgreSQL, and a client that loses no request when one of them is killed:
 * `node dist/main.js`, with `ATTESTRY_DATABASE_URL` for an empty database.
 *
 * Both processes are equal and independent. In production a load balancer distributes requests; here `fetch`
 * alternates.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { once } from "node:events"
import { fileURLToPath } from "node:url"
import { attestry } from "@attestry/client/PromiseClient"

const WRITES = 40
const database = process.env.ATTESTRY_DATABASE_URL ?? ""

interface Running {
  readonly child: ChildProcess
  readonly url: string
  readonly shown: string
}

/** Starts the server's executable and waits until it is ready. */
const start = (): Promise<Running> =>
  new Promise((resolve, reject) => {
    const main = fileURLToPath(new URL("main.js", import.meta.resolve("@attestry/server")))
    const child = spawn(process.execPath, [main, "--port", "0"], {
      env: {
        ...process.env,
        ATTESTRY_STORE: "postgres",
        ATTESTRY_DATABASE_URL: database,
        ATTESTRY_LOG_LEVEL: "error"
      },
      stdio: ["ignore", "pipe", "inherit"]
    })
    let shown = ""
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text
      const url = /ready at (\S+)/.exec(shown)?.[1]
      if (url !== undefined && shown.endsWith("\n\n")) resolve({ child, url, shown })
    })
    child.once("exit", (code) => reject(new Error(`the server ended with ${code}`)))
  })

/** Sends requests to the servers alternately. */
const byTurns = (servers: ReadonlyArray<Running>): typeof globalThis.fetch => {
  let turn = 0
  return (input, init) => {
    const { pathname, search } = new URL(input instanceof Request ? input.url : input)
    const { url } = servers[turn++ % servers.length] ?? servers[0] ?? { url: "" }
    return fetch(`${url}${pathname}${search}`, init)
  }
}

const main = async (): Promise<void> => {
  const servers = await Promise.all([start(), start()])
  const shown = servers.map((server) => server.shown).join("")
  const apiKey = process.env.ATTESTRY_API_KEY ?? /API key +(\S+)/.exec(shown)?.[1] ?? ""
  const org = process.env.ATTESTRY_ORG ?? /Org +(\S+)/.exec(shown)?.[1] ?? ""
  const client = attestry({
    baseUrl: "http://attestry.invalid",
    apiKey,
    fetch: byTurns(servers),
    retry: { retriesMax: 10, delayFirst: 20 }
  })
  await client.flow.putWithTemplate({ path: { org }, payload: { name: "shop", description: "" } })

  const [first] = servers
  for (let number = 1; number <= WRITES; number++) {
    if (number === WRITES / 2) first?.child.kill("SIGKILL")
    await client.trail.begin({
      path: { org, flow_name: "shop" },
      payload: { name: `build-${number}`, description: "" }
    })
  }
  const { pagination } = await client.trail.list({
    path: { org },
    urlParams: { flow: "shop", per_page: 1 }
  })
  console.log(`${WRITES} trails begun, ${pagination.total} recorded, one server killed on the way`)

  for (const { child } of servers) {
    child.removeAllListeners("exit")
    if (child.exitCode !== null || child.signalCode !== null) continue
    const ended = once(child, "exit")
    child.kill("SIGTERM")
    await ended
  }
}

await main()
