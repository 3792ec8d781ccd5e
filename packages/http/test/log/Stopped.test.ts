/** A log that was set back is not signed, and its org takes no writes. */
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onEveryStore } from "../shared/TestServer.js"

const MESSAGE =
  "The log of 'acme' is stopped: it does not continue what was signed; restore a newer backup"

/** Takes the last leaf and the checkpoints away, as an older backup would; says whether there is a database. */
const setBack = Effect.gen(function* () {
  const database = yield* Effect.serviceOption(TestDatabase)
  if (Option.isNone(database)) return false
  const { query } = database.value
  yield* query("delete from attestry.log_checkpoint")
  yield* query("update attestry.log_leaf set hash = sha256(hash) where leaf_index = 0")
  yield* query("update attestry.log_tree set edge = sha256(edge) || substr(edge, 33)")
  return true
}).pipe(Effect.orDie)

onEveryStore("a log that was set back", ({ call, run }) => {
  const put = (name: string, as: "admin" | "nobody" = "admin") =>
    call("PUT /flows/{org}", { body: { name, description: "" }, as })

  it("L-19: stops the org, which goes on reading", async () => {
    assert.strictEqual((await put("before")).status, 201)
    assert.strictEqual((await call("GET /log/{org}/checkpoint")).status, 200)
    if (!(await run(setBack))) return
    const { body } = await call("GET /log/{org}")
    assert.deepInclude(body, { state: "stopped", message: MESSAGE, checkpoint: null })
    const refused = await put("after")
    assert.deepStrictEqual([refused.status, refused.body], [503, { message: MESSAGE }])
    assert.strictEqual((await put("after", "nobody")).status, 401)
    assert.strictEqual((await call("GET /flows/{org}")).status, 200)
    const path = { org: "globex" }
    const other = { body: { name: "other", description: "" }, path, as: "foreigner" as const }
    assert.strictEqual((await call("PUT /flows/{org}", other)).status, 201)
  })
})
