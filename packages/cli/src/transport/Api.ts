/** Client of the deployment in the settings. Calls return plain JSON values. */
import { readFileSync } from "node:fs"
import * as NodeFetch from "@attestry/client/node/NodeFetch"
import * as PlainCalls from "@attestry/client/PlainCalls"
import { AttestryError } from "@attestry/client/PromiseClient"
import * as Settings from "../settings/Settings.js"
import { CommandFailure, usage } from "../shared/CommandFailure.js"
import { type Host, variable } from "../shared/Host.js"
import { type Fields, isObject } from "../shared/Json.js"
import type { Output } from "../shared/Output.js"
import { VERSION } from "../shared/Version.js"
import * as AnswerLines from "./AnswerLines.js"
import * as AnswerStream from "./AnswerStream.js"
import * as ApiFailure from "./ApiFailure.js"
import * as NearNames from "./NearNames.js"
import * as PartialView from "./PartialView.js"
import * as WrittenFile from "./WrittenFile.js"

/** A JSON value of an answer. */
export type Json = unknown

/** An answer of the API. */
export interface Answer {
  readonly status: number
  readonly body: Json
  readonly bytes: Uint8Array
  /** Whether the caller reads a part of the org alone. */
  readonly isPartial: boolean
}

/** The parameters and the body of a call. */
export type Call = Omit<PlainCalls.PlainCall, "headers" | "signal">

/** The API of a deployment. */
export interface Api {
  readonly url: string
  /** The org in the settings, else the default org of the key. */
  readonly org: () => Promise<string>
  /** Calls an operation such as `flow.put`, and fills in the org of the path. */
  readonly call: (operation: string, call?: Call) => Promise<Json>
  /** As `call`, but undefined for 404. */
  readonly find: (operation: string, call?: Call) => Promise<Json | undefined>
  /** As `call`, with the bytes of the answer. */
  readonly answer: (operation: string, call?: Call) => Promise<Answer>
  /** Calls a write that answers with its outcome. */
  readonly write: (operation: string, call: Call) => Promise<Json>
  /** Calls an operation that streams lines; each call is one attempt. */
  readonly lines: (operation: string, call: Call) => AsyncIterable<Fields>
  /** Reads a file that an operation streams, in one attempt and of any size; with a body it is a POST. */
  readonly download: (operation: string, call: Call) => AsyncIterable<Uint8Array>
  /** Checks a request against the contract; sends nothing. */
  readonly check: (operation: string, call: Call) => Promise<void>
}

const certificatesOf = (settings: Settings.Settings): string | undefined => {
  const { caFile } = settings
  if (caFile === undefined) return undefined
  try {
    return readFileSync(caFile.value, "utf8")
  } catch (cause) {
    throw new CommandFailure("usage", `${caFile.source}: ${caFile.value} cannot be read`, { cause })
  }
}

const VISIBLE = /^[\x21-\x7e]+$/

/** A key source that exchanges the job's id token; undefined if the job has none. */
const ofJob = async (
  host: Host,
  output: Output,
  exchanged: { readonly settings: Settings.Settings; readonly send: NodeFetch.Send }
): Promise<Settings.KeySource | undefined> => {
  const { settings, send } = exchanged
  const { url, org, timeoutMs } = settings
  const identity = (await import("../job/JobIdentity.js")).find(host, send)
  if (identity === undefined || url === undefined) return undefined
  const runnerToken = variable(host, "ACTIONS_ID_TOKEN_REQUEST_TOKEN")
  if (runnerToken !== undefined) output.hide(runnerToken)
  const { exchange } = await import("./TokenExchange.js")
  const options = { host, output, send, url: url.value, org: org?.value, timeoutMs }
  return {
    source: `the id token of ${identity.source}`,
    read: () => exchange(options, identity)
  }
}

const keyOf = async (settings: Settings.Settings, output: Output): Promise<string> => {
  const { key, keyProblem } = settings
  if (keyProblem !== undefined) throw new CommandFailure("denied", keyProblem)
  if (key === undefined)
    throw new CommandFailure("denied", "there is no API key", {
      hint: "run: attestry login, set ATTESTRY_API_KEY, or let the job have an id token: attestry help identity"
    })
  const text = await key.read()
  output.hide(text)
  if (VISIBLE.test(text)) return text
  throw new CommandFailure("denied", `the key from ${key.source} holds characters that no key has`)
}

const parse = (bytes: Uint8Array): Json => {
  try {
    return JSON.parse(new TextDecoder().decode(bytes))
  } catch {
    // WHY: the caller reports a body that is not JSON, with the operation and the URL.
    return undefined
  }
}

interface Connection {
  readonly options: PlainCalls.PlainCallsOptions
  readonly settings: Settings.Settings
  readonly url: string
  readonly attempts: Array<NodeFetch.Attempt>
  /** Whether the last request had an idempotency key. */
  readonly sent: { isKeyed: boolean }
  readonly stream: AnswerStream.StreamRequest["send"]
  readonly host: Host
}

const connect = async (
  host: Host,
  output: Output,
  given: Settings.Settings
): Promise<Connection> => {
  if (given.url === undefined) throw Settings.noUrl()
  const attempts: Array<NodeFetch.Attempt> = []
  const transport: NodeFetch.NodeFetchOptions = {
    env: host.env,
    certificates: certificatesOf(given),
    onAttempt: (attempt) => {
      attempts.push(attempt)
      output.trace(`${attempt.method} ${attempt.url.href} ${attempt.status ?? attempt.error}`)
    }
  }
  const plain = NodeFetch.make(transport)
  const sent = { isKeyed: false }
  const isWithout = given.key === undefined && given.keyProblem === undefined
  const exchanged = isWithout
    ? await ofJob(host, output, { settings: given, send: plain })
    : undefined
  const settings = exchanged === undefined ? given : { ...given, key: exchanged }
  const key = await keyOf(settings, output)
  return {
    url: given.url.value,
    settings,
    attempts,
    sent,
    stream: NodeFetch.makeStreamed(transport),
    host,
    options: {
      baseUrl: given.url.value,
      fetch: (url, init) => {
        sent.isKeyed = Object.keys(init.headers ?? {}).includes("idempotency-key")
        return plain(url, init)
      },
      written: WrittenFile.make(host, given.url.value, output.trace),
      timeout: settings.timeoutMs,
      retry: { retriesMax: settings.retries },
      headers: {
        accept: "application/json",
        authorization: `Bearer ${key}`,
        "user-agent": `attestry/${VERSION}`
      }
    }
  }
}

/** The failure of a call without an answer. */
const silence = (connection: Connection, operation: string, error: unknown): unknown => {
  if (connection.host.signal.aborted) return connection.host.signal.reason
  if (!(error instanceof AttestryError)) return error
  if (error.reason === "Encode")
    return new CommandFailure("usage", error.message, {
      operation,
      errors: error.errors ?? undefined
    })
  return ApiFailure.ofSilence(operation, error, {
    url: connection.url,
    proxy: connection.attempts.at(-1)?.proxy?.shown,
    attempts: connection.attempts.length
  })
}

const send = async (
  connection: Connection,
  operation: string,
  call: PlainCalls.PlainCall
): Promise<Answer> => {
  connection.attempts.length = 0
  const { status, headers, bytes } = await PlainCalls.send(connection.options, operation, {
    ...call,
    signal: connection.host.signal
  }).catch((error: unknown) => {
    throw silence(connection, operation, error)
  })
  if (status >= 200 && status < 300) {
    const isPartial = headers.get(PartialView.HEADER) === "partial"
    return { status, body: parse(bytes), bytes, isPartial }
  }
  const text = new TextDecoder().decode(bytes)
  throw await refusal(connection, { operation, path: call.path }, { status, headers, text })
}

/** The failure of an error answer. */
const refusal = async (
  { settings, sent, url }: Connection,
  { operation, path = {} }: { readonly operation: string; readonly path: Fields | undefined },
  answer: {
    readonly status: number
    readonly headers: Pick<Headers, "get">
    readonly text: string
  }
): Promise<CommandFailure> => {
  const { status, headers, text } = answer
  return ApiFailure.ofAnswer({
    operation,
    status,
    contentType: headers.get("content-type") ?? "",
    requestId: headers.get("x-request-id") ?? undefined,
    text,
    link: headers.get("link") ?? undefined,
    keySource: settings.key?.source ?? "",
    org: path.org === undefined ? undefined : String(path.org),
    role: status === 403 ? await PlainCalls.neededRole(operation, { path }) : undefined,
    isKeyed: sent.isKeyed,
    url
  })
}

/** A request whose answer is streamed, without its body. */
const streamOf = (
  connection: Connection,
  operation: string,
  call: PlainCalls.PlainCall
): Omit<AnswerStream.StreamRequest, "init" | "answered"> => {
  const { options, settings, host } = connection
  connection.sent.isKeyed = false
  return {
    operation,
    url: PlainCalls.urlOf(options.baseUrl, operation, call),
    send: connection.stream,
    timeoutMs: settings.timeoutMs,
    signal: host.signal,
    refused: ({ status, headers }, text) =>
      refusal(connection, { operation, path: call.path }, { status, headers, text })
  }
}

/** The default org of the key, else its only org. */
const defaultOrg = async (connection: Connection): Promise<string> => {
  const { body } = await send(connection, "user.getDefaultOrg", {})
  if (isObject(body) && typeof body.default_org_name === "string" && body.default_org_name !== "")
    return body.default_org_name
  const { body: caller } = await send(connection, "meta.whoami", {})
  const orgs: ReadonlyArray<unknown> =
    isObject(caller) && Array.isArray(caller.orgs) ? caller.orgs : []
  const [only, ...others] = orgs
  if (isObject(only) && typeof only.name === "string" && others.length === 0) return only.name
  throw usage("the org is not known", "give --org, or set ATTESTRY_ORG")
}

/** Adds the nearest known name to the failure about an unknown one. */
const suggested = async (
  error: unknown,
  missed: NearNames.Missed,
  list: (operation: string) => Promise<Json>
): Promise<unknown> => {
  if (!(error instanceof CommandFailure) || error.word !== "missing") return error
  // WHY: without a readable list the failure stays unchanged.
  const near = await NearNames.find(missed, list).catch(() => undefined)
  const { message, details } = error
  return near === undefined || details.hint !== undefined
    ? error
    : new CommandFailure("missing", message, { ...details, hint: `did you mean \`${near}\`?` })
}

/** The API of the deployment that the settings name. */
export const make = (host: Host, output: Output, settings: Settings.Settings): Api => {
  const once: { connection?: Promise<Connection>; org: string } = { org: "" }
  const connection = () => {
    once.connection ??= connect(host, output, settings)
    return once.connection
  }
  const org = async (): Promise<string> => {
    if (settings.org !== undefined) return settings.org.value
    if (once.org !== "") return once.org
    once.org = await defaultOrg(await connection())
    return once.org
  }
  const filled = async (operation: string, call: PlainCalls.PlainCall) =>
    PlainCalls.operationOf(operation).path.includes("/{org}") && call.path?.org === undefined
      ? { ...call, path: { org: await org(), ...call.path } }
      : call
  const sent = async (operation: string, call: PlainCalls.PlainCall = {}): Promise<Answer> =>
    send(await connection(), operation, await filled(operation, call))
  const tellPart = PartialView.make(output)
  const spaces = async () => (await sent("space.list")).body
  const answered: AnswerStream.StreamRequest["answered"] = async ({ headers }) => {
    if (headers.get(PartialView.HEADER) === "partial") await tellPart(spaces)
  }
  const first = async (operation: string, call: PlainCalls.PlainCall = {}): Promise<Answer> => {
    const found = await sent(operation, call)
    // WHY reads alone: a write says what it did.
    if (found.isPartial && PlainCalls.operationOf(operation).method === "GET")
      await tellPart(spaces)
    return found
  }
  const answer = (operation: string, call: PlainCalls.PlainCall = {}): Promise<Answer> =>
    first(operation, call).catch(async (error: unknown) => {
      const missed = { operation, path: { ...call.path } }
      throw await suggested(error, missed, async (list) => (await first(list)).body)
    })
  const bodyOf = async (operation: string, answered: Promise<Answer>): Promise<Json> => {
    const { body } = await answered
    if (body === undefined) throw ApiFailure.unreadableAnswer(operation, settings.url?.value ?? "")
    return body
  }
  const call = (operation: string, asked: PlainCalls.PlainCall = {}): Promise<Json> =>
    bodyOf(operation, answer(operation, asked))
  return {
    url: settings.url?.value ?? "",
    org,
    call,
    find: (operation, asked) =>
      bodyOf(operation, first(operation, asked)).catch((error: unknown) => {
        if (error instanceof CommandFailure && error.word === "missing") return undefined
        throw error
      }),
    answer,
    write: (operation, asked) =>
      call(operation, { ...asked, headers: { prefer: "return=representation" } }),
    lines: async function* (operation, asked) {
      const made = await connection()
      const request = streamOf(made, operation, await filled(operation, asked))
      yield* AnswerLines.read({
        ...request,
        answered,
        headers: made.options.headers,
        payload: asked.payload
      })
    },
    download: async function* (operation, asked) {
      const made = await connection()
      const request = streamOf(made, operation, await filled(operation, asked))
      const headers = { ...made.options.headers, accept: "*/*" }
      const body = asked.payload === undefined ? undefined : JSON.stringify(asked.payload)
      const init =
        body === undefined
          ? { method: "GET", headers }
          : { method: "POST", body, headers: { ...headers, "content-type": "application/json" } }
      yield* AnswerStream.read({ ...request, answered, init })
    },
    check: async (operation, asked) => {
      const path = { org: settings.org?.value ?? "org", ...asked.path }
      await PlainCalls.check(operation, { ...asked, path }).catch((error: unknown) => {
        throw error instanceof AttestryError
          ? new CommandFailure("usage", "the request does not fit the contract", {
              operation,
              errors: error.errors ?? undefined
            })
          : error
      })
    }
  }
}
