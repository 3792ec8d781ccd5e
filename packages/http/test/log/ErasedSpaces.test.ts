/** LOG-12: descriptions of spaces and reasons of grants are erased, in entries and in every time of a record. */
import { OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { queryOf } from "../shared/StoredRows.js"
import { onBothStores } from "../shared/TestServer.js"
import { fillSpaces } from "./SpacesWorld.js"

onBothStores("erasure of texts about spaces and grants", (server) => {
  const { call, run } = server
  const query = queryOf(server)
  const org = Effect.flatMap(Orgs, (orgs) => orgs.get(OrgName.make(server.org)))

  const problems = () =>
    run(
      Effect.gen(function* () {
        const { id } = yield* org
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 3)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )

  /** The texts of both tables that are stored; none in memory. */
  const texts = async () => {
    const rows = await query(
      `select distinct x.text from (select description as text from attestry.space
        union all select reason from attestry.access_grant) x order by 1`
    )
    return rows.map(({ text }) => text)
  }

  beforeAll(() => run(Effect.flatMap(org, ({ id }) => fillSpaces(id))), 60_000)

  it("leaves none of them, and every record follows from the journal", async () => {
    const isStored = (await query("select 1")).length > 0
    assert.deepStrictEqual(await texts(), isStored ? ["", "plastic", "shops", "they pay", "x"] : [])
    for (const value of ["plastic", "shops", "they pay"]) {
      const body = { value, reason: "asked", preview: false }
      const { body: answer, status } = await call("POST /erasures/{org}", { body })
      assert.strictEqual(status, 200, JSON.stringify(answer))
    }
    assert.deepStrictEqual(await texts(), isStored ? ["", "**ERASED**", "x"] : [])
    const entries = JSON.stringify(await server.journal())
    for (const value of ["plastic", "shops", "they pay"]) assert.notInclude(entries, value)
    assert.deepStrictEqual(await problems(), [])
  }, 60_000)
})
