/** A log that was set back is not signed, and its org takes no writes. */
import { OrgId } from "@attestry/core/Identifier"
import { LogEpochs } from "@attestry/core/LogEpochs"
import { OrgStore } from "@attestry/core/OrgStore"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"

interface State {
  readonly state: string
  readonly epochs: ReadonlyArray<{ readonly origin: string; readonly ended_at: number | null }>
}

const OPERATOR = { kind: "system", id: "administration", name: "attestry-server" } as const

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

onBothStores("a log that was set back", ({ call, run }) => {
  const put = (name: string, as: "admin" | "nobody" = "admin") =>
    call("PUT /flows/{org}", { body: { name, description: "" }, as })

  it("LOG-19: stops the org, which goes on reading", async () => {
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

  it("LOG-19: goes on in a new epoch when an operator has accepted the loss", async () => {
    const orgs = await run(Effect.flatMap(OrgStore, ({ list }) => list))
    const id = orgs.find(({ name }) => name === "acme")?.id ?? OrgId.make("")
    const accept = Effect.flatMap(LogEpochs, (epochs) => epochs.acceptRollback(id, OPERATOR))
    const { body: before } = await call("GET /log/{org}")
    if ((before as State).state !== "stopped") {
      const refused = await run(Effect.flip(accept))
      assert.strictEqual(refused._tag, "NothingLost")
      return
    }
    const { previous } = await run(accept)
    const { body: after } = await call("GET /log/{org}")
    const origin = "127.0.0.1:8080/api/v2/log/acme"
    assert.deepInclude(after, { state: "current", epoch: 2, origin: `${origin}/epochs/2` })
    assert.deepStrictEqual(
      (after as State).epochs.map((epoch) => epoch.origin),
      [origin, `${origin}/epochs/2`]
    )
    const [first, second] = (after as State).epochs
    assert.closeTo(first?.ended_at ?? 0, Date.now() / 1_000, 600)
    assert.isNull(second?.ended_at)
    assert.isNull((before as State).epochs[0]?.ended_at)
    assert.strictEqual(previous.origin, origin)
    const written = await put("after")
    assert.strictEqual(written.status, 201)
    const { body: events } = await call("GET /events/{org}")
    assert.deepStrictEqual(
      (events as { events: ReadonlyArray<{ kind: string; index: number }> }).events.map(
        ({ kind, index }) => [index, kind]
      ),
      [
        [0, "log_epoch_started"],
        [1, "flow_created"]
      ]
    )
    const path = { epoch: "2" }
    const signed = await call("GET /log/{org}/epochs/{epoch}/checkpoint", { path })
    assert.match(String(signed.body), /^127\.0\.0\.1:8080\/api\/v2\/log\/acme\/epochs\/2\n2\n/)
    const entry = written.headers.get("attestry-entries") ?? ""
    const receipt = await call("GET /log/{org}/entries/{entry}", { path: { entry } })
    assert.deepInclude(receipt.body, { status: "included", index: 1 })
    assert.strictEqual(
      (await call("GET /log/{org}/epochs/{epoch}/checkpoint", { path: { epoch: "3" } })).status,
      404
    )
  })
})
