/**
 * Reads from the container engine of this machine (docker, or a compatible podman) at `DOCKER_HOST` or the default
 * socket.
 *
 * It never writes, and it does not connect to engines over `ssh:`.
 */
import { readFileSync } from "node:fs"
import * as http from "node:http"
import { join } from "node:path"
import { unreadable } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import { isObject } from "../shared/Json.js"

const TIMEOUT_MS = 30_000
const ANSWER_BYTES_MAX = 67_108_864

/** Where the engine listens. */
interface Endpoint {
  readonly options: http.RequestOptions
  readonly isSecure: boolean
  readonly shown: string
}

const DEFAULT_SOCKET = "/var/run/docker.sock"
const DEFAULT_PIPE = "//./pipe/docker_engine"

const certificatesOf = (host: Host): object => {
  const folder = variable(host, "DOCKER_CERT_PATH") ?? join(host.home, ".docker")
  const read = (name: string) => readFileSync(join(folder, name))
  return { ca: read("ca.pem"), cert: read("cert.pem"), key: read("key.pem") }
}

const endpointOf = (host: Host): Endpoint => {
  const address = variable(host, "DOCKER_HOST")
  if (address === undefined) {
    const path = host.platform === "win32" ? DEFAULT_PIPE : DEFAULT_SOCKET
    return { options: { socketPath: path }, isSecure: false, shown: path }
  }
  const [, scheme = "", rest = ""] = /^([a-z]+):\/\/(.*)$/.exec(address) ?? []
  if (scheme === "unix" || scheme === "npipe")
    return { options: { socketPath: rest }, isSecure: false, shown: rest }
  const [, name = "", port = "2375"] = /^([^:/]+)(?::(\d+))?\/?$/.exec(rest) ?? []
  if ((scheme !== "tcp" && scheme !== "http" && scheme !== "https") || name === "")
    throw unreadable(`DOCKER_HOST: \`${address}\` is not spoken to`, "use unix, npipe or tcp")
  const isSecure = scheme === "https" || variable(host, "DOCKER_TLS_VERIFY") !== undefined
  const tls = isSecure ? certificatesOf(host) : {}
  return { options: { host: name, port, ...tls }, isSecure, shown: `${name}:${port}` }
}

/** Reads JSON from a path of the engine; undefined for 404. */
export const get = async (host: Host, path: string): Promise<unknown> => {
  const { options, isSecure, shown } = endpointOf(host)
  const silent = (cause: unknown) =>
    unreadable(
      `the engine at ${shown} does not answer: ${cause instanceof Error ? cause.message : cause}`,
      "does docker run, and may this user speak to it? DOCKER_HOST names another one",
      cause
    )
  const request = isSecure ? (await import("node:https")).request : http.request
  const answer = await new Promise<{ readonly status: number; readonly text: string }>(
    (resolve, reject) => {
      const asked = request(
        { ...options, path, timeout: TIMEOUT_MS, headers: { host: "docker" } },
        (response) => {
          const pieces: Array<Buffer> = []
          let size = 0
          response.on("data", (piece: Buffer) => {
            size += piece.length
            if (size > ANSWER_BYTES_MAX) asked.destroy(new Error("the answer is too large"))
            pieces.push(piece)
          })
          response.on("error", reject)
          response.on("end", () =>
            resolve({
              status: response.statusCode ?? 0,
              text: Buffer.concat(pieces).toString("utf8")
            })
          )
        }
      )
      asked.on("timeout", () => asked.destroy(new Error("no answer within 30 s")))
      asked.on("error", reject)
      asked.end()
    }
  ).catch((cause: unknown) => {
    throw silent(cause)
  })
  if (answer.status === 404) return undefined
  if (answer.status !== 200) throw unreadable(`the engine at ${shown} answered ${answer.status}`)
  try {
    return JSON.parse(answer.text)
  } catch (cause) {
    throw unreadable(`the engine at ${shown} answered something that is no JSON`, undefined, cause)
  }
}

/** Waits for the first chunk of a stream of the engine. */
export const firstOf = async (host: Host, path: string, signal: AbortSignal): Promise<void> => {
  const { options, isSecure, shown } = endpointOf(host)
  const request = isSecure ? (await import("node:https")).request : http.request
  await new Promise<void>((resolve, reject) => {
    const asked = request({ ...options, path, signal, headers: { host: "docker" } }, (response) => {
      const done = () => {
        asked.destroy()
        resolve()
      }
      if (response.statusCode === 200) response.once("data", done)
      else reject(unreadable(`the engine at ${shown} answered ${response.statusCode}`))
      response.once("error", reject)
      response.once("end", () => reject(unreadable(`the engine at ${shown} ended its events`)))
    })
    asked.once("error", reject)
    asked.end()
  })
}

/** The repository of an image reference: without tag and digest, with the parts that docker omits. */
export const repositoryOf = (reference: string): string => {
  const name = reference.replace(/@.*$/, "").replace(/:[^/:]*$/, "")
  const [first = "", ...rest] = name.split("/")
  const hasHost = rest.length > 0 && /[.:]|^localhost$/.test(first)
  if (hasHost) return name
  return `docker.io/${rest.length === 0 ? `library/${name}` : name}`
}

/** The registry digest of an image: the only one, or the one whose repository is that of the reference. */
export const repoDigest = (reference: string, image: unknown): string | undefined => {
  const found: ReadonlyArray<unknown> =
    isObject(image) && Array.isArray(image.RepoDigests) ? image.RepoDigests : []
  const digests = found.filter((each) => typeof each === "string")
  const own = digests.find((each) => repositoryOf(each) === repositoryOf(reference))
  const isId = /^(?:sha256:)?[0-9a-f]{12,64}$/.test(reference)
  const chosen = digests.length === 1 || isId ? digests[0] : own
  return /@sha256:([0-9a-f]{64})$/.exec(chosen ?? "")?.[1]
}

/** The fingerprint of an image in the engine. */
export const fingerprintOf = async (host: Host, reference: string): Promise<string> => {
  const image = await get(host, `/images/${encodeURIComponent(reference)}/json`)
  if (image === undefined)
    throw unreadable(`the engine has no image ${reference}`, `run: docker pull ${reference}`)
  const digest = repoDigest(reference, image)
  if (digest !== undefined) return digest
  throw unreadable(
    `${reference} has no digest of a registry: it was built here and not pushed`,
    "push it first; or build an OCI layout and use -t oci-layout; or give its digest with -F"
  )
}
