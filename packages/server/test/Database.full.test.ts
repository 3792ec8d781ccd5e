/** Two servers on one database, and a server whose database fails and recovers. */
import { randomBytes } from "node:crypto"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import { Effect, ManagedRuntime, Redacted } from "effect"
import { afterAll, assert, beforeAll, describe, it } from "vitest"
import * as Detour from "../../sql-store/test/shared/Detour.js"
import { onDatabase } from "./shared/Database.js"
import { runToEnd, start } from "./shared/ServerProcess.js"

const open = async (folder: string) => {
  const runtime = ManagedRuntime.make(EmbeddedPostgres.layer({ dataDir: join(folder, "data") }))
  const { url } = await runtime.runPromise(EmbeddedPostgres.EmbeddedPostgres)
  return { url: Redacted.value(url), close: () => runtime.dispose() }
}

type Environment = { readonly ATTESTRY_STORE: string; readonly ATTESTRY_DATABASE_URL: string }

const startTwo = async (env: Environment) => {
  const servers = await Promise.all([start(env), start(env)])
  const keys = servers.flatMap(({ key }) => (key === undefined ? [] : [key]))
  assert.strictEqual(keys.length, 1)
  const org = servers.map((server) => server.org).find((name) => name !== undefined)
  const statuses = await Promise.all(
    servers.map(async ({ url }) => {
      const answer = await fetch(`${url}/api/v2/flows/${org}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${keys[0]}`, "content-type": "application/json" },
        body: JSON.stringify({ name: randomBytes(4).toString("hex"), description: "" })
      })
      return answer.status
    })
  )
  assert.deepStrictEqual(statuses, [201, 201])
  for (const server of servers) assert.strictEqual(await server.stop("SIGTERM"), 0)
}

describe("attestry-server on PostgreSQL", () => {
  let folder = ""
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "attestry-database-"))
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  it("makes one org when two servers start together on an empty database", async () => {
    await onDatabase(startTwo, { empty: true })
  })

  it("reports why it cannot use a database, without the password", async () => {
    const says = async (address: string, expected: number) => {
      const url = `postgres://somebody:unspeakable@${address}/attestry`
      const { code, output } = await runToEnd(["verify", "--store", "postgres"], {
        ATTESTRY_DATABASE_URL: url
      })
      assert.strictEqual(code, expected)
      assert.notInclude(output, "unspeakable")
      return output.trim()
    }
    const problem = "attestry-server: the store could not answer `check`"
    const advice = "check that the database runs and can be reached, then start again"
    assert.strictEqual(
      await says("127.0.0.1:1", 3),
      `${problem}: connect ECONNREFUSED 127.0.0.1:1: ${advice}`
    )
    assert.strictEqual(
      await says("one:5432,another:5432", 1),
      [
        "attestry-server: the configuration is not valid:",
        "  ATTESTRY_DATABASE_URL: Input names several hosts: give one address that leads to the primary"
      ].join("\n")
    )
  })

  it("waits at a start for a database that is slow to answer, and shows that it does", () =>
    onDatabase((env) =>
      Effect.runPromise(
        Effect.scoped(
          Effect.gen(function* () {
            const way = yield* Detour.make(Redacted.make(env.ATTESTRY_DATABASE_URL))
            yield* way.late(8_000, 1)
            const server = yield* Effect.promise(() =>
              start({ ...env, ATTESTRY_DATABASE_URL: Redacted.value(way.url) })
            )
            assert.match(server.warned(), /still starting after 5 seconds: the database has not/)
            assert.strictEqual(yield* Effect.promise(() => server.stop("SIGTERM")), 0)
          })
        )
      )
    ))

  it("ends with a sentence and the next step after an error that it does not know", async () => {
    // WHY after the banner: the program has begun by then, whether it listens for such errors or not.
    const thrown = `const write = process.stdout.write.bind(process.stdout)
      process.stdout.write = (text, ...rest) => {
        if (String(text).includes("ready at")) setImmediate(() => { throw new Error("of no kind") })
        return write(text, ...rest)
      }`
    const { code, output } = await runToEnd(["--port", "0"], {
      ATTESTRY_STORE: "memory",
      NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(thrown)}`
    })
    assert.strictEqual(code, 1)
    assert.match(output, /attestry-server: an unexpected error .*: of no kind: start it again/)
    assert.notMatch(output, /^ +at /m)
  })

  it("answers 503 while the database is down, and recovers without a restart", async () => {
    const database = await open(join(folder, "away"))
    const server = await start({
      ATTESTRY_STORE: "postgres",
      ATTESTRY_DATABASE_URL: database.url,
      ATTESTRY_LOG_LEVEL: "none"
    })
    const { key = "", org = "" } = server
    const write = (name: string) =>
      fetch(`${server.url}/api/v2/flows/${org}`, {
        method: "PUT",
        headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
        body: JSON.stringify({ name, description: "" })
      })
    assert.strictEqual((await write("before")).status, 201)
    await database.close()
    const away = await write("during")
    assert.strictEqual(away.status, 503)
    assert.isNotNull(away.headers.get("retry-after"))
    assert.strictEqual((await fetch(`${server.url}/ready`)).status, 503)
    assert.strictEqual((await fetch(`${server.url}/live`)).status, 200)

    const again = await open(join(folder, "away"))
    let status = 0
    for (let tries = 0; tries < 50 && status !== 201; tries++) {
      status = (await write("after")).status
      if (status !== 201) await new Promise((resolve) => setTimeout(resolve, 100))
    }
    assert.strictEqual(status, 201)
    assert.strictEqual((await fetch(`${server.url}/ready`)).status, 200)
    assert.strictEqual(await server.stop("SIGTERM"), 0)
    await again.close()
  })
})
