/** The id token of a job or of a pod. Its issuer makes it for one audience, the URL of the deployment. */
import { execFile } from "node:child_process"
import { readFile } from "node:fs/promises"
import type * as NodeFetch from "@attestry/client/node/NodeFetch"
import { CommandFailure } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"

/** A source of id tokens, with its name for messages. */
export interface JobIdentity {
  readonly source: string
  readonly mint: (audience: string) => Promise<string>
}

type Send = NodeFetch.Send

const TIMEOUT_MS = 30_000

const failed = (source: string, why: string): CommandFailure =>
  new CommandFailure("denied", `${source} gives no id token: ${why}`, {
    hint: "may the job ask for one? see: attestry help identity; else set ATTESTRY_API_KEY"
  })

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/

/** Requests a token from the runner's URL, with the runner's own token. */
const fromRunner = (
  send: Send,
  { address, token }: { readonly address: string; readonly token: string }
): JobIdentity => {
  const source = "ACTIONS_ID_TOKEN_REQUEST_URL"
  return {
    source,
    mint: async (audience) => {
      const url = URL.canParse(address) ? new URL(address) : undefined
      if (url === undefined || (url.protocol !== "https:" && !LOOPBACK.test(url.hostname)))
        throw failed(source, "it is no https address")
      url.searchParams.set("audience", audience)
      const answer = await send(url.href, {
        method: "GET",
        headers: { authorization: `Bearer ${token}`, accept: "application/json" },
        signal: AbortSignal.timeout(TIMEOUT_MS)
      }).catch((cause: unknown) => {
        throw failed(source, cause instanceof Error ? cause.message : String(cause))
      })
      if (answer.status !== 200) throw failed(source, `it answered ${answer.status}`)
      const value = tokenIn(await answer.arrayBuffer())
      if (value === undefined) throw failed(source, "it answered without one")
      return value
    }
  }
}

const tokenIn = (bytes: ArrayBuffer): string | undefined => {
  try {
    return Json.text(Json.object(JSON.parse(new TextDecoder().decode(bytes))).value)
  } catch {
    // WHY: the caller reports an answer without a token.
    return undefined
  }
}

const fromVariable = (source: string, token: string): JobIdentity => ({
  source,
  mint: async () => token.trim()
})

/** Reads the file for each exchange, because Kubernetes replaces the token of a pod before it expires. */
const fromFile = (source: string, path: string): JobIdentity => ({
  source,
  mint: async () => {
    const text = await readFile(path, "utf8").catch((cause: unknown) => {
      throw failed(source, cause instanceof Error ? cause.message : String(cause))
    })
    if (text.trim() === "") throw failed(source, `${path} is empty`)
    return text.trim()
  }
})

const fromAgent = (): JobIdentity => {
  const source = "buildkite-agent"
  return {
    source,
    mint: (audience) =>
      new Promise((resolve, reject) => {
        const args = ["oidc", "request-token", "--audience", audience]
        execFile(source, args, { timeout: TIMEOUT_MS, maxBuffer: 65_536 }, (error, stdout) => {
          const token = stdout.trim()
          if (error === null && token !== "") resolve(token)
          else reject(failed(source, "it failed"))
        })
      })
  }
}

/** The id-token source of this job; undefined if there is none. */
export const find = (host: Host, send: Send): JobIdentity | undefined => {
  const address = variable(host, "ACTIONS_ID_TOKEN_REQUEST_URL")
  const token = variable(host, "ACTIONS_ID_TOKEN_REQUEST_TOKEN")
  if (address !== undefined && token !== undefined) return fromRunner(send, { address, token })
  for (const name of ["ATTESTRY_ID_TOKEN", "CIRCLE_OIDC_TOKEN_V2"]) {
    const given = variable(host, name)
    if (given !== undefined) return fromVariable(name, given)
  }
  const path = variable(host, "ATTESTRY_ID_TOKEN_FILE")
  if (path !== undefined) return fromFile("ATTESTRY_ID_TOKEN_FILE", path)
  return variable(host, "BUILDKITE_AGENT_ACCESS_TOKEN") === undefined ? undefined : fromAgent()
}
