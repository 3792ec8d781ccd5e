/** LOG-12: reasons, notes and names of break-glass are erased, in entries and in records. */
import { Login, OrgName } from "@attestry/core/Identifier"
import * as LogFinding from "@attestry/core/LogFinding"
import { LogVerification } from "@attestry/core/LogVerification"
import { Orgs } from "@attestry/core/Orgs"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, beforeAll, it } from "vitest"
import { fixtureOf } from "../grant/GrantFixture.js"
import { queryOf } from "../shared/StoredRows.js"
import { onBothStores } from "../shared/TestServer.js"

const TEXTS = ["kim-koe", "Kim has lost the key", "Kim had to"] as const

onBothStores("erasure of texts of break-glass", (server) => {
  const { call, run } = server
  const { as, grant, person } = fixtureOf(server)
  const query = queryOf(server)

  const problems = () =>
    run(
      Effect.gen(function* () {
        const { id } = yield* (yield* Orgs).get(OrgName.make(server.org))
        const { findings } = yield* (yield* LogVerification).verify(id)
        const records = yield* (yield* RecordVerification).verify(id, 3)
        return [...findings.map(LogFinding.print), ...records.map(TableFinding.print)]
      })
    )

  /** The one opening as it is stored; empty in memory. */
  const stored = async () =>
    JSON.stringify(
      await query("select opened_by, reason, closed_by, reviewed from attestry.break_glass")
    )

  beforeAll(async () => {
    await person(Login.make("kim-koe"), "none")
    await grant("user kim-koe", "/", "admin", { eligible: true })
    const body = { space: "/", role: "admin", reason: TEXTS[1], minutes: 15 }
    const opened = await call("POST /break-glass/{org}", { ...as("kim-koe"), body })
    assert.strictEqual(opened.status, 201, JSON.stringify(opened.body))
    const path = { number: "1" }
    await call("POST /break-glass/{org}/{number}/close", { ...as("kim-koe"), path })
    const review = await call("POST /break-glass/{org}/{number}/review", {
      path,
      body: { note: TEXTS[2] }
    })
    assert.strictEqual(review.status, 200, JSON.stringify(review.body))
  }, 60_000)

  it("leaves none of them, and every record follows from the journal", async () => {
    assert.deepStrictEqual(await problems(), [])
    const isStored = (await stored()) !== "[]"
    for (const value of TEXTS) {
      if (isStored) assert.include(await stored(), value)
      const body = { value, reason: "asked", preview: false }
      const { body: answer, status } = await call("POST /erasures/{org}", { body })
      assert.strictEqual(status, 200, JSON.stringify(answer))
      assert.notInclude(await stored(), value)
    }
    const listed = JSON.stringify((await call("GET /break-glass/{org}")).body)
    for (const value of TEXTS) assert.notInclude(listed, value)
    assert.deepStrictEqual(await problems(), [])
  }, 60_000)
})
