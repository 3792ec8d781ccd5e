/**
 * Exchanges the id token of a job for a short-lived key of a service account.
 *
 * The token is sent only to the deployment whose URL is its audience.
 */

import type * as NodeFetch from "@attestry/client/node/NodeFetch"
import type { JobIdentity } from "../job/JobIdentity.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import type { Output } from "../shared/Output.js"

/** The input of an exchange. */
export interface ExchangeOptions {
  readonly host: Host
  readonly output: Output
  readonly send: NodeFetch.Send
  readonly url: string
  readonly org: string | undefined
  readonly timeoutMs: number
}

/** The maximum number of attempts while the server fetches the keys of a new issuer. */
const ATTEMPTS_MAX = 10
const PAUSE_MS = 2_000

const parsed = (bytes: ArrayBuffer): Json.Fields => {
  try {
    return Json.object(JSON.parse(new TextDecoder().decode(bytes)))
  } catch {
    // WHY: the caller reports an answer without a key, with its status.
    return {}
  }
}

const refusal = (url: string, source: string, status: number): CommandFailure => {
  if (status === 401)
    return new CommandFailure("denied", `${url} does not accept the id token of ${source}`, {
      hint: "does a rule of a service account accept it? see: attestry help identity; else set ATTESTRY_API_KEY"
    })
  return status === 404 || status === 405
    ? new CommandFailure("denied", `${url} exchanges no id tokens`, {
        hint: "set ATTESTRY_API_KEY"
      })
    : new CommandFailure("unanswered", `${url} answered ${status} to the id token of ${source}`)
}

const bodyOf = (token: string, account: string | undefined): string =>
  JSON.stringify({
    grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
    subject_token: token,
    subject_token_type: "urn:ietf:params:oauth:token-type:id_token",
    ...(account === undefined ? {} : { service_account: account })
  })

/** Exchanges the id token of a job for a key. */
export const exchange = async (
  { host, output, send, url, org, timeoutMs }: ExchangeOptions,
  { source, mint }: JobIdentity
): Promise<string> => {
  if (org === undefined)
    throw usage("the org is not known, and an id token is exchanged in one", "set ATTESTRY_ORG")
  const base = url.replace(/\/+$/, "")
  const token = await mint(base)
  output.hide(token)
  const account = variable(host, "ATTESTRY_SERVICE_ACCOUNT")
  for (let count = 1; ; count++) {
    const answer = await send(`${base}/api/v2/workload-identity/${encodeURIComponent(org)}/token`, {
      method: "POST",
      headers: { accept: "application/json", "content-type": "application/json" },
      body: bodyOf(token, account),
      signal: AbortSignal.any([host.signal, AbortSignal.timeout(timeoutMs)])
    }).catch((cause: unknown) => {
      if (host.signal.aborted) throw host.signal.reason
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new CommandFailure("unanswered", `${base} did not answer: ${why}`, { cause })
    })
    const key = Json.text(parsed(await answer.arrayBuffer()).access_token)
    if (answer.status === 200 && key !== undefined) return key
    if (answer.status !== 503 || count >= ATTEMPTS_MAX) throw refusal(base, source, answer.status)
    await host.sleep(PAUSE_MS, host.signal)
  }
}
