/**
 * A process that only reads (law STANDBY-2): every operation that reads, on a store whose writes fail, answers as a
 * writer does; every other is handed on, and so is what is refused.
 */
import { Api } from "@attestry/api/Api"
import { ScimApi } from "@attestry/api/ScimApi"
import { CredentialLife } from "@attestry/core/CredentialLife"
import * as LogSigner from "@attestry/core/LogSigner"
import { LogUpkeep } from "@attestry/core/LogUpkeep"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import * as PayloadRulesWorker from "@attestry/evidence-rules/PayloadRulesWorker"
import * as PolicyLab from "@attestry/policy-lab/PolicyLab"
import * as PgStore from "@attestry/sql-store/PgStore"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import { Duration, Effect, Layer, ManagedRuntime } from "effect"
import { afterAll, assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import * as Server from "../../src/Server.js"
import * as RouteTable from "../../src/shared/internal/RouteTable.js"
import { Reader, type ReaderMode } from "../../src/shared/Reader.js"
import * as WebHandler from "../../src/WebHandler.js"
import * as PlainReader from "../evidence/PlainReader.js"
import {
  type CallOptions,
  LOG_KEY,
  onPostgres,
  requestTo,
  type TestServer
} from "../shared/TestServer.js"
import { makeFixture } from "./AccessFixture.js"
import { rows } from "./AccessTable.js"

/** The operations that read, as `GET /flows/{org}`. */
const READING: ReadonlySet<string> = new Set(
  [...RouteTable.routesOf(Api), ...RouteTable.routesOf(ScimApi)]
    .filter(({ method, rule }) => method === "GET" || rule.reads)
    .map(({ method, path }) => {
      const template = path.replace(/^\/api\/v2/, "").replaceAll(/:([a-z_]+)/g, "{$1}")
      return `${method} ${template}`
    })
)

/** Operations that read and write: the first read of the secret makes it. */
const MAKING: ReadonlyArray<string> = ["GET /notification-config/{org}/signing-secret"]

const mode: { isLate: boolean; servesUnnamed: boolean } = { isLate: false, servesUnnamed: true }

const READER: ReaderMode = {
  isLate: () => mode.isLate,
  get servesUnnamed() {
    return mode.servesUnnamed
  }
}

const signing = Layer.effect(LogSigner.LogSigner, LogSigner.fromKeys([LOG_KEY])).pipe(
  Layer.provide(SignaturesWebCrypto.layer)
)

/** A reader on the database of a server. */
const readerOn = async ({ run }: TestServer) => {
  const database = await run(Effect.serviceOption(TestDatabase))
  if (database._tag === "None") throw new Error("the server is in memory")
  const { url } = database.value
  const runtime = ManagedRuntime.make(
    PolicyLab.layer.pipe(
      Layer.provideMerge(UseCases.layer),
      Layer.provideMerge(PgStore.layerReader({ url, primaryUrl: url })),
      Layer.provideMerge(SecretsWebCrypto.layer),
      Layer.provide(PayloadRulesWorker.layer()),
      Layer.provide(PlainReader.layer),
      Layer.provide(signing),
      Layer.provide(Layer.succeed(LogUpkeep, "worker")),
      Layer.provide(Layer.succeed(CredentialLife, Duration.zero))
    )
  )
  const handler = await runtime.runPromise(
    Effect.flatMap(Effect.provideService(Server.make(), Reader, READER), (dispatch) =>
      WebHandler.make(dispatch)
    )
  )
  return { handler, close: () => runtime.dispose() }
}

onPostgres("a reader", (server) => {
  let reader: Awaited<ReturnType<typeof readerOn>>
  const asked: Array<readonly [operation: string, options: CallOptions]> = []
  const call = async (operation: string, options: CallOptions) => {
    const key = options.as === "nobody" ? undefined : server.keyOf(options.as ?? "admin")
    const response = await reader.handler(requestTo(server.org, key, operation, options))
    return {
      status: response.status,
      body: await response.text(),
      isHandedOn: response.headers.get("attestry-handed-on") === "1"
    }
  }

  beforeAll(async () => {
    const fixtureOf = await makeFixture(server)
    for (const [place, [operation, row]] of rows.entries()) {
      if (row.least === "cookie") continue
      asked.push([operation, (await row.request?.(fixtureOf(`reader-${place}`))) ?? {}])
    }
    reader = await readerOn(server)
  }, 120_000)
  afterAll(() => reader.close())

  it("answers every operation that reads with the status of a writer", async () => {
    const deviations: Array<string> = []
    let count = 0
    for (const [operation, options] of asked.filter(([name]) => READING.has(name))) {
      const expected = await server.call(operation, options)
      const { status, isHandedOn } = await call(operation, options)
      count += 1
      if (status !== expected.status || isHandedOn)
        deviations.push(`${operation}: ${status} instead of ${expected.status}`)
    }
    assert.deepStrictEqual(
      deviations,
      MAKING.map((operation) => `${operation}: 503 instead of 200`)
    )
    assert.isAbove(count, 100)
  }, 120_000)

  it("hands on every other operation, and changes nothing", async () => {
    const before = await server.journal()
    const others = asked.filter(([name]) => !READING.has(name))
    assert.isAbove(others.length, 80)
    for (const [operation, options] of others) {
      const { status, isHandedOn } = await call(operation, options)
      assert.deepStrictEqual([operation, status, isHandedOn], [operation, 503, true])
    }
    assert.strictEqual((await server.journal()).length, before.length)
  }, 120_000)

  it("hands on what is refused, so that a writer decides and records it", async () => {
    for (const as of ["nobody", "foreigner"] as const) {
      const { status, isHandedOn } = await call("GET /flows/{org}", { as })
      assert.deepStrictEqual([as, status, isHandedOn], [as, 503, true])
    }
    assert.isFalse(
      (await call("GET /flows/{org}/{flow_name}", { path: { flow_name: "no" } })).isHandedOn
    )
  })

  it("heeds the entries that a request names, and hands on what it cannot read", async () => {
    const { headers } = await server.call("PUT /flows/{org}", {
      body: { name: "named", description: "" }
    })
    const after = headers.get("attestry-entries") ?? ""
    assert.match(after, /^[0-9a-f]{16}$/)
    const list = (headers: { readonly [name: string]: string }) =>
      call("GET /flows/{org}", { headers })
    mode.servesUnnamed = false
    try {
      assert.isTrue((await list({})).isHandedOn)
      const named = await list({ "attestry-after": `${after}, ${after}` })
      assert.strictEqual(named.status, 200)
      assert.include(named.body, "named")
      const unknown = after.startsWith("0") ? `1${after.slice(1)}` : `0${after.slice(1)}`
      for (const wrong of [unknown, "x", Array.from({ length: 51 }, () => after).join(",")])
        assert.isTrue((await list({ "attestry-after": wrong })).isHandedOn)
      const most = Array.from({ length: 50 }, () => after).join(",")
      assert.isFalse((await list({ "attestry-after": most })).isHandedOn)
      mode.isLate = true
      assert.isTrue((await list({ "attestry-after": after })).isHandedOn)
    } finally {
      mode.servesUnnamed = true
      mode.isLate = false
    }
  })

  it("hands on what is beside the contract and may write", async () => {
    for (const [method, path] of [
      ["GET", "/_/sign-in/google"],
      ["POST", "/api/v2/witness/add-checkpoint"],
      ["POST", "/anything"]
    ] as const) {
      const response = await reader.handler(new Request(`http://attestry.test${path}`, { method }))
      assert.deepStrictEqual(
        [path, response.status, response.headers.get("attestry-handed-on")],
        [path, 503, "1"]
      )
    }
    const live = await reader.handler(new Request("http://attestry.test/live"))
    assert.strictEqual(live.status, 200)
  })
})
