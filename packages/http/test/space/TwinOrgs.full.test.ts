/**
 * AC-10: two orgs that differ only in what a partial reader may not read give them equal status, headers and body for
 * every read of the published document, with each parameter of it.
 *
 * AC-11: no answer holds the word that hidden things have in every text, but where the request has it.
 */
import { assert, beforeAll, it } from "vitest"
import * as Published from "../fuzz/PublishedOperation.js"
import {
  type Answer,
  type CallOptions,
  onBothStores,
  type TestServer
} from "../shared/TestServer.js"
import { COMMIT, FINGERPRINT, HIDDEN, type TwinName, twinWorld } from "./TwinWorld.js"

const NAMES: ReadonlyArray<TwinName> = ["mine", HIDDEN]

/** What the parameters of paths and queries are, by the name of a thing. */
const namesFor = (parameter: string, name: TwinName): ReadonlyArray<string> => {
  switch (parameter) {
    case "fingerprint":
      return [FINGERPRINT[name]]
    case "sha":
    case "commit":
    case "commit_list":
      return [COMMIT[name]]
    case "value":
      return [
        FINGERPRINT[name],
        COMMIT[name],
        FINGERPRINT[name].slice(0, 5),
        COMMIT[name].slice(0, 5)
      ]
    case "snapshot_expression":
      return ["-1", "1", "2"]
    case "snappish1":
    case "snappish2":
      return [name, `${name}#1`]
    case "number":
    case "action_number":
    case "version":
      return ["1", "2"]
    case "attestation_name":
      return [name, `decision-${name}`]
    case "root":
      return [
        ...["environment", "policy", "control"].map((kind) => `${kind}:${name}`),
        `trail:${name}/${name}`,
        `fingerprint:${FINGERPRINT[name]}`,
        `commit:${COMMIT[name]}`
      ]
    case "author":
      return [`${name} <${name}@x.example>`]
    case "builder":
      return [`https://${name}.example`]
    case "purl":
      return [`pkg:npm/${name}@1.0.0`]
    case "vcs_instance":
      return [`git.${name}.example`]
    case "provider":
      return [name === HIDDEN ? "gitlab" : "github"]
    case "tag":
    case "flow_tag":
      return [name, `${name}:${name}`]
    case "interval":
      return ["1..NOW"]
    case "space":
      return [name === HIDDEN ? "platform" : "retail"]
    case "team":
      return [name]
    case "permission":
      return ["org.read", "flow.write"]
    case "operation":
      return ["flow.put", "environment.get"]
    case "notification_type":
      return ["access_change"]
    case "login":
    case "user":
      return [name === HIDDEN ? "hal" : "pat"]
    case "org":
      return ["acme"]
    default:
      return [name]
  }
}

/** Reads without an org. */
const LEFT_OUT = ["/session", "/keys"]

/**
 * Where the two orgs may differ. SPEC §4.33, "what may be inferred": numbers that count in the whole org; whether an
 * admin of a space finds an exact login or account; and whether another flow knows an artifact.
 */
const isException = ({ operation, options }: Asked): boolean =>
  operation === "GET /waivers/{org}/{number}" ||
  (operation === "GET /access/{org}/effective" && (options.query ?? "").length > 0) ||
  (/^GET .(asserts|receipts)/.test(operation) && options.path?.fingerprint === FINGERPRINT[HIDDEN])

interface Asked {
  readonly operation: string
  readonly options: CallOptions
}

const optionsOf = (
  path: Record<string, string>,
  query: ReadonlyArray<readonly [string, string]>
) => ({
  path,
  ...(query.length === 0 ? {} : { query: `?${new URLSearchParams(query.map(([k, v]) => [k, v]))}` })
})

/** Every read with the parameters of its path, and with one parameter of its query besides the required ones. */
const requestsOf = ({ parameters, path }: Published.PublishedOperation): ReadonlyArray<Asked> => {
  const operation = `GET ${path.replace(/^\/api\/v2/, "")}`
  const inPath = parameters.filter((each) => each.in === "path" && each.name !== "org")
  const inQuery = parameters.filter((each) => each.in === "query")
  const paths = NAMES.flatMap((name) =>
    inPath.reduce<ReadonlyArray<Record<string, string>>>(
      (all, each) =>
        all.flatMap((one) =>
          namesFor(each.name, name).map((value) => ({ ...one, [each.name]: value }))
        ),
      [{}]
    )
  )
  // A thing of one name within one of the other: a hidden artifact of a readable flow, and the reverse.
  const mixed = inPath.flatMap(({ name }) => {
    const [own] = paths
    return own === undefined || inPath.length < 2
      ? []
      : namesFor(name, HIDDEN).map((value) => ({ ...own, [name]: value }))
  })
  const unique = [
    ...new Map([...paths, ...mixed].map((each) => [JSON.stringify(each), each])).values()
  ]
  const valuesOf = ({ name, schema }: Published.Parameter, of: TwinName): ReadonlyArray<string> => {
    const { enum: members, type } = Published.resolve(schema)
    if (Array.isArray(members)) return members.map(String)
    if (type === "boolean") return ["true", "false"]
    if (type === "integer" || type === "number") return ["1", "2"]
    return namesFor(name, of)
  }
  return unique.flatMap((one) =>
    NAMES.flatMap((name) => {
      const required = inQuery
        .filter((each) => each.required)
        .flatMap((each) =>
          valuesOf(each, name)
            .slice(0, 1)
            .map((value) => [each.name, value] as const)
        )
      const base = { operation, options: optionsOf(one, required) }
      const others = inQuery.flatMap((each) =>
        valuesOf(each, name).map((value) => ({
          operation,
          options: optionsOf(one, [
            ...required.filter(([key]) => key !== each.name),
            [each.name, value]
          ])
        }))
      )
      return [base, ...others]
    })
  )
}

const REQUESTS: ReadonlyArray<Asked> = [
  ...new Map(
    Published.all
      .filter(
        ({ method, path }) => method === "GET" && !LEFT_OUT.some((each) => path.endsWith(each))
      )
      .flatMap(requestsOf)
      .filter((asked) => !isException(asked))
      .map((asked) => [JSON.stringify(asked), asked])
  ).values()
]

/** Headers that differ between any two answers. */
const VARYING = ["date", "etag", "x-request-id", "server-timing", "content-length"]

/** Members that count in the whole org or name an entry of its log, and digests and signatures of what has ids. */
const COUNTED =
  /"(number|sequence|index|size|log_entry|entry|sha256|root|facts|sig)":("[^"]*"|\d+)/g

/** What is said in an answer: a file of text, and what receipts say in Base64. */
const contentOf = (body: unknown): string => {
  const bytes = body instanceof Uint8Array ? new TextDecoder("latin1").decode(body) : undefined
  const said = bytes ?? (typeof body === "string" ? body : JSON.stringify(body))
  return said
    .replaceAll(/[0-7]{11}\0[0-7]{11}\0[0-7]{6}\0/g, "<header>")
    .replaceAll(/\0+/g, " ")
    .replaceAll(/"payload":\s*"([A-Za-z0-9+/=]+)"/g, (_, text: string) => atob(text))
    .replaceAll(/"sig":\s*"[^"]*"/g, "<signature>")
    .replaceAll(/": /g, '":')
}

/** An answer as a text, with a word in place of each id, digest, number and instant. */
const withoutChance = ({ body, headers, status }: Answer): string => {
  const kept = [...headers].filter(([name]) => !VARYING.includes(name))
  return `${status} ${JSON.stringify(kept)} ${contentOf(body)}`
    .replaceAll(COUNTED, "<count>")
    .replaceAll(/\b[0-9a-f]{16}\b/g, "<entry>")
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{8,12}/g, "<id>")
    .replaceAll(/1[6-9]\d{8}(\.\d+)?/g, "<time>")
    .replaceAll(/\d{4}-\d\d-\d\d(T[\d:.]+Z?)?/g, "<time>")
    .replaceAll(/\b\d+\.\d{3,6}\b/g, "<seconds>")
    .replaceAll(/after=[A-Za-z0-9_-]+/g, "<cursor>")
}

const CALLERS = ["pat", "ann"] as const

/** The answers of every request to each caller. */
const answersOf = async (server: TestServer, as: (who: string) => CallOptions) => {
  const answers = new Map<string, string>()
  for (const { operation, options } of REQUESTS)
    for (const who of CALLERS) {
      const answer = await server.call(operation, { ...options, ...as(who) })
      answers.set(JSON.stringify([who, operation, options]), withoutChance(answer))
    }
  return answers
}

/** Answers with the word of hidden things to requests without it. */
const told = (answers: ReadonlyMap<string, string>) =>
  [...answers].filter(([asked, answer]) => !asked.includes(HIDDEN) && answer.includes("canary"))

/** Two texts from where they differ. */
const difference = (one: string, other: string): ReadonlyArray<string> => {
  const at = [...one].findIndex((character, index) => character !== other[index])
  return [one, other].map((text) => text.slice(Math.max(0, at - 120), at + 160))
}

/** The answers of the org without hidden things, by whether the store is that in memory. */
const withoutHidden = new Map<boolean, ReadonlyMap<string, string>>()

const LIMITS = {
  limits: { failuresPerSource: 1_000_000, failuresPerKey: 1_000_000, perKey: 1_000_000 }
}

onBothStores(
  "an org of one space",
  (server) => {
    const world = twinWorld(server)
    beforeAll(() => world.prepare(false), 90_000)

    it("answers every read", async () => {
      const answers = await answersOf(server, world.as)
      withoutHidden.set(server.isInMemory, answers)
      const good = [...answers.values()].filter((each) => each.startsWith("200"))
      assert.isAbove(good.length, 900)
    }, 600_000)
  },
  LIMITS
)

onBothStores(
  "an org with a hidden space",
  (server) => {
    const world = twinWorld(server)
    beforeAll(() => world.prepare(true), 90_000)

    it("answers partial readers alike: AC-10, AC-11", async () => {
      const answers = await answersOf(server, world.as)
      const changed = [...(withoutHidden.get(server.isInMemory) ?? [])].flatMap(
        ([asked, answer]) => {
          const other = answers.get(asked) ?? ""
          return answer === other ? [] : [[asked, ...difference(answer, other)]]
        }
      )
      assert.deepStrictEqual(changed, [])
      assert.deepStrictEqual(told(answers), [])
      assert.strictEqual(answers.size, withoutHidden.get(server.isInMemory)?.size)
    }, 600_000)

    it("says no word of a hidden flow whose artifact runs in an environment: AC-11", async () => {
      await world.run(HIDDEN)
      assert.deepStrictEqual(told(await answersOf(server, world.as)), [])
    }, 600_000)
  },
  LIMITS
)
