/**
 * Azure access tokens, from the sources of Azure's own libraries: a client secret or a federated token from
 * variables, a managed identity, or the program `az`.
 */
import { readFileSync } from "node:fs"
import { type CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import { type Host, variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import { type CloudRequest, type CloudRequests, refusal } from "./CloudRequests.js"
import * as CredentialProcess from "./CredentialProcess.js"

const METADATA_TIMEOUT_MS = 2_000

const problem = (message: string, hint?: string): CommandFailure => unreadable(message, hint)

const tokenFrom = async (requests: CloudRequests, request: CloudRequest): Promise<string> => {
  const answer = await requests.send(() => request)
  if (answer.status !== 200) throw refusal(request.url, answer)
  const token = Json.text(Json.object(JSON.parse(answer.text)).access_token)
  if (token !== undefined) return token
  throw problem(`${new URL(request.url).origin} gave no token`)
}

const fromVariables = (
  host: Host,
  requests: CloudRequests,
  resource: string
): Promise<string> | undefined => {
  const tenant = variable(host, "AZURE_TENANT_ID")
  const client = variable(host, "AZURE_CLIENT_ID")
  const secret = variable(host, "AZURE_CLIENT_SECRET")
  const file = variable(host, "AZURE_FEDERATED_TOKEN_FILE")
  if (tenant === undefined || client === undefined) return undefined
  if (secret === undefined && file === undefined) return undefined
  const authority = variable(host, "AZURE_AUTHORITY_HOST") ?? "https://login.microsoftonline.com"
  const url = new URL(`/${encodeURIComponent(tenant)}/oauth2/v2.0/token`, authority).href
  const proof: { readonly [name: string]: string } =
    secret === undefined
      ? {
          client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
          client_assertion: readToken(file ?? "")
        }
      : { client_secret: secret }
  const fields = {
    grant_type: "client_credentials",
    client_id: client,
    scope: `${resource}/.default`
  }
  return tokenFrom(requests, {
    method: "POST",
    url,
    headers: { "content-type": "application/x-www-form-urlencoded" },
    body: new URLSearchParams({ ...fields, ...proof }).toString()
  })
}

const readToken = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (cause) {
    throw unreadable(`AZURE_FEDERATED_TOKEN_FILE: ${path} cannot be read`, undefined, cause)
  }
}

/** The token of a managed identity: of an app by its variables, of a machine by the metadata service. */
const fromIdentity = async (
  host: Host,
  requests: CloudRequests,
  resource: string
): Promise<string | undefined> => {
  const endpoint = variable(host, "IDENTITY_ENDPOINT")
  const header = variable(host, "IDENTITY_HEADER")
  const client = variable(host, "AZURE_CLIENT_ID")
  const own = endpoint !== undefined && header !== undefined
  const base = variable(host, "AZURE_POD_IDENTITY_AUTHORITY_HOST") ?? "http://169.254.169.254"
  const url = new URL(own ? endpoint : `${base}/metadata/identity/oauth2/token`)
  url.searchParams.set("api-version", own ? "2019-08-01" : "2018-02-01")
  url.searchParams.set("resource", resource)
  if (client !== undefined) url.searchParams.set("client_id", client)
  const headers: { readonly [name: string]: string } = own
    ? { "x-identity-header": header }
    : { metadata: "true" }
  try {
    return await tokenFrom(requests, { url: url.href, headers, timeoutMs: METADATA_TIMEOUT_MS })
  } catch (error) {
    // WHY: without these variables, the metadata service answers only on Azure machines.
    if (own) throw error
    return undefined
  }
}

const fromProgram = async (host: Host, resource: string): Promise<string | undefined> => {
  try {
    const words = ["az", "account", "get-access-token", "--resource", resource, "--output", "json"]
    return Json.text((await CredentialProcess.run(host, words)).accessToken)
  } catch {
    // WHY: the program is not installed, or is not signed in.
    return undefined
  }
}

/** The token for a resource. */
export const find = async (
  host: Host,
  requests: CloudRequests,
  resource: string
): Promise<string> => {
  const token =
    (await fromVariables(host, requests, resource)) ??
    (variable(host, "IDENTITY_ENDPOINT") === undefined
      ? undefined
      : await fromIdentity(host, requests, resource)) ??
    (await fromProgram(host, resource)) ??
    (await fromIdentity(host, requests, resource))
  if (token !== undefined) return token
  throw problem(
    "there are no credentials of Azure",
    "set AZURE_TENANT_ID, AZURE_CLIENT_ID and AZURE_CLIENT_SECRET, or run: az login"
  )
}
