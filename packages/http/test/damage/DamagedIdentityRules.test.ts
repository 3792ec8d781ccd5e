/** Damaged rules for id tokens: their account has no answer, and no other one is touched. */
import { Effect, Option } from "effect"
import { assert, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"

const RULES = "/service-accounts/{org}/{name}/identity-rules"

const RULE = {
  issuer: "https://token.example.org",
  audience: "https://attestry.example.com",
  subject: "repo:acme/shop:**",
  claims: {}
}

const WHOLE = JSON.stringify([{ ...RULE, lifetime: 900, single_use: false }])

onBothStores("a damaged identity rule", ({ call, run }) => {
  const put = (name: string) => call(`PUT ${RULES}`, { path: { name }, body: { rules: [RULE] } })
  const shown = async (name: string) => (await call(`GET ${RULES}`, { path: { name } })).status

  /** Damages the rules of an account as the owner of the database; false in memory. */
  const damage = (name: string, rules: string): Promise<boolean> =>
    run(
      Effect.gen(function* () {
        const database = yield* Effect.serviceOption(TestDatabase)
        if (Option.isNone(database)) return false
        yield* database.value.query(
          `update attestry.identity_rule r set rules = $1::jsonb from attestry.service_account a
            where a.service_account_id = r.service_account_id and a.name = $2`,
          [rules, name]
        )
        return true
        // WHY: a failure to damage the database is a defect of the test.
      }).pipe(Effect.orDie)
    )

  it("is 500 for rules that are damaged, and shows those of others", async () => {
    for (const name of ["damaged", "whole"]) {
      await call("POST /service-accounts/{org}", { body: { name, privilege: "reader" } })
      assert.strictEqual((await put(name)).status, 200)
    }
    for (const rules of ["1", "[1]", '[{"issuer": "https://token.example.org"}]']) {
      if (!(await damage("damaged", rules))) return
      assert.deepStrictEqual([await shown("damaged"), await shown("whole")], [500, 200], rules)
      const listed = await call("GET /service-accounts/{org}")
      assert.strictEqual(listed.status, 200)
      await damage("damaged", WHOLE)
      assert.strictEqual(await shown("damaged"), 200)
    }
  })
})
