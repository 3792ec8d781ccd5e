/**
 * Fills an org with what makes large answers: an environment of many artifacts under several policies, each artifact
 * with a trail and evidence of its own, and one trail with very many events.
 */
import { Agent, request } from "node:http"

/** A request to the API. */
export interface Asked {
  readonly method: "GET" | "POST" | "PUT"
  /** Below `/api/v2`, or a path of its own where it begins otherwise. */
  readonly path: string
  readonly key: string
  readonly body?: object
}

/** An answer without its body. */
export interface Answered {
  readonly status: number
  readonly bytes: number
  readonly millis: number
}

const agent = new Agent({ keepAlive: true })

/** Closes the connections that are kept. */
export const disconnect = (): void => agent.destroy()

/** Sends a request and drops the body of the answer. */
export const send = (url: string, { method, path, key, body }: Asked): Promise<Answered> =>
  new Promise((resolve, reject) => {
    const began = performance.now()
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" }
    const sent = request(`${url}${path}`, { method, agent, headers }, (answer) => {
      let bytes = 0
      answer.on("data", (piece: Buffer) => {
        bytes += piece.byteLength
      })
      answer.once("error", reject)
      answer.once("end", () =>
        resolve({ status: answer.statusCode ?? 0, bytes, millis: performance.now() - began })
      )
    })
    sent.once("error", reject)
    sent.end(body === undefined ? undefined : JSON.stringify(body))
  })

/** How much there is. */
export interface Size {
  readonly artifacts: number
  /** Attestations of each artifact. */
  readonly attestations: number
  /** Attestations of the long trail. */
  readonly events: number
}

/** The names of what is made. */
export const ENVIRONMENT = "large"
export const FLOW = "large"
export const LONG_TRAIL = "long"

const WRITERS = 16
const RULES = 20

const conditionOf = (index: number): string =>
  `flow.tags.team != "t${index}" and flow.tags.n > ${index} or flow.name == "${FLOW}"`

/** A policy whose rules nothing satisfies, and which say when they hold. */
export const policyOf = (salt: string): string =>
  [
    "_schema: https://attestry.example/schemas/policy/v1",
    "artifacts:",
    "  provenance: {required: true}",
    "  attestations:",
    ...Array.from(
      { length: RULES },
      (_, index) =>
        `    - { type: junit, name: ${salt}-${index}, if: '\${{ ${conditionOf(index)} }}' }`
    ),
    ""
  ].join("\n")

/** The names of the policies of the environment. */
export const POLICIES = ["tests", "scans", "reviews"] as const

const fingerprintOf = (index: number): string => (index + 1).toString(16).padStart(64, "0")

/** What runs; artifacts of another generation are others. */
export const reportOf = (artifacts: number, generation = 0): object => ({
  artifacts: Array.from({ length: artifacts }, (_, index) => ({
    digests: { [`service-${index}`]: fingerprintOf(generation * artifacts + index) },
    creationTimestamp: 1_790_000_000 + generation
  }))
})

/** Sends requests by number, several at a time; a refusal is an error. */
const sendAll = async (
  url: string,
  count: number,
  next: (index: number) => Asked,
  writers = WRITERS
): Promise<void> => {
  let index = 0
  const write = async () => {
    for (let at = index++; at < count; at = index++) {
      const asked = next(at)
      const { status } = await send(url, asked)
      if (status >= 300) throw new Error(`${asked.method} ${asked.path} was answered ${status}`)
    }
  }
  await Promise.all(Array.from({ length: writers }, write))
}

const commitOf = (index: number): string => (index + 1).toString(16).padStart(40, "c")

const commitInfo = (index: number) => ({
  sha1: commitOf(index),
  message: `Change number ${index}: ${"keep what was said ".repeat(6)}`,
  author: "Builder <builder@example.org>",
  branch: "main",
  timestamp: 1_789_000_000 + index,
  url: `https://git.example.org/team/service/commit/${commitOf(index)}`
})

/** Fills an org. */
export const fill = async (
  url: string,
  org: string,
  { key, size }: { readonly key: string; readonly size: Size }
): Promise<void> => {
  const { artifacts, attestations, events } = size
  const put = (path: string, body: object): Asked => ({
    method: "PUT",
    path: `/api/v2/${path}`,
    key,
    body
  })
  const post = (path: string, body: object): Asked => ({ ...put(path, body), method: "POST" })
  const attest = (trail: string, number: number, about: object): Asked =>
    post(`attestations/${org}/${FLOW}/trail/${trail}/generic`, {
      attestation_name: `check-${number}`,
      is_compliant: true,
      user_data: { number, log: "examined line by line. ".repeat(8) },
      ...about
    })
  const one = (asked: Asked) => sendAll(url, 1, () => asked, 1)
  await one(put(`flows/${org}`, { name: FLOW, description: "" }))
  for (const name of POLICIES)
    await one(put(`policies/${org}/${name}`, { policy_yaml: policyOf(name) }))
  await one(put(`environments/${org}`, { name: ENVIRONMENT, type: "server", policies: POLICIES }))
  await sendAll(url, artifacts, (index) => put(`trails/${org}/${FLOW}`, { name: `run-${index}` }))
  await sendAll(url, artifacts, (index) =>
    post(`artifacts/${org}/${FLOW}`, {
      fingerprint: fingerprintOf(index),
      filename: `service-${index}`,
      build_url: `https://ci.example.org/${index}`,
      commit_url: `https://git.example.org/${commitOf(index)}`,
      git_commit: commitOf(index),
      git_commit_info: commitInfo(index),
      trail_name: `run-${index}`,
      template_reference_name: "app"
    })
  )
  await sendAll(url, artifacts * attestations, (index) =>
    attest(`run-${index % artifacts}`, Math.floor(index / artifacts), {
      artifact_fingerprint: fingerprintOf(index % artifacts)
    })
  )
  await one(put(`environments/${org}/${ENVIRONMENT}/report/server`, reportOf(artifacts)))
  await one(put(`trails/${org}/${FLOW}`, { name: LONG_TRAIL }))
  await sendAll(url, events, (index) =>
    attest(LONG_TRAIL, index % 4, { git_commit_info: commitInfo(index) })
  )
}
