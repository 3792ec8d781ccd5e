/** A bounded number of requests over kept-alive connections to loopback; every answer must be a success. */
import { Agent, request } from "node:http"

/** One request; any answer but a success is a failure. */
export const once = (agent, port, { method, path, headers, body }) =>
  new Promise((resolve, reject) => {
    const outgoing = request(
      {
        agent,
        host: "127.0.0.1",
        port,
        method,
        path,
        headers: { ...headers, "content-length": body.byteLength }
      },
      (response) => {
        response.resume()
        response.once("end", () =>
          response.statusCode < 300
            ? resolve()
            : reject(new Error(`${method} ${path} answered ${response.statusCode}`))
        )
      }
    )
    outgoing.once("error", reject)
    outgoing.end(body)
  })

/** Repeats a request that was refused only for now, as clients do. */
const patiently = async (agent, port, request) => {
  try {
    await once(agent, port, request)
  } catch (error) {
    if (!/ answered 503$/.test(error.message)) throw error
    await patiently(agent, port, request)
  }
}

/**
 * Sends `count` requests over `connections` connections, made by `next(n)`; a `patient` client repeats what
 * was answered with 503.
 */
export const drive = async (port, { count, connections, next, patient = false }) => {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const send = patient ? patiently : once
  let sent = 0
  const worker = async () => {
    while (sent < count) await send(agent, port, next(sent++))
  }
  await Promise.all(Array.from({ length: connections }, worker))
  agent.destroy()
}
