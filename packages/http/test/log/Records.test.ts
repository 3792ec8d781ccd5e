/** Level 3 and 4 of verification: what the API has stored is what the journal says, on every store. */
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import * as TableFinding from "@attestry/core/TableFinding"
import { Effect } from "effect"
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"
import { fillOthers } from "./OtherWorld.js"
import { fill, fillSeconds } from "./World.js"

onBothStores("records and the journal", (server) => {
  it("agree after writes of every kind", async () => {
    await fill(server)
    await fillSeconds(server)
    await fillOthers(server)
    const found = await server.run(
      Effect.gen(function* () {
        const [org] = (yield* (yield* OrgStore).list).filter(({ name }) => name === server.org)
        return org === undefined ? [] : yield* (yield* RecordVerification).verify(org.id, 4)
      })
    )
    assert.deepStrictEqual(found.map(TableFinding.print), [])
  }, 60_000)
})
