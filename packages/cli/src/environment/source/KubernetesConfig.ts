/**
 * How to reach a cluster: by a kubeconfig (`KUBECONFIG`, several files merged, or `~/.kube/config`), or by the
 * service account of the pod in which this runs.
 *
 * Not supported: servers without a verified certificate, and sign-in plugins that Kubernetes has removed.
 */
import { existsSync, readFileSync } from "node:fs"
import { delimiter, dirname, join, resolve } from "node:path"
import type { ServiceTls } from "@attestry/client/node/NodeFetch"
import { type CommandFailure, unreadable } from "../../shared/CommandFailure.js"
import { type Host, variable } from "../../shared/Host.js"
import * as Json from "../../shared/Json.js"
import * as ExecCredential from "./ExecCredential.js"

/** The credentials of requests; read again in each round. */
export interface ClusterCredential {
  readonly token?: string
  readonly cert?: string
  readonly key?: string
}

/** A cluster. */
export interface Cluster {
  readonly server: string
  /** The name for messages. */
  readonly shown: string
  readonly namespace: string | undefined
  readonly tls: ServiceTls
  readonly credential: ClusterCredential
  readonly proxyUrl: string | undefined
}

/** Where a pod's service account is mounted. */
export const SERVICE_ACCOUNT_FOLDER = "/var/run/secrets/kubernetes.io/serviceaccount"

const hint = "give --context, set KUBECONFIG, or run it in the cluster"

const problem = (message: string, more = hint): CommandFailure => unreadable(message, more)

/** A mapping of a kubeconfig, and the folder to which its paths are relative. */
interface Named {
  readonly name: string
  readonly fields: Json.Fields
  readonly folder: string
}

interface Kubeconfig {
  readonly current: string | undefined
  readonly contexts: ReadonlyArray<Named>
  readonly clusters: ReadonlyArray<Named>
  readonly users: ReadonlyArray<Named>
}

const parse = async (file: string): Promise<Json.Fields> => {
  const YamlText = await import("@attestry/core/YamlText")
  const Either = await import("effect/Either")
  const parsed = YamlText.parse(readFileSync(file, "utf8"))
  if (Either.isRight(parsed)) return Json.object(parsed.right.value)
  const [{ line, column, message }] = parsed.left.problems
  throw problem(
    `${file}:${line}:${column}: ${message}`,
    "kubectl config view --minify --raw writes a small one"
  )
}

const namedIn = (list: unknown, member: string, folder: string): ReadonlyArray<Named> =>
  Json.objects(list).map((each) => ({
    name: Json.text(each.name) ?? "",
    fields: Json.object(each[member]),
    folder
  }))

const filesOf = (host: Host): ReadonlyArray<string> => {
  const listed = variable(host, "KUBECONFIG")
    ?.split(delimiter)
    .filter((path) => path !== "")
  return (listed ?? [join(host.home, ".kube/config")])
    .map((path) => resolve(host.cwd, path))
    .filter((path) => existsSync(path))
}

/** Merges the files; the first value wins, as in kubectl. */
const read = async (host: Host): Promise<Kubeconfig | undefined> => {
  const files = await Promise.all(
    filesOf(host).map(async (file) => ({ folder: dirname(file), config: await parse(file) }))
  )
  if (files.length === 0) return undefined
  return {
    current: files
      .map(({ config }) => Json.text(config["current-context"]))
      .find((name) => name !== undefined && name !== ""),
    contexts: files.flatMap(({ config, folder }) => namedIn(config.contexts, "context", folder)),
    clusters: files.flatMap(({ config, folder }) => namedIn(config.clusters, "cluster", folder)),
    users: files.flatMap(({ config, folder }) => namedIn(config.users, "user", folder))
  }
}

const find = (list: ReadonlyArray<Named>, what: string, name: string): Named => {
  const found = list.find((each) => each.name === name)
  if (found !== undefined) return found
  const known = list.map((each) => each.name).join(", ")
  throw problem(
    `the kubeconfig has no ${what} \`${name}\``,
    known === "" ? hint : `there is: ${known}`
  )
}

const readFile = (path: string, what: string): string => {
  try {
    return readFileSync(path, "utf8")
  } catch (cause) {
    throw unreadable(`${what}: ${path} cannot be read`, undefined, cause)
  }
}

/** A value that is inline in Base64, or in a file that the kubeconfig names. */
const dataOf = ({ fields, folder }: Named, name: string): string | undefined => {
  const data = Json.text(fields[`${name}-data`])
  if (data !== undefined && data !== "") return Buffer.from(data, "base64").toString("utf8")
  const path = Json.text(fields[name])
  return path === undefined || path === "" ? undefined : readFile(resolve(folder, path), name)
}

const credentialOf = async (
  host: Host,
  user: Named,
  cluster: Named
): Promise<ClusterCredential> => {
  const { fields, folder } = user
  if (Json.isObject(fields["auth-provider"]))
    throw problem(
      `user \`${user.name}\` signs in by auth-provider, which is not supported`,
      "use an exec plugin of your cluster's vendor"
    )
  if (Json.text(fields.username) !== undefined)
    throw problem(`user \`${user.name}\` signs in by a password, which clusters no longer take`)
  const tokenFile = Json.text(fields.tokenFile)
  const token =
    tokenFile === undefined
      ? Json.text(fields.token)
      : readFile(resolve(folder, tokenFile), "tokenFile").trim()
  const cert = dataOf(user, "client-certificate")
  const key = dataOf(user, "client-key")
  const exec = Json.isObject(fields.exec)
    ? await ExecCredential.run(host, fields.exec, { folder, cluster: cluster.fields })
    : {}
  return {
    ...(token === undefined || token === "" ? {} : { token }),
    ...(cert === undefined ? {} : { cert }),
    ...(key === undefined ? {} : { key }),
    ...exec
  }
}

const checkServer = (server: string, { name, fields }: Named): void => {
  if (!URL.canParse(server) || !/^https?:/.test(server))
    throw problem(`cluster \`${name}\` has no address`)
  const { protocol, hostname } = new URL(server)
  if (protocol === "http:" && !/^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname))
    throw problem(`cluster \`${name}\` would be spoken to without encryption`, "use https")
  if (fields["insecure-skip-tls-verify"] === true)
    throw problem(
      `cluster \`${name}\` is not to be checked (insecure-skip-tls-verify), which is not done`,
      "give certificate-authority-data instead"
    )
}

const fromKubeconfig = async (
  host: Host,
  config: Kubeconfig,
  asked: string | undefined
): Promise<Cluster> => {
  const current = asked ?? config.current
  if (current === undefined) throw problem("the kubeconfig has no current context")
  const context = find(config.contexts, "context", current)
  const cluster = find(config.clusters, "cluster", Json.text(context.fields.cluster) ?? "")
  const user = find(config.users, "user", Json.text(context.fields.user) ?? "")
  const server = Json.text(cluster.fields.server) ?? ""
  checkServer(server, cluster)
  const ca = dataOf(cluster, "certificate-authority")
  const servername = Json.text(cluster.fields["tls-server-name"])
  return {
    server: server.replace(/\/+$/, ""),
    shown: `context ${current}`,
    namespace: Json.text(context.fields.namespace),
    tls: {
      ...(ca === undefined ? {} : { ca }),
      ...(servername === undefined ? {} : { servername })
    },
    credential: await credentialOf(host, user, cluster),
    proxyUrl: Json.text(cluster.fields["proxy-url"])
  }
}

const inCluster = (host: Host, folder: string): Cluster | undefined => {
  const name = variable(host, "KUBERNETES_SERVICE_HOST")
  const port = variable(host, "KUBERNETES_SERVICE_PORT") ?? "443"
  if (name === undefined || !existsSync(join(folder, "token"))) return undefined
  const shownHost = name.includes(":") ? `[${name}]` : name
  return {
    server: `https://${shownHost}:${port}`,
    shown: "the cluster that this runs in",
    namespace: undefined,
    tls: { ca: readFile(join(folder, "ca.crt"), "the service account") },
    credential: { token: readFile(join(folder, "token"), "the service account").trim() },
    proxyUrl: undefined
  }
}

/** The cluster of the given or current context, or of the pod; a kubeconfig takes precedence. */
export const load = async (
  host: Host,
  context: string | undefined,
  accountFolder = SERVICE_ACCOUNT_FOLDER
): Promise<Cluster> => {
  const config = await read(host)
  if (config !== undefined) return fromKubeconfig(host, config, context)
  if (context !== undefined) throw problem("there is no kubeconfig")
  const own = inCluster(host, accountFolder)
  if (own !== undefined) return own
  throw problem("no cluster is known: there is no kubeconfig, and this runs in no pod")
}
