/**
 * Credentials of AWS where its own programs find them: variables, a web identity, the shared files, a container's or a
 * machine's role. A profile that signs in through a browser is exported first.
 */
import { readFileSync } from "node:fs"
import { type CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import { type Host, variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as AwsProfile from "./AwsProfile.js"
import { encode, type SigningKey, sign } from "./AwsSignature.js"
import { type CloudRequests, refusal } from "./CloudRequests.js"
import * as CredentialProcess from "./CredentialProcess.js"

/** Credentials and the region of the settings. */
export interface AwsAccount {
  readonly key: SigningKey
  readonly region: string | undefined
}

const METADATA_TIMEOUT_MS = 2_000
const SESSION = "attestry"

const problem = (message: string, hint?: string): CommandFailure => unreadable(message, hint)

const fromFields = (fields: Json.Fields, source: string): SigningKey => {
  const accessKeyId = Json.text(fields.AccessKeyId)
  const secretAccessKey = Json.text(fields.SecretAccessKey)
  if (accessKeyId === undefined || secretAccessKey === undefined)
    throw problem(`${source} gave no credentials`)
  return {
    accessKeyId,
    secretAccessKey,
    sessionToken: Json.text(fields.SessionToken) ?? Json.text(fields.Token)
  }
}

const fromVariables = (host: Host): SigningKey | undefined => {
  const accessKeyId = variable(host, "AWS_ACCESS_KEY_ID")
  const secretAccessKey = variable(host, "AWS_SECRET_ACCESS_KEY")
  if (accessKeyId === undefined || secretAccessKey === undefined) return undefined
  return { accessKeyId, secretAccessKey, sessionToken: variable(host, "AWS_SESSION_TOKEN") }
}

const element = (xml: string, name: string): string | undefined =>
  xml.split(`<${name}>`)[1]?.split("<")[0]

/** The service that gives out sessions of roles. */
interface RoleService {
  readonly host: Host
  readonly requests: CloudRequests
  readonly region: string
}

const assume = async (
  { host, requests, region }: RoleService,
  form: { readonly [name: string]: string },
  signer: SigningKey | undefined
): Promise<SigningKey> => {
  const base =
    variable(host, "AWS_ENDPOINT_URL_STS") ??
    variable(host, "AWS_ENDPOINT_URL") ??
    `https://sts.${region}.amazonaws.com`
  const url = new URL("/", base)
  const fields = { Version: "2011-06-15", RoleSessionName: SESSION, ...form }
  const body = Object.entries(fields)
    .map(([name, value]) => `${name}=${encode(value)}`)
    .join("&")
  const headers = { "content-type": "application/x-www-form-urlencoded" }
  const request = { method: "POST" as const, url, headers, body, service: "sts", region }
  const answer = await requests.send(() => ({
    method: "POST",
    url: url.href,
    body,
    headers: signer === undefined ? headers : sign(request, signer, host.now())
  }))
  if (answer.status !== 200) throw refusal(url.href, answer)
  return fromFields(
    {
      AccessKeyId: element(answer.text, "AccessKeyId"),
      SecretAccessKey: element(answer.text, "SecretAccessKey"),
      SessionToken: element(answer.text, "SessionToken")
    },
    "the service for roles"
  )
}

const readToken = (path: string): string => {
  try {
    return readFileSync(path, "utf8").trim()
  } catch (cause) {
    throw unreadable(`the token of the web identity, ${path}, cannot be read`, undefined, cause)
  }
}

const withWebIdentity = (service: RoleService, role: string, file: string): Promise<SigningKey> =>
  assume(
    service,
    { Action: "AssumeRoleWithWebIdentity", RoleArn: role, WebIdentityToken: readToken(file) },
    undefined
  )

/** How many profiles may stand on each other. */
const CHAIN_MAX = 5

const fromProfile = async (
  service: RoleService,
  profiles: AwsProfile.Profiles,
  { name, depth }: { readonly name: string; readonly depth: number }
): Promise<SigningKey | undefined> => {
  const profile = profiles.get(name)
  if (profile === undefined) return undefined
  if (depth > CHAIN_MAX)
    throw problem(`profile ${name}: more than ${CHAIN_MAX} roles on each other`)
  const role = profile.get("role_arn")
  const identity = profile.get("web_identity_token_file")
  if (role !== undefined && identity !== undefined) return withWebIdentity(service, role, identity)
  const source = profile.get("source_profile")
  if (role !== undefined && source !== undefined) {
    const below = { name: source, depth: depth + 1 }
    const signer =
      source === name ? AwsProfile.keyOf(profile) : await fromProfile(service, profiles, below)
    if (signer === undefined) throw problem(`profile ${name}: source_profile ${source} has no key`)
    const external = profile.get("external_id")
    const form = { Action: "AssumeRole", RoleArn: role }
    return assume(
      service,
      external === undefined ? form : { ...form, ExternalId: external },
      signer
    )
  }
  const own = AwsProfile.keyOf(profile)
  if (own !== undefined) return own
  const program = profile.get("credential_process")
  if (program !== undefined)
    return fromFields(await CredentialProcess.run(service.host, program), "credential_process")
  if (profile.has("sso_session") || profile.has("sso_start_url"))
    throw problem(
      `profile ${name} signs in through a browser, which is not done here`,
      `run: eval "$(aws configure export-credentials --profile ${name} --format env)"`
    )
  return undefined
}

const metadata = async (
  { requests }: RoleService,
  request: { readonly url: string; readonly headers: { readonly [name: string]: string } }
): Promise<Json.Fields> => {
  const answer = await requests.send(() => ({ ...request, timeoutMs: METADATA_TIMEOUT_MS }))
  if (answer.status !== 200) throw refusal(request.url, answer)
  return Json.object(JSON.parse(answer.text))
}

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\]|169\.254\.170\.2(?:3)?)$/

/** The role of a container. */
const fromContainer = async (service: RoleService): Promise<SigningKey | undefined> => {
  const { host } = service
  const relative = variable(host, "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI")
  const full = variable(host, "AWS_CONTAINER_CREDENTIALS_FULL_URI")
  const url = relative === undefined ? full : `http://169.254.170.2${relative}`
  if (url === undefined) return undefined
  const { protocol, hostname } = new URL(url)
  if (protocol !== "https:" && !LOOPBACK.test(hostname))
    throw problem(`AWS_CONTAINER_CREDENTIALS_FULL_URI names ${hostname}, which is not trusted`)
  const file = variable(host, "AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE")
  const token =
    file === undefined ? variable(host, "AWS_CONTAINER_AUTHORIZATION_TOKEN") : readToken(file)
  const headers = token === undefined ? {} : { authorization: token }
  return fromFields(await metadata(service, { url, headers }), "the container's role")
}

/** The role of a machine, asked for with a token of its metadata service. */
const fromMachine = async (service: RoleService): Promise<SigningKey | undefined> => {
  const { host, requests } = service
  if (variable(host, "AWS_EC2_METADATA_DISABLED") === "true") return undefined
  const base = variable(host, "AWS_EC2_METADATA_SERVICE_ENDPOINT") ?? "http://169.254.169.254"
  const ask = (method: "GET" | "PUT", path: string, headers: { readonly [name: string]: string }) =>
    requests.send(() => ({
      method,
      url: new URL(path, base).href,
      headers,
      timeoutMs: METADATA_TIMEOUT_MS
    }))
  try {
    const lifetime = { "x-aws-ec2-metadata-token-ttl-seconds": "60" }
    const token = await ask("PUT", "/latest/api/token", lifetime)
    if (token.status !== 200) return undefined
    const headers = { "x-aws-ec2-metadata-token": token.text }
    const folder = "/latest/meta-data/iam/security-credentials/"
    const role = await ask("GET", folder, headers)
    if (role.status !== 200) return undefined
    const url = new URL(folder + role.text.trim(), base).href
    return fromFields(await metadata(service, { url, headers }), "the machine's role")
  } catch {
    // WHY: no answer means that this is no machine of the cloud.
    return undefined
  }
}

const NOTHING_FOUND = "there are no credentials of the cloud"

/** The credentials and the region that a command has. */
export const find = async (
  host: Host,
  requests: CloudRequests,
  region: string | undefined
): Promise<AwsAccount> => {
  const profiles = AwsProfile.load(host)
  const name = variable(host, "AWS_PROFILE") ?? "default"
  const settled =
    region ??
    variable(host, "AWS_REGION") ??
    variable(host, "AWS_DEFAULT_REGION") ??
    profiles.get(name)?.get("region")
  const service = { host, requests, region: settled ?? "us-east-1" }
  const role = variable(host, "AWS_ROLE_ARN")
  const identity = variable(host, "AWS_WEB_IDENTITY_TOKEN_FILE")
  const named = variable(host, "AWS_PROFILE") !== undefined
  const key =
    (named ? undefined : fromVariables(host)) ??
    (role !== undefined && identity !== undefined
      ? await withWebIdentity(service, role, identity)
      : undefined) ??
    (await fromProfile(service, profiles, { name, depth: 0 })) ??
    (await fromContainer(service)) ??
    (await fromMachine(service))
  if (key === undefined)
    throw problem(NOTHING_FOUND, "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or AWS_PROFILE")
  return { key, region: settled }
}
