/** Receipts across the epochs of a log: chains name the log of their end. */
import { OrgName } from "@attestry/core/Identifier"
import { LogEpochs } from "@attestry/core/LogEpochs"
import { OrgStore } from "@attestry/core/OrgStore"
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"
import { attest, BAD, fill, GOOD, readerOf, report } from "./ReceiptWorld.js"

const OPERATOR = { kind: "system", id: "administration", name: "attestry-server" } as const

const ORIGIN = "127.0.0.1:8080/api/v2/log/acme"

/** Changes the log so that it does not continue what was signed; false where there is no database. */
const setBack = Effect.gen(function* () {
  const database = yield* Effect.serviceOption(TestDatabase)
  if (Option.isNone(database)) return false
  const { query } = database.value
  yield* query("delete from attestry.log_checkpoint")
  yield* query("update attestry.log_leaf set hash = sha256(hash) where leaf_index = 0")
  yield* query("update attestry.log_tree set edge = sha256(edge) || substr(edge, 33)")
  return true
}).pipe(Effect.orDie)

const accept = Effect.gen(function* () {
  const org = Option.getOrThrow(yield* (yield* OrgStore).find({ name: OrgName.make("acme") }))
  yield* (yield* LogEpochs).acceptRollback(org.id, OPERATOR)
})

onBothStores("receipts across the epochs of a log", (server) => {
  const { ofAssertion, ofSnapshot, said, text } = readerOf(server)

  it("LOG-27: name the newest entry of a trail in each log, with the log of an earlier one", async () => {
    await fill(server)
    const before = said(text(await ofAssertion(GOOD, "?environment_name=prod")))
    assert.deepStrictEqual(before.log.origin, ORIGIN)
    assert.isTrue(before.chain.every(({ origin }) => origin === undefined))
    // The loss of a log is one of a database.
    if (!(await server.run(setBack))) return
    await server.call("GET /log/{org}")
    await server.run(accept)
    const second = `${ORIGIN}/epochs/2`
    const old = said(text(await ofAssertion(GOOD, "?environment_name=prod")))
    assert.strictEqual(old.log.origin, second)
    assert.deepStrictEqual(
      old.chain,
      before.chain.map((end) => ({ ...end, origin: ORIGIN }))
    )
    await attest(server, "later")
    const both = said(text(await ofAssertion(GOOD, "?environment_name=prod")))
    assert.deepStrictEqual(
      both.chain.map(({ origin }) => origin),
      [ORIGIN, undefined]
    )
    assert.deepStrictEqual(both.chain[0], old.chain[0])
    // A snapshot of the new epoch rests on evidence of both.
    await report(server, "prod", [GOOD, BAD])
    const row = said(text(await ofSnapshot("prod#2", `?fingerprint=${GOOD}`)))
    assert.strictEqual(row.log.origin, second)
    assert.deepStrictEqual(
      row.chain.map(({ origin, subject }) => [subject.type, origin]),
      [
        ["environment", undefined],
        ["trail", ORIGIN],
        ["trail", undefined]
      ]
    )
  })
})
