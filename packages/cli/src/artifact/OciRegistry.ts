/**
 * The digest of an image in a registry, from a HEAD request or from the manifest. Supports Bearer and Basic
 * challenges.
 */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import * as NodeFetch from "@attestry/client/node/NodeFetch"
import { unreadable, usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import * as Json from "../shared/Json.js"
import type { Output } from "../shared/Output.js"
import { type Credentials, find as findCredentials } from "./RegistryCredentials.js"

/** The dependencies and options of a lookup. */
export interface RegistryOptions {
  readonly host: Host
  readonly output: Output
  readonly timeoutMs: number
  readonly caFile: string | undefined
  readonly username: string | undefined
  /** Selects the manifest of a platform such as `linux/arm64`; undefined selects the whole index. */
  readonly platform?: string | undefined
}

/** A parsed image reference. */
export interface ImageReference {
  readonly registry: string
  readonly repository: string
  readonly reference: string
}

/** Parses a reference, and fills in the parts that docker omits. */
export const parse = (text: string): ImageReference => {
  const [, name = "", tag = "", digest = ""] =
    /^([^@\s]+?)(?::([A-Za-z0-9_][\w.-]{0,127}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(text) ?? []
  const [first = "", ...rest] = name.split("/")
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first)
  const isLibrary = hasHost ? first === "docker.io" && rest.length === 1 : rest.length === 0
  const named = hasHost ? rest.join("/") : name
  const path = isLibrary ? `library/${named}` : named
  if (!/^[a-z0-9]+(?:[._/-]+[a-z0-9]+)*$/.test(path) || name === "")
    throw usage(`\`${text}\` is no reference of an image`, "write HOST/NAME:TAG")
  const reference = digest === "" ? (tag === "" ? "latest" : tag) : digest
  return { registry: hasHost ? first : "docker.io", repository: path, reference }
}

const MANIFESTS = [
  "application/vnd.oci.image.index.v1+json",
  "application/vnd.oci.image.manifest.v1+json",
  "application/vnd.docker.distribution.manifest.list.v2+json",
  "application/vnd.docker.distribution.manifest.v2+json"
].join(", ")

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/

const originOf = (registry: string): string => {
  if (registry === "docker.io") return "https://registry-1.docker.io"
  return `${LOOPBACK.test(registry) ? "http" : "https"}://${registry}`
}

const basic = ({ username, password }: Credentials): string =>
  `Basic ${Buffer.from(`${username}:${password}`).toString("base64")}`

const parameter = (challenge: string, name: string): string | undefined => {
  for (const [, key, value] of challenge.matchAll(/([a-z]+)="([^"]*)"/g))
    if (key === name) return value
  return undefined
}

type Send = ReturnType<typeof NodeFetch.make>

const credentialsOf = (
  { host, username }: RegistryOptions,
  registry: string
): Promise<Credentials | undefined> => {
  const password = variable(host, "ATTESTRY_REGISTRY_PASSWORD")
  if (username === undefined) return findCredentials(host, registry)
  if (password === undefined)
    throw usage("--registry-username needs ATTESTRY_REGISTRY_PASSWORD", "a password is no argument")
  return Promise.resolve({ username, password })
}

/** WHY only https: a challenge may name any URL, and the credentials are sent there. */
const realmOf = (challenge: string, registry: string): URL => {
  const text = parameter(challenge, "realm") ?? ""
  const url = URL.canParse(text) ? new URL(text) : undefined
  const isSafe = url?.protocol === "https:" || (url !== undefined && LOOPBACK.test(url.host))
  if (url !== undefined && isSafe) return url
  throw unreadable(`${registry} asks to sign in at an address that is not trusted`)
}

const tokenOf = async (
  send: Send,
  challenge: string,
  asked: { readonly image: ImageReference; readonly credentials: Credentials | undefined }
): Promise<string> => {
  const { image, credentials } = asked
  const url = realmOf(challenge, image.registry)
  const service = parameter(challenge, "service")
  if (service !== undefined) url.searchParams.set("service", service)
  url.searchParams.set("scope", `repository:${image.repository}:pull`)
  const headers = credentials === undefined ? {} : { authorization: basic(credentials) }
  const answer = await send(url.href, { method: "GET", headers })
  const body = Json.object(parsed(await answer.arrayBuffer()))
  const token = Json.text(body.token) ?? Json.text(body.access_token)
  if (answer.status === 200 && token !== undefined) return token
  throw unreadable(`${image.registry} gives no token for ${image.repository}: ${answer.status}`)
}

const parsed = (bytes: ArrayBuffer): unknown => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // WHY: the caller reports that the answer has no token.
    return undefined
  }
}

/** The `Authorization` header that answers a challenge. */
const authorizationOf = async (
  send: Send,
  challenge: string,
  asked: { readonly image: ImageReference; readonly options: RegistryOptions }
): Promise<string> => {
  const { image, options } = asked
  const credentials = await credentialsOf(options, image.registry)
  if (credentials !== undefined) options.output.hide(credentials.password)
  if (/^bearer\b/i.test(challenge)) {
    const token = await tokenOf(send, challenge, { image, credentials })
    options.output.hide(token)
    return `Bearer ${token}`
  }
  if (credentials === undefined)
    throw unreadable(
      `${image.registry} asks for credentials, and there are none`,
      `run: docker login ${image.registry}`
    )
  return basic(credentials)
}

const digestOf = (text: string | null): string | undefined =>
  /^sha256:([0-9a-f]{64})$/.exec(text ?? "")?.[1]

/** Requests the manifest of an image, with the credentials that its registry requires. */
type Ask = (method: "HEAD" | "GET") => ReturnType<Send>

const sendOf = (options: RegistryOptions): Send =>
  NodeFetch.make({
    env: options.host.env,
    certificates: options.caFile === undefined ? undefined : readFileSync(options.caFile, "utf8"),
    onAttempt: ({ method, url, status, error }) =>
      options.output.trace(`${method} ${url.origin}${url.pathname} ${status ?? error}`)
  })

const askerOf = async (options: RegistryOptions, image: ImageReference): Promise<Ask> => {
  const send = sendOf(options)
  const url = `${originOf(image.registry)}/v2/${image.repository}/manifests/${image.reference}`
  const ask = async (method: string, authorization: string | undefined) =>
    send(url, {
      method,
      signal: AbortSignal.any([options.host.signal, AbortSignal.timeout(options.timeoutMs)]),
      headers: { accept: MANIFESTS, ...(authorization === undefined ? {} : { authorization }) }
    })
  const first = await ask("HEAD", undefined)
  if (first.status !== 401) return (method) => ask(method, undefined)
  const challenge = first.headers.get("www-authenticate") ?? ""
  const authorization = await authorizationOf(send, challenge, { image, options })
  return (method) => ask(method, authorization)
}

const refusal = (image: ImageReference, text: string, status: number) => {
  if (status === 404) return unreadable(`${image.registry} has no image ${text}`)
  return status === 401 || status === 403
    ? unreadable(
        `${image.registry} refuses ${text}: ${status}`,
        `run: docker login ${image.registry}`
      )
    : unreadable(`${image.registry} answered ${status} for ${text}`)
}

/** Fails if the registry returned another digest than the reference names. */
const checked = ({ reference, registry }: ImageReference, digest: string): string => {
  const [, asked] = /^sha256:([0-9a-f]{64})$/.exec(reference) ?? []
  if (asked === undefined || asked === digest) return digest
  throw unreadable(`${registry} answers for ${reference} with sha256:${digest}`)
}

const platformOf = ({ platform }: Json.Fields): string => {
  const { os, architecture, variant } = Json.object(platform)
  return [os, architecture, variant].filter((part) => typeof part === "string").join("/")
}

/** The digest of the manifest for a platform; an image for a single platform has its own digest. */
const ofPlatform = (text: string, platform: string, bytes: Uint8Array): string => {
  const manifests = Json.objects(Json.object(parsed(bytes.slice().buffer)).manifests)
  if (manifests.length === 0)
    throw unreadable(`${text} is an image for one platform`, "leave --platform out")
  const fitting = manifests.filter((each) => {
    const name = platformOf(each)
    return name === platform || name.startsWith(`${platform}/`)
  })
  const [only, ...others] = [...new Set(fitting.map(({ digest }) => digestOf(String(digest))))]
  if (only !== undefined && others.length === 0) return only
  throw unreadable(
    `${text} has ${only === undefined ? "no" : "more than one"} manifest for ${platform}`,
    `it has: ${manifests.map(platformOf).join(", ")}`
  )
}

/** The fingerprint of an image in a registry. */
export const fingerprintOf = async (options: RegistryOptions, text: string): Promise<string> => {
  const image = parse(text)
  const { platform } = options
  const ask = await askerOf(options, image)
  if (platform === undefined) {
    const head = await ask("HEAD")
    if (head.status === 401 || head.status === 403 || head.status === 404)
      throw refusal(image, text, head.status)
    const digest = digestOf(head.headers.get("docker-content-digest"))
    if (head.status === 200 && digest !== undefined) return checked(image, digest)
  }
  const whole = await ask("GET")
  if (whole.status !== 200) throw refusal(image, text, whole.status)
  const bytes = new Uint8Array(await whole.arrayBuffer())
  const digest = checked(image, createHash("sha256").update(bytes).digest("hex"))
  return platform === undefined ? digest : ofPlatform(text, platform, bytes)
}
