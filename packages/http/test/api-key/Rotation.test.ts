/** A rotation that fails leaves the old key unchanged, and reports its state. */
import { CredentialStore } from "@attestry/core/CredentialStore"
import { OrgStore } from "@attestry/core/OrgStore"
import { RecordVerification } from "@attestry/core/RecordVerification"
import { StoreError } from "@attestry/core/StoreError"
import * as TableFinding from "@attestry/core/TableFinding"
import { Transaction } from "@attestry/core/Transaction"
import { Effect, Layer } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

/** The step at which the next rotation fails. */
let broken: "insert" | "update" | "commit" | "afterCommit" | undefined

const failure = new StoreError({ operation: "test", cause: new Error("broken on purpose") })

const breaking = <A, E, R>(at: typeof broken, work: Effect.Effect<A, E, R>) =>
  Effect.suspend((): Effect.Effect<A, E | StoreError, R> => (broken === at ? failure : work))

/** A store whose writes of keys, or whose commits, can be made to fail. */
const override = Layer.merge(
  Layer.effect(
    CredentialStore,
    Effect.map(CredentialStore, (store) => ({
      ...store,
      insertKey: (key) => breaking("insert", store.insertKey(key)),
      updateKey: (key) => breaking("update", store.updateKey(key))
    }))
  ),
  Layer.effect(
    Transaction,
    Effect.map(Transaction, (transaction) => ({
      ...transaction,
      run: (org, work) => {
        const failing = broken === "commit" || broken === "afterCommit" ? broken : undefined
        if (failing === "afterCommit") broken = undefined
        const ran = transaction.run(org, (scope) =>
          failing === "commit" ? Effect.zipRight(work(scope), failure) : work(scope)
        )
        return failing === "afterCommit" ? Effect.zipRight(ran, failure) : ran
      }
    }))
  )
)

onEveryStore(
  "POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate, failing",
  ({ call, journal, org, run }) => {
    for (const place of ["insert", "update", "commit", "afterCommit"] as const) {
      it(`leaves the old key alone when it fails at ${place}`, async () => {
        const path = { name: `breaks-${place}` }
        await call("POST /service-accounts/{org}", {
          body: { name: path.name, privilege: "reader" }
        })
        const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
          path,
          body: { description: "d" }
        })
        const { id, key } = made.body as { id: string; key: string }
        const before = await call("GET /service-accounts/{org}/{name}/api-keys", { path })
        const recorded = (await journal()).length
        broken = place
        const rotated = await call("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", {
          path: { ...path, key_id: id },
          body: {}
        })
        broken = undefined
        assert.strictEqual(rotated.status, 503)
        assert.hasAllKeys(rotated.body, ["message", "details"])
        assert.include((rotated.body as { details: string }).details, id)
        assert.strictEqual(rotated.headers.get("retry-after"), "1")
        const after = await call("GET /service-accounts/{org}/{name}/api-keys", { path })
        assert.deepStrictEqual(after.body, before.body)
        const headers = { authorization: `Bearer ${key}` }
        assert.strictEqual(
          (await call("GET /user/default-org", { as: "nobody", headers })).status,
          200
        )
        const entries = (await journal()).slice(recorded).map(({ kind }) => kind)
        assert.deepStrictEqual(
          entries,
          place === "afterCommit"
            ? ["api_key_rotated", "api_key_created", "api_key_rotation_undone"]
            : []
        )
        const found = await run(
          Effect.gen(function* () {
            const own = (yield* (yield* OrgStore).list).find(({ name }) => name === org)
            const { id } = own ?? assert.fail("there is no org")
            return yield* (yield* RecordVerification).verify(id, 3)
          })
        )
        assert.deepStrictEqual(found.map(TableFinding.print), [])
      })
    }
  },
  { override }
)
