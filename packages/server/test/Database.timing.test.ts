/** A server whose connection to the database is silent or slow answers in time. */
import { Effect, Exit, Redacted, Scope } from "effect"
import { assert, describe, it } from "vitest"
import * as Detour from "../../sql-store/test/shared/Detour.js"
import { onDatabase } from "./shared/Database.js"
import { start } from "./shared/ServerProcess.js"

type Environment = { readonly ATTESTRY_STORE: string; readonly ATTESTRY_DATABASE_URL: string }

const loseConnection = async ({ ATTESTRY_DATABASE_URL }: Environment) => {
  const scope = Effect.runSync(Scope.make())
  const detour = await Effect.runPromise(
    Scope.extend(Detour.make(Redacted.make(ATTESTRY_DATABASE_URL)), scope)
  )
  const server = await start({
    ATTESTRY_STORE: "postgres",
    ATTESTRY_DATABASE_URL: Redacted.value(detour.url),
    ATTESTRY_LOG_LEVEL: "none"
  })
  const { key = "", org = "" } = server
  const ask = async () => {
    const began = performance.now()
    const { status, headers } = await fetch(`${server.url}/api/v2/flows/${org}`, {
      headers: { authorization: `Bearer ${key}` }
    })
    return { status, retry: headers.get("retry-after"), took: performance.now() - began }
  }
  const isAway = async () => {
    for (const { status, retry, took } of await Promise.all(Array.from({ length: 20 }, ask))) {
      assert.strictEqual(status, 503)
      assert.isNotNull(retry)
      // WHY three: two seconds, and one more for a busy machine.
      assert.isBelow(took, 3_000)
    }
    assert.strictEqual((await fetch(`${server.url}/ready`)).status, 503)
    assert.strictEqual((await fetch(`${server.url}/live`)).status, 200)
  }
  const isBack = async () => {
    const began = performance.now()
    while ((await ask()).status !== 200) await new Promise((resolve) => setTimeout(resolve, 50))
    assert.isBelow(performance.now() - began, 6_000)
    assert.strictEqual((await fetch(`${server.url}/ready`)).status, 200)
  }
  await isBack()
  await Effect.runPromise(Effect.zipRight(detour.freeze, detour.hush))
  await isAway()
  await Effect.runPromise(detour.mend)
  await isBack()
  await Effect.runPromise(detour.delay(2_000))
  await isAway()
  await Effect.runPromise(detour.delay(0))
  await isBack()
  assert.strictEqual(await server.stop("SIGTERM"), 0)
  await Effect.runPromise(Scope.close(scope, Exit.void))
}

describe("attestry-server on PostgreSQL", () => {
  it("answers 503 within two seconds when the connection to the database is silent or slow", async () => {
    await onDatabase(loseConnection)
  })
})
