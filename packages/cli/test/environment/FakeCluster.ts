/**
 * A stand-in for the API server of a cluster, over TLS on loopback.
 *
 * Its answers are handwritten from the API reference of Kubernetes 1.31: lists with `continue`, watches, and `Status`
 * for refusals.
 */
import { readFileSync } from "node:fs"
import type { IncomingMessage, ServerResponse } from "node:http"
import { createServer } from "node:https"
import type { AddressInfo } from "node:net"
import type { TLSSocket } from "node:tls"

const fixture = (name: string) =>
  readFileSync(new URL(`../../../notifier/test/fixture/${name}`, import.meta.url), "utf8")

/** The certificate of the cluster, which is its own authority. */
export const CERTIFICATE = fixture("receiver.cert.pem")
/** The key of the certificate. */
export const KEY = fixture("receiver.key.pem")
/** The token that opens the cluster. */
export const TOKEN = "cluster-token-canary"

/** A container of a pod. */
export interface FakeContainer {
  readonly name?: string
  readonly image: string
  readonly imageID?: string
  readonly state?: "running" | "waiting" | "terminated"
  readonly list?: "container" | "initContainer" | "ephemeralContainer"
  /** What the status says instead of the image. */
  readonly told?: string
}

/** A pod. */
export interface FakePod {
  readonly namespace: string
  readonly name: string
  readonly phase?: string
  readonly containers: ReadonlyArray<FakeContainer>
}

const LISTS = ["container", "initContainer", "ephemeralContainer"] as const

/** A pod in the form of the API. */
export const podOf = ({ namespace, name, phase = "Running", containers }: FakePod) => {
  const of = (list: string) => containers.filter((each) => (each.list ?? "container") === list)
  return {
    metadata: {
      name,
      namespace,
      uid: `uid-${name}`,
      creationTimestamp: "2026-11-14T10:00:00Z",
      resourceVersion: "40",
      ownerReferences: [
        {
          apiVersion: "apps/v1",
          kind: "ReplicaSet",
          name: `${name}-rs`,
          uid: "u1",
          controller: true,
          blockOwnerDeletion: true,
          surprise: 1
        }
      ]
    },
    spec: Object.fromEntries(
      LISTS.map((list) => [
        `${list}s`,
        of(list).map(({ name: own = "main", image }) => ({ name: own, image }))
      ])
    ),
    status: {
      phase,
      ...Object.fromEntries(
        LISTS.map((list) => [
          `${list}Statuses`,
          of(list).map(({ name: own = "main", image, imageID = "", state = "running", told }) => ({
            name: own,
            image: told ?? image,
            imageID,
            ready: state === "running",
            restartCount: 0,
            state: { [state]: {} }
          }))
        ])
      )
    }
  }
}

/** What a test changes about the cluster. */
export interface ClusterState {
  pods: ReadonlyArray<FakePod>
  /** Namespaces whose pods may not be listed; `*` is the list of all. */
  denied: ReadonlyArray<string>
  /** How many continued lists answer 410. */
  expired: number
  /** How often a pod is asked for again until it tells its digest. */
  settlesAfter: number
  /** The most items of a page. */
  pageSize: number
  /** Whether a certificate opens the cluster instead of the token. */
  needsCertificate: boolean
}

const status = (code: number, message: string) => ({
  kind: "Status",
  apiVersion: "v1",
  status: "Failure",
  message,
  code
})

/** A running cluster. */
export interface FakeCluster {
  readonly url: string
  readonly port: number
  readonly state: ClusterState
  readonly requests: Array<string>
  readonly stop: () => Promise<void>
}

const send = (response: ServerResponse, code: number, body: unknown): undefined => {
  response.writeHead(code, { "content-type": "application/json" })
  response.end(JSON.stringify(body))
}

const FIRST_EVENT_MS = 20

const watch = (response: ServerResponse): undefined => {
  response.writeHead(200, { "content-type": "application/json" })
  response.write(`${JSON.stringify({ type: "BOOKMARK", object: {} })}\n`)
  setTimeout(
    () => response.write(`${JSON.stringify({ type: "MODIFIED", object: {} })}\n`),
    FIRST_EVENT_MS
  )
}

const listPods = (state: ClusterState, url: URL, response: ServerResponse): undefined => {
  const namespace = /namespaces\/([^/]+)\//.exec(url.pathname)?.[1]
  if (state.denied.includes(namespace ?? "*"))
    return send(
      response,
      403,
      status(403, `pods is forbidden: User "r" cannot list resource "pods"`)
    )
  const start = Number(url.searchParams.get("continue") ?? 0)
  if (start > 0 && state.expired-- > 0)
    return send(response, 410, status(410, "The provided continue parameter is too old"))
  const all = state.pods.filter((pod) => namespace === undefined || pod.namespace === namespace)
  const size = Math.min(state.pageSize, Number(url.searchParams.get("limit")))
  const next = start + size
  return send(response, 200, {
    kind: "PodList",
    metadata: {
      resourceVersion: "41",
      ...(next < all.length
        ? { continue: String(next), remainingItemCount: all.length - next }
        : {})
    },
    items: all.slice(start, next).map(podOf)
  })
}

const settled = (pod: FakePod): FakePod => ({
  ...pod,
  containers: pod.containers.map((each) => ({ ...each, imageID: `x@sha256:${"5".repeat(64)}` }))
})

const getPod = (state: ClusterState, path: string, response: ServerResponse): undefined => {
  const pod = state.pods.find(({ name }) => path.endsWith(`/pods/${name}`))
  if (pod === undefined) return send(response, 404, status(404, "not found"))
  return send(response, 200, podOf(state.settlesAfter-- <= 1 ? settled(pod) : pod))
}

const answer = (
  state: ClusterState,
  request: IncomingMessage,
  response: ServerResponse
): undefined => {
  const url = new URL(request.url ?? "", "https://cluster")
  // WHY: the type of a request cannot say that its socket is one of TLS.
  const { authorized } = request.socket as TLSSocket
  const isOpen = state.needsCertificate
    ? authorized
    : request.headers.authorization === `Bearer ${TOKEN}`
  if (!isOpen) return send(response, 401, status(401, "Unauthorized"))
  if (url.searchParams.get("watch") === "true") return watch(response)
  if (/\/pods$/.test(url.pathname)) return listPods(state, url, response)
  if (/\/pods\//.test(url.pathname)) return getPod(state, url.pathname, response)
  const names = [...new Set(state.pods.map(({ namespace }) => namespace))]
  return send(response, 200, {
    kind: "NamespaceList",
    metadata: { resourceVersion: "41" },
    items: names.map((name) => ({ metadata: { name } }))
  })
}

/** Starts a cluster. */
export const start = async (): Promise<FakeCluster> => {
  const state: ClusterState = {
    pods: [],
    denied: [],
    expired: 0,
    settlesAfter: 1,
    pageSize: 500,
    needsCertificate: false
  }
  const requests: Array<string> = []
  const tls = { key: KEY, cert: CERTIFICATE, ca: CERTIFICATE }
  const server = createServer(
    { ...tls, requestCert: true, rejectUnauthorized: false },
    (request, response) => {
      requests.push(request.url ?? "")
      answer(state, request, response)
    }
  )
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `https://127.0.0.1:${port}`,
    port,
    state,
    requests,
    stop: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      })
  }
}

/** A kubeconfig of one cluster. */
export const kubeconfig = (
  url: string,
  { user = { token: TOKEN }, cluster = {} }: { user?: object; cluster?: object } = {}
): string =>
  JSON.stringify({
    apiVersion: "v1",
    kind: "Config",
    "current-context": "here",
    contexts: [
      { name: "here", context: { cluster: "c", user: "u" } },
      { name: "broken", context: { cluster: "none", user: "u" } }
    ],
    clusters: [
      {
        name: "c",
        cluster: {
          server: url,
          "certificate-authority-data": Buffer.from(CERTIFICATE).toString("base64"),
          ...cluster
        }
      }
    ],
    users: [{ name: "u", user }]
  })
