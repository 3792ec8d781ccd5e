/** Eight callers that write evidence and three that report, on servers that may be killed or replaced under them. */
import { Fingerprint } from "@attestry/core/Fingerprint"

const WRITERS = 8
const REPORTERS = 3

/** The contents that run. */
export const CONTENTS = ["a", "b", "c"].map((letter) => Fingerprint.make(letter.repeat(64)))

const RULES: readonly [string, ...ReadonlyArray<string>] = [
  "  provenance: {required: true}\n  trail-compliance: {required: true}\n",
  "  attestations: [{type: generic, name: scan}]\n",
  `  attestations: [{type: generic, name: review, if: '\${{ flow.tags.risk == "high" }}'}]\n`
]

/** The text of a policy. */
export const policyOf = (rules: string = RULES[0]): string =>
  `_schema: https://example.org/policy/v1\nartifacts:\n${rules}`

/** A request below `/api/v2`. */
export interface Request {
  readonly method: string
  readonly path: string
  readonly body?: object
  /** A file that goes with the body, in a form. */
  readonly file?: { readonly name: string; readonly text: string }
}

/** Makes a request from an org's name. */
export type Draw = (org: string) => Request

const made = (method: string, path: string, body: object): Request => ({ method, path, body })

const pick = <A>(list: readonly [A, ...ReadonlyArray<A>]): A =>
  list[Math.floor(Math.random() * list.length)] ?? list[0]

const anyContent = () => pick(["a", "b", "c"]).repeat(64)
const anyFlow = () => pick(["build", "release"])
const anyTrail = () => pick(["one", "two"])
const anyEnvironment = () => pick(["prod", "test"])

/** A record of an artifact. */
export const artifact: Draw = (org) =>
  made("POST", `/artifacts/${org}/${anyFlow()}`, {
    fingerprint: anyContent(),
    filename: "shop",
    build_url: "https://ci.example.org/1",
    commit_url: "https://git.example.org/1",
    trail_name: anyTrail(),
    template_reference_name: "app"
  })

/** An attestation of a trail or of an artifact in it. */
export const attestation: Draw = (org) =>
  made("POST", `/attestations/${org}/${anyFlow()}/trail/${anyTrail()}/generic`, {
    attestation_name: pick(["scan", "review"]),
    is_compliant: Math.random() < 0.6,
    ...(Math.random() < 0.7 ? { artifact_fingerprint: anyContent() } : {})
  })

/** A change of a flow's tags. */
export const tag: Draw = (org) =>
  made("PATCH", `/tags/${org}/flow/${anyFlow()}`, { set_tags: { risk: pick(["high", "low"]) } })

/** A version of a policy. */
export const save = (org: string, name = pick(["base", "strict"])): Request =>
  made("PUT", `/policies/${org}/${name}`, { policy_yaml: policyOf(pick(RULES)) })

/** A trail that begins, or begins again with another template. */
export const begin: Draw = (org) => ({
  ...made("PUT", `/trails/${org}/${anyFlow()}`, { name: anyTrail() }),
  file: {
    name: "template_file",
    text: pick([
      "version: 1\n",
      "version: 1\ntrail:\n  attestations: [{name: review, type: generic}]\n"
    ])
  }
})

/** An artifact that is allowed. */
export const allow: Draw = (org) =>
  made("PUT", `/allowlists/${org}/${anyEnvironment()}`, {
    artifact_fingerprint: anyContent(),
    artifact_name: "shop",
    description: pick(["known", "wanted"])
  })

/** One that is no longer. */
export const disallow: Draw = (org) => ({
  method: "DELETE",
  path: `/allowlists/${org}/${anyEnvironment()}/${anyContent()}`
})

/** What runs in an environment. */
export const report: Draw = (org) =>
  made("PUT", `/environments/${org}/${anyEnvironment()}/report/server`, {
    artifacts: CONTENTS.filter(() => Math.random() < 0.6).map((content, at) => ({
      digests: { [`app-${at}`]: content },
      creationTimestamp: 1_777_550_805
    }))
  })

/** The answer to a request; the status is 0 where the server is dead. */
export interface Answer {
  readonly status: number
  readonly text: string
}

const contentOf = ({ body, file }: Request): RequestInit => {
  if (body === undefined) return {}
  const text = JSON.stringify(body)
  if (file === undefined) return { headers: { "content-type": "application/json" }, body: text }
  const form = new FormData()
  form.set("data_json", text)
  form.set(file.name, new Blob([file.text]), file.name)
  return { body: form }
}

/** Asks one of the servers. */
export const ask = async (url: string, key: string, request: Request): Promise<Answer> => {
  try {
    const { headers, ...content } = contentOf(request)
    const response = await fetch(`${url}/api/v2${request.path}`, {
      method: request.method,
      headers: { authorization: `Bearer ${key}`, ...headers },
      ...content
    })
    return { status: response.status, text: await response.text() }
  } catch {
    return { status: 0, text: "" }
  }
}

/** The flows, policies and environments that callers write about. */
export const prepared = (org: string): ReadonlyArray<Request> => [
  save(org, "base"),
  save(org, "strict"),
  ...["build", "release"].map((name) =>
    made("PUT", `/flows/${org}`, { name, description: "", visibility: "private" })
  ),
  ...["prod", "test"].map((name) =>
    made("PUT", `/environments/${org}`, { name, type: "server", policies: ["base", "strict"] })
  )
]

/** What came of a load so far. */
export interface Load {
  /** Writes that were accepted, by the place of the server in the list. */
  readonly accepted: Map<number, number>
  /** Answers that were no success: the status, and the last text with it. */
  readonly refused: Map<number, string>
  going: boolean
}

/** How many writes were accepted, by all servers or by one. */
export const acceptedOf = ({ accepted }: Load, server?: number): number =>
  server === undefined
    ? [...accepted.values()].reduce((sum, count) => sum + count, 0)
    : (accepted.get(server) ?? 0)

/** Callers that go on until they are stopped, each on the server that has its place in the list by then. */
export const start = (
  servers: ReadonlyArray<{ readonly url: string }>,
  { key, org }: { readonly key: string; readonly org: string },
  writes: readonly [Draw, ...ReadonlyArray<Draw>]
): { readonly load: Load; readonly callers: Promise<unknown> } => {
  const load: Load = { accepted: new Map(), refused: new Map(), going: true }
  const caller = async (number: number, draw: () => Draw) => {
    while (load.going) {
      const at = number % servers.length
      const { status, text } = await ask(servers[at]?.url ?? "", key, draw()(org))
      if (status >= 200 && status < 300) load.accepted.set(at, acceptedOf(load, at) + 1)
      else load.refused.set(status, text)
    }
  }
  const callers = Promise.all([
    ...Array.from({ length: WRITERS }, (_, at) => caller(at, () => pick(writes))),
    ...Array.from({ length: REPORTERS }, (_, at) => caller(at, () => report))
  ])
  return { load, callers }
}

/** Waits until so many more writes were accepted. */
export const more = async (load: Load, count: number, server?: number): Promise<void> => {
  const enough = acceptedOf(load, server) + count
  while (acceptedOf(load, server) < enough) await new Promise((resolve) => setTimeout(resolve, 20))
}
