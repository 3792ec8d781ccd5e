/** A secret is in the one response that shows it: not in logs, journal, lists or errors. */

import { CredentialStore } from "@attestry/core/CredentialStore"
import { StoreError } from "@attestry/core/StoreError"
import { Effect, Layer } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const logs: Array<string> = []

/** Sessions that cannot be found: one more error of a request with a secret. */
const override = Layer.effect(
  CredentialStore,
  Effect.map(CredentialStore, (store) => ({
    ...store,
    findSession: () =>
      new StoreError({ operation: "CredentialStore.findSession", cause: new Error("down") })
  }))
)

onEveryStore(
  "secrets",
  ({ call, journal, keyOf }) => {
    it("appear in the response that shows them, and nowhere else", async () => {
      const answers: Array<string> = []
      const tell = async (operation: string, options: object) => {
        const answer = await call(operation, options)
        answers.push(JSON.stringify([answer.status, answer.body, [...answer.headers]]))
        return answer.body as { id: string; key: string; csrf_token: string }
      }
      await call("POST /service-accounts/{org}", { body: { name: "canary", privilege: "admin" } })
      const path = { name: "canary" }
      const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path,
        body: { description: "d" }
      })
      const first = made.body as { id: string; key: string }
      const rotated = await call("POST /service-accounts/{org}/{name}/api-keys/{key_id}/rotate", {
        path: { ...path, key_id: first.id }
      })
      const second = rotated.body as { id: string; key: string }
      const opened = await call("POST /session", {})
      const cookie = (opened.headers.get("set-cookie") ?? "").split(";")[0] ?? ""
      const secrets = [first.key, second.key, keyOf("admin"), cookie.split("=")[1] ?? "no cookie"]

      const headers = { authorization: `Bearer ${second.key}` }
      const by = { as: "nobody", headers }
      await tell("GET /service-accounts/{org}/{name}", { path, ...by })
      await tell("GET /service-accounts/{org}/{name}/api-keys", { path, ...by })
      await tell("GET /service-accounts/{org}/{name}/api-keys/{key_id}", {
        path: { ...path, key_id: second.id },
        ...by
      })
      await tell("GET /membership-audit-log/{org}", by)
      for (const [index, secret] of secrets.entries()) {
        await tell("PUT /flows/{org}", {
          as: "nobody",
          body: { name: "x", description: "" },
          headers: { authorization: `Basic ${btoa(`${secret}:`)}` }
        })
        await tell("GET /user/default-org", {
          as: "nobody",
          headers: { cookie: `attestry_session=${secret}`, "x-request-id": `canary-${index}` }
        })
      }
      await tell("GET /user/default-org", { as: "nobody", headers: { cookie } })

      const places = [
        ...answers,
        ...logs,
        ...(await journal()).map((entry) => JSON.stringify(entry))
      ]
      for (const secret of secrets) {
        assert.isAbove(secret.length, 30)
        for (const place of places) {
          assert.isFalse(place.includes(secret), `a secret is in ${place.slice(0, 80)}`)
        }
      }
    })
  },
  { logs, override }
)
