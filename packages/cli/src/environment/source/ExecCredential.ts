/**
 * Runs a credential program that a kubeconfig names: without a shell, for at most 60 seconds, with one JSON document
 * as output.
 */
import { spawn } from "node:child_process"
import { isAbsolute, resolve } from "node:path"
import { unreadable } from "../../shared/CommandFailure.js"
import { foreignEnv, type Host } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import type { ClusterCredential } from "./KubernetesConfig.js"

const TIMEOUT_MS = 60_000
const ANSWER_BYTES_MAX = 1_048_576
const VERSIONS = ["client.authentication.k8s.io/v1", "client.authentication.k8s.io/v1beta1"]

interface Surroundings {
  /** The folder of the kubeconfig. */
  readonly folder: string
  readonly cluster: Json.Fields
}

/** The input of the program: the API version, and the cluster if the kubeconfig asks for it. */
const infoOf = (version: string, exec: Json.Fields, cluster: Json.Fields): string =>
  JSON.stringify({
    apiVersion: version,
    kind: "ExecCredential",
    spec: {
      interactive: false,
      ...(exec.provideClusterInfo === true
        ? {
            cluster: {
              server: cluster.server,
              "certificate-authority-data": cluster["certificate-authority-data"]
            }
          }
        : {})
    }
  })

const outputOf = (
  command: string,
  args: ReadonlyArray<string>,
  env: { readonly [name: string]: string | undefined }
): Promise<string> =>
  new Promise((resolve, reject) => {
    const failed = (why: string, cause?: unknown) =>
      reject(unreadable(`${command}, which the kubeconfig names, ${why}`, undefined, cause))
    const child = spawn(command, [...args], {
      env: { ...env },
      timeout: TIMEOUT_MS,
      stdio: ["ignore", "pipe", "inherit"]
    })
    const pieces: Array<Buffer> = []
    let size = 0
    child.stdout.on("data", (piece: Buffer) => {
      size += piece.length
      if (size > ANSWER_BYTES_MAX) child.kill()
      else pieces.push(piece)
    })
    child.on("error", (cause) => failed("cannot be run", cause))
    child.on("close", (code) =>
      code === 0 ? resolve(Buffer.concat(pieces).toString("utf8")) : failed(`ended with ${code}`)
    )
  })

const parsed = (command: string, text: string): Json.Fields => {
  try {
    return Json.object(Json.object(JSON.parse(text)).status)
  } catch (cause) {
    throw unreadable(`${command}, which the kubeconfig names, printed no JSON`, undefined, cause)
  }
}

/** Runs the program and reads its credential. */
export const run = async (
  host: Host,
  exec: Json.Fields,
  { folder, cluster }: Surroundings
): Promise<ClusterCredential> => {
  const named = Json.text(exec.command) ?? ""
  const version = Json.text(exec.apiVersion) ?? ""
  if (named === "" || !VERSIONS.includes(version))
    throw unreadable(
      `the kubeconfig names a program of version \`${version}\``,
      `known: ${VERSIONS}`
    )
  const command = named.includes("/") && !isAbsolute(named) ? resolve(folder, named) : named
  const args = Json.list(exec.args).filter((each): each is string => typeof each === "string")
  const own = Json.objects(exec.env).flatMap(({ name, value }) =>
    typeof name === "string" && typeof value === "string" ? [[name, value] as const] : []
  )
  const env = {
    ...foreignEnv(host),
    ...Object.fromEntries(own),
    KUBERNETES_EXEC_INFO: infoOf(version, exec, cluster)
  }
  const status = parsed(command, await outputOf(command, args, env))
  const token = Json.text(status.token)
  const cert = Json.text(status.clientCertificateData)
  const key = Json.text(status.clientKeyData)
  if (token === undefined && cert === undefined)
    throw unreadable(`${command}, which the kubeconfig names, gave no credential`)
  return {
    ...(token === undefined ? {} : { token }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key })
  }
}
