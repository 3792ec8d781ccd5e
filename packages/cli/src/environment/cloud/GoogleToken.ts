/**
 * Google Cloud access tokens, from the sources of Google's own programs: the file that
 * `GOOGLE_APPLICATION_CREDENTIALS` names, the file of `gcloud auth application-default login`, or the metadata
 * service of a machine.
 */
import { createSign } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { type CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import { type Host, variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import { type CloudRequest, type CloudRequests, refusal } from "./CloudRequests.js"

/** A token, and the project that belongs to it. */
export interface GoogleAccount {
  readonly token: string
  readonly project: string | undefined
}

const SCOPE = "https://www.googleapis.com/auth/cloud-platform"
const TOKEN_URL = "https://oauth2.googleapis.com/token"
const METADATA_TIMEOUT_MS = 2_000
const LIFETIME_S = 3_600

const problem = (message: string, hint?: string): CommandFailure => unreadable(message, hint)

const base64url = (text: string | Buffer): string => Buffer.from(text).toString("base64url")

const form = (fields: { readonly [name: string]: string }): string =>
  new URLSearchParams(fields).toString()

const tokenFrom = async (requests: CloudRequests, request: CloudRequest): Promise<string> => {
  const answer = await requests.send(() => request)
  if (answer.status !== 200) throw refusal(request.url, answer)
  const token = Json.text(Json.object(JSON.parse(answer.text)).access_token)
  if (token !== undefined) return token
  throw problem(`${request.url} gave no token`)
}

const posted = (url: string, fields: { readonly [name: string]: string }): CloudRequest => ({
  method: "POST",
  url,
  headers: { "content-type": "application/x-www-form-urlencoded" },
  body: form(fields)
})

/** WHY only https: a file may name any URL, and the request carries the credential. */
const checkedUrl = (text: string): string => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isLocal = url !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3})$/.test(url.hostname)
  if (url?.protocol === "https:" || isLocal) return text
  throw problem(`the file of credentials names an address that is not trusted: ${text}`)
}

/** Exchanges a signed assertion of a service account for a token. */
const withKey = (host: Host, requests: CloudRequests, file: Json.Fields): Promise<string> => {
  const url = checkedUrl(Json.text(file.token_uri) ?? TOKEN_URL)
  const issued = Math.floor(host.now() / 1_000)
  const claims = {
    iss: file.client_email,
    scope: SCOPE,
    aud: url,
    iat: issued,
    exp: issued + LIFETIME_S
  }
  const header = { alg: "RS256", typ: "JWT", kid: file.private_key_id }
  const text = `${base64url(JSON.stringify(header))}.${base64url(JSON.stringify(claims))}`
  const signature = createSign("RSA-SHA256")
    .update(text)
    .sign(Json.text(file.private_key) ?? "")
  const assertion = `${text}.${base64url(signature)}`
  const grant = "urn:ietf:params:oauth:grant-type:jwt-bearer"
  return tokenFrom(requests, posted(url, { grant_type: grant, assertion }))
}

const withRefreshToken = (requests: CloudRequests, file: Json.Fields): Promise<string> =>
  tokenFrom(
    requests,
    posted(checkedUrl(Json.text(file.token_uri) ?? TOKEN_URL), {
      grant_type: "refresh_token",
      client_id: Json.text(file.client_id) ?? "",
      client_secret: Json.text(file.client_secret) ?? "",
      refresh_token: Json.text(file.refresh_token) ?? ""
    })
  )

/** The token of an external identity provider, from a file or a URL. */
const subjectToken = async (requests: CloudRequests, source: Json.Fields): Promise<string> => {
  const format = Json.object(source.format)
  const picked = (text: string): string => {
    const name = Json.text(format.subject_token_field_name)
    return format.type === "json" && name !== undefined
      ? (Json.text(Json.object(JSON.parse(text))[name]) ?? "")
      : text.trim()
  }
  const file = Json.text(source.file)
  if (file !== undefined) return picked(readFileSync(file, "utf8"))
  const url = checkedUrl(Json.text(source.url) ?? "")
  const headers = Object.fromEntries(
    Json.members(source.headers).map(([name, value]) => [name, String(value)])
  )
  const answer = await requests.send(() => ({ url, headers }))
  if (answer.status !== 200) throw refusal(url, answer)
  return picked(answer.text)
}

/** Exchanges an external token, and then impersonates a service account if the file names one. */
const withFederation = async (requests: CloudRequests, file: Json.Fields): Promise<string> => {
  const source = Json.object(file.credential_source)
  if (Json.text(source.environment_id) !== undefined || Json.isObject(source.executable))
    throw problem("the file of credentials takes its token from a source that is not supported")
  const token = await tokenFrom(
    requests,
    posted(checkedUrl(Json.text(file.token_url) ?? ""), {
      grant_type: "urn:ietf:params:oauth:grant-type:token-exchange",
      audience: Json.text(file.audience) ?? "",
      scope: SCOPE,
      requested_token_type: "urn:ietf:params:oauth:token-type:access_token",
      subject_token_type: Json.text(file.subject_token_type) ?? "",
      subject_token: await subjectToken(requests, source)
    })
  )
  const actingUrl = Json.text(file.service_account_impersonation_url)
  if (actingUrl === undefined) return token
  const url = checkedUrl(actingUrl)
  const answer = await requests.send(() => ({
    method: "POST",
    url,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: JSON.stringify({ scope: [SCOPE] })
  }))
  if (answer.status !== 200) throw refusal(url, answer)
  return Json.text(Json.object(JSON.parse(answer.text)).accessToken) ?? ""
}

const fromFile = async (
  host: Host,
  requests: CloudRequests,
  path: string
): Promise<GoogleAccount> => {
  const read = (): Json.Fields => {
    try {
      return Json.object(JSON.parse(readFileSync(path, "utf8")))
    } catch (cause) {
      throw unreadable(`${path} is no readable file of credentials`, undefined, cause)
    }
  }
  const file = read()
  const project = Json.text(file.project_id) ?? Json.text(file.quota_project_id)
  switch (file.type) {
    case "service_account":
      return { token: await withKey(host, requests, file), project }
    case "authorized_user":
      return { token: await withRefreshToken(requests, file), project }
    case "external_account":
      return { token: await withFederation(requests, file), project }
    default:
      throw problem(
        `${path} holds credentials of the type \`${file.type}\`, which is not supported`
      )
  }
}

const fromMachine = async (
  host: Host,
  requests: CloudRequests
): Promise<GoogleAccount | undefined> => {
  const base = `http://${variable(host, "GCE_METADATA_HOST") ?? "metadata.google.internal"}`
  const ask = (path: string) =>
    requests.send(() => ({
      url: `${base}/computeMetadata/v1/${path}`,
      headers: { "metadata-flavor": "Google" },
      timeoutMs: METADATA_TIMEOUT_MS
    }))
  try {
    const answer = await ask("instance/service-accounts/default/token")
    const token = Json.text(Json.object(JSON.parse(answer.text)).access_token)
    if (answer.status !== 200 || token === undefined) return undefined
    const project = await ask("project/project-id")
    return { token, project: project.status === 200 ? project.text.trim() : undefined }
  } catch {
    // WHY: the metadata service answers only on Google Cloud machines.
    return undefined
  }
}

/** The token and the project of a command. */
export const find = async (host: Host, requests: CloudRequests): Promise<GoogleAccount> => {
  const named = variable(host, "GOOGLE_APPLICATION_CREDENTIALS")
  if (named !== undefined) return fromFile(host, requests, named)
  const usual = join(
    variable(host, "CLOUDSDK_CONFIG") ?? join(host.home, ".config/gcloud"),
    "application_default_credentials.json"
  )
  if (existsSync(usual)) return fromFile(host, requests, usual)
  const own = await fromMachine(host, requests)
  if (own !== undefined) return own
  throw problem(
    "there are no credentials of Google Cloud",
    "set GOOGLE_APPLICATION_CREDENTIALS, or run: gcloud auth application-default login"
  )
}
