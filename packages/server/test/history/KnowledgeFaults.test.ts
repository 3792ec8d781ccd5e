/**
 * H-1 while eight callers write evidence and three report, on two servers of which one after the other is killed:
 * afterwards what was known when gives every recorded decision again.
 *
 * Two kills in the normal run, twenty in `pnpm test:faults`.
 */
import { Fingerprint } from "@attestry/core/Fingerprint"
import { OrgName } from "@attestry/core/Identifier"
import { OrgStore } from "@attestry/core/OrgStore"
import * as KnowledgeLaws from "@attestry/core/testing/KnowledgeLaws"
import * as PgStore from "@attestry/sql-store/PgStore"
import { Effect, Option, Redacted } from "effect"
import { assert, describe, it } from "vitest"
import { onDatabase } from "../shared/Database.js"
import { type ServerProcess, start } from "../shared/ServerProcess.js"

const KILLS = process.env.ATTESTRY_FAULTS === "1" ? 20 : 2
const WRITERS = 8
const REPORTERS = 3
/** Accepted writes between two kills. */
const BETWEEN = 60

const CONTENTS = ["a", "b", "c"].map((letter) => Fingerprint.make(letter.repeat(64)))

const POLICIES: readonly [string, ...ReadonlyArray<string>] = [
  "  provenance: {required: true}\n  trail-compliance: {required: true}\n",
  "  attestations: [{type: generic, name: scan}]\n",
  `  attestations: [{type: generic, name: review, if: '\${{ flow.tags.risk == "high" }}'}]\n`
]

interface Request {
  readonly method: string
  readonly path: string
  readonly body: object
}

const request = (method: string, path: string, body: object): Request => ({ method, path, body })

const pick = <A>(list: readonly [A, ...ReadonlyArray<A>]): A =>
  list[Math.floor(Math.random() * list.length)] ?? list[0]

const anyContent = () => pick(["a", "b", "c"]).repeat(64)
const anyFlow = () => pick(["build", "release"])
const anyTrail = () => pick(["one", "two"])

const artifact = (org: string) =>
  request("POST", `/artifacts/${org}/${anyFlow()}`, {
    fingerprint: anyContent(),
    filename: "shop",
    build_url: "https://ci.example.org/1",
    commit_url: "https://git.example.org/1",
    trail_name: anyTrail(),
    template_reference_name: "app"
  })

const attestation = (org: string) =>
  request("POST", `/attestations/${org}/${anyFlow()}/trail/${anyTrail()}/generic`, {
    attestation_name: pick(["scan", "review"]),
    is_compliant: Math.random() < 0.6,
    ...(Math.random() < 0.7 ? { artifact_fingerprint: anyContent() } : {})
  })

const tag = (org: string) =>
  request("PATCH", `/tags/${org}/flow/${anyFlow()}`, { set_tags: { risk: pick(["high", "low"]) } })

const save = (org: string, name = pick(["base", "strict"])) =>
  request("PUT", `/policies/${org}/${name}`, {
    policy_yaml: `_schema: https://example.org/policy/v1\nartifacts:\n${pick(POLICIES)}`
  })

const write = (org: string): Request =>
  pick([artifact, attestation, attestation, attestation, tag, save])(org)

const report = (org: string) =>
  request("PUT", `/environments/${org}/${pick(["prod", "test"])}/report/server`, {
    artifacts: CONTENTS.filter(() => Math.random() < 0.6).map((content, at) => ({
      digests: { [`app-${at}`]: content },
      creationTimestamp: 1_777_550_805
    }))
  })

/** Asks one of the servers; the status is 0 where it is dead. */
const ask = async (url: string, key: string, { body, method, path }: Request): Promise<number> => {
  try {
    const response = await fetch(`${url}/api/v2${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body: JSON.stringify(body)
    })
    await response.text()
    return response.status
  } catch {
    return 0
  }
}

const prepared = (org: string): ReadonlyArray<Request> => [
  save(org, "base"),
  save(org, "strict"),
  ...["build", "release"].map((name) =>
    request("PUT", `/flows/${org}`, { name, description: "", visibility: "private" })
  ),
  ...["prod", "test"].map((name) =>
    request("PUT", `/environments/${org}`, { name, type: "server", policies: ["base", "strict"] })
  )
]

/** Checks the laws on the database itself; answers how many rows were decided again. */
const reproduced = (url: string, name: string): Promise<number> =>
  Effect.gen(function* () {
    const found = yield* (yield* OrgStore).findByName(OrgName.make(name))
    return yield* KnowledgeLaws.check(Option.getOrThrow(found).id, CONTENTS)
  }).pipe(Effect.provide(PgStore.layer({ url: Redacted.make(url) })), Effect.runPromise)

/** Eight writers and three reporters that go on until they are stopped, on whichever servers there are. */
const startLoad = (servers: ReadonlyArray<ServerProcess>, org: string, key: string) => {
  const load = { accepted: 0, refused: new Set<number>(), going: true }
  const caller = async (number: number, draw: (org: string) => Request) => {
    while (load.going) {
      const status = await ask(servers[number % servers.length]?.url ?? "", key, draw(org))
      if (status >= 200 && status < 300) load.accepted += 1
      else load.refused.add(status)
    }
  }
  const callers = Promise.all([
    ...Array.from({ length: WRITERS }, (_, at) => caller(at, write)),
    ...Array.from({ length: REPORTERS }, (_, at) => caller(at, report))
  ])
  return { load, callers }
}

describe("what was known when", () => {
  it(`H-1: gives every recorded decision again after ${KILLS} kills of servers`, {
    timeout: 120_000 + 60_000 * KILLS
  }, async () => {
    await onDatabase(async (env) => {
      const first = await start(env)
      const [org, key] = [first.org ?? "", first.key ?? ""]
      const servers = [first, await start(env)]
      for (const each of prepared(org)) assert.isBelow(await ask(first.url, key, each), 300)
      const { load, callers } = startLoad(servers, org, key)
      for (let kill = 0; kill < KILLS; kill++) {
        const enough = load.accepted + BETWEEN
        while (load.accepted < enough) await new Promise((resolve) => setTimeout(resolve, 20))
        await servers[kill % 2]?.stop("SIGKILL")
        servers[kill % 2] = await start(env)
      }
      load.going = false
      await callers
      // 404 is an attestation before its trail or artifact; 0 is a server that was killed.
      assert.isTrue(
        [...load.refused].every((status) => [0, 400, 404, 503].includes(status)),
        [...load.refused].join(", ")
      )
      assert.isAbove(await reproduced(env.ATTESTRY_DATABASE_URL, org), 10)
      for (const server of servers) assert.strictEqual(await server.stop("SIGTERM"), 0)
    })
  })
})
