/** Callers that send requests without a pause and count the results. */
import * as Http from "node:http"
import type { ServerProcess } from "./ServerProcess.js"

/** The results of the requests. */
export interface Outcomes {
  /** Requests that were answered, by status. */
  readonly statuses: Map<number, number>
  /** Errors of requests whose connection broke before the end of the response. */
  readonly lost: Array<string>
  /** Refused connections: the server does not listen. */
  refused: number
}

const once = (
  url: URL,
  options: Http.RequestOptions,
  body: string
): Promise<number | "refused" | { readonly lost: string }> =>
  new Promise((resolve) => {
    const request = Http.request(url, options, (response) => {
      response.on("error", (error) => resolve({ lost: `in the answer: ${error.message}` }))
      response.on("end", () => resolve(response.statusCode ?? 0))
      response.resume()
    })
    // WHY any error of `connect`: the kernel resets connections that wait to be accepted when a listener closes, and
    // no request was sent over them.
    request.on("error", (error: NodeJS.ErrnoException) =>
      resolve(error.syscall === "connect" ? "refused" : { lost: `${error.code}: ${error.message}` })
    )
    request.end(body)
  })

/** Sends writes from many callers; `stop` waits for the end of each last request. */
export const start = (
  server: ServerProcess,
  callers: { readonly keepAlive: number; readonly fresh: number }
): { readonly outcomes: Outcomes; readonly stop: () => Promise<void> } => {
  const outcomes: Outcomes = { statuses: new Map(), lost: [], refused: 0 }
  const agents: Array<Http.Agent> = []
  let going = true
  const caller = async (number: number) => {
    const agent = new Http.Agent({ keepAlive: number < callers.keepAlive, maxSockets: 1 })
    agents.push(agent)
    for (let count = 0; going; count++) {
      const body = JSON.stringify({ name: `c${number}-${count % 10}`, description: "" })
      const headers = {
        authorization: `Bearer ${server.key}`,
        "content-type": "application/json",
        "content-length": body.length
      }
      const url = new URL(`${server.url}/api/v2/flows/${server.org}`)
      const outcome = await once(url, { method: "PUT", agent, headers }, body)
      if (outcome === "refused") {
        outcomes.refused += 1
        return
      }
      if (typeof outcome === "object") outcomes.lost.push(outcome.lost)
      else outcomes.statuses.set(outcome, (outcomes.statuses.get(outcome) ?? 0) + 1)
    }
  }
  const done = Promise.all(
    Array.from({ length: callers.keepAlive + callers.fresh }, (_, number) => caller(number))
  )
  return {
    outcomes,
    stop: async () => {
      going = false
      await done
      for (const agent of agents) agent.destroy()
    }
  }
}
