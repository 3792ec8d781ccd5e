/** Rate limits on the wire: of an org, of a credential, and of failed authentications. */
import { assert, it } from "vitest"
import { ADDRESS_HEADER, onEveryStore, type TestServer } from "../shared/TestServer.js"

const statuses = async (server: TestServer, count: number, options: object) => {
  const answers = []
  for (let index = 0; index < count; index++) {
    answers.push(await server.call("GET /user/default-org", options))
  }
  return answers
}

onEveryStore(
  "limits of a credential",
  (server) => {
    it("are 429 with Retry-After over the limit, and do not affect other keys", async () => {
      const answers = await statuses(server, 5, { as: "reader" })
      assert.deepStrictEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429, 429]
      )
      assert.strictEqual(answers.at(-1)?.headers.get("retry-after"), "20")
      assert.deepStrictEqual(answers.at(-1)?.body, {
        message: "this credential may send 3 requests a minute"
      })
      assert.strictEqual((await statuses(server, 1, { as: "admin" }))[0]?.status, 200)
    })
  },
  { limits: { perCredential: 3 } }
)

onEveryStore(
  "limits of an org",
  ({ call }) => {
    const get = async (as: "admin" | "reader" | "foreigner", org: string) =>
      (await call("GET /flows/{org}/{flow_name}", { as, path: { org, flow_name: "none" } })).status

    it("hold for all of its keys together, and do not count actors of other orgs", async () => {
      for (let index = 0; index < 5; index++) {
        assert.strictEqual(await get("foreigner", "acme"), 403)
      }
      assert.deepStrictEqual(
        [
          await get("admin", "acme"),
          await get("reader", "acme"),
          await get("admin", "acme"),
          await get("foreigner", "globex")
        ],
        [404, 404, 429, 404]
      )
      const { body } = await call("GET /flows/{org}", { path: { org: "acme" } })
      assert.deepStrictEqual(body, { message: "acme may send 2 requests a minute" })
    })
  },
  { limits: { perOrg: 2 } }
)

onEveryStore(
  "limits of an org on writes",
  ({ call }) => {
    const put = (as: "admin" | "foreigner", org: string, name: string) =>
      call("PUT /flows/{org}", { as, path: { org }, body: { name, description: "" } })

    it("hold for all that may write, and leave reads, questions and other orgs alone", async () => {
      const read = () => call("GET /flows/{org}", { path: { org: "acme" } })
      for (let index = 0; index < 4; index++) assert.strictEqual((await read()).status, 200)
      assert.strictEqual((await put("admin", "acme", "one")).status, 201)
      const archived = await call("PUT /flows/{org}/{flow_name}/archive", {
        path: { org: "acme", flow_name: "one" }
      })
      assert.strictEqual(archived.status, 200)
      const refused = await put("admin", "acme", "two")
      assert.strictEqual(refused.status, 429)
      assert.deepStrictEqual(refused.body, { message: "acme may send 2 writes a minute" })
      assert.strictEqual(refused.headers.get("retry-after"), "30")
      assert.strictEqual((await read()).status, 200)
      const asked = await call("POST /policies/{org}/lint", { path: { org: "acme" }, body: {} })
      assert.strictEqual(asked.status, 400)
      assert.strictEqual((await put("foreigner", "globex", "one")).status, 201)
      const { body } = await read()
      assert.notInclude(JSON.stringify(body), "two")
    })
  },
  { limits: { writesPerOrg: 2 } }
)

const load = { isOver: false }

onEveryStore(
  "an overloaded process",
  ({ call }) => {
    const get = (as: "admin" | "foreigner", org: string) =>
      call("GET /flows/{org}", { as, path: { org } })

    it("refuses orgs above their share with 503, and serves others and what has no org", async () => {
      load.isOver = false
      for (let index = 0; index < 5; index++) {
        assert.strictEqual((await get("admin", "acme")).status, 200)
      }
      assert.strictEqual((await get("foreigner", "globex")).status, 200)
      load.isOver = true
      const refused = await get("admin", "acme")
      assert.strictEqual(refused.status, 503)
      assert.match(refused.headers.get("retry-after") ?? "", /^[123]$/)
      assert.deepStrictEqual(refused.body, {
        message:
          "the server has more to do than it can, and `acme` sends more than others: try again"
      })
      assert.strictEqual((await get("foreigner", "globex")).status, 200)
      assert.strictEqual((await get("foreigner", "acme")).status, 403)
      assert.strictEqual((await call("GET /whoami")).status, 200)
      assert.strictEqual((await call("GET /api/v2/openapi.json")).status, 200)
      load.isOver = false
      assert.strictEqual((await get("admin", "acme")).status, 200)
    })
  },
  { isOverloaded: () => load.isOver }
)

onEveryStore(
  "limits of failed authentication",
  (server) => {
    const { call, keyOf } = server
    const from = (address: string, authorization: string) =>
      call("GET /user/default-org", {
        as: "nobody",
        headers: { [ADDRESS_HEADER]: address, authorization }
      })

    it("count by source; a valid key from the same source works", async () => {
      for (const expected of [401, 401, 401, 429]) {
        assert.strictEqual((await from("192.0.2.1", "Bearer nothing")).status, expected)
      }
      const refused = await from("192.0.2.1", "Bearer nothing")
      assert.match(refused.headers.get("retry-after") ?? "", /^\d+$/)
      assert.strictEqual((await from("192.0.2.1", `Bearer ${keyOf("admin")}`)).status, 200)
      assert.strictEqual((await from("192.0.2.2", "Bearer nothing")).status, 401)
    })

    it("count keys in a body too", async () => {
      const open = async () => {
        const headers = { [ADDRESS_HEADER]: "192.0.2.3" }
        return (await call("POST /session", { as: "nobody", headers, body: { api_key: "x" } }))
          .status
      }
      assert.deepStrictEqual(
        [await open(), await open(), await open(), await open()],
        [401, 401, 401, 429]
      )
    })

    it("count by key id from all sources; the key itself works", async () => {
      const { body } = await call("POST /service-accounts/{org}", {
        body: { name: "attacked", privilege: "reader" }
      })
      assert.deepInclude(body, { name: "attacked" })
      const made = await call("POST /service-accounts/{org}/{name}/api-keys", {
        path: { name: "attacked" },
        body: { description: "d" }
      })
      const { id, key } = made.body as { id: string; key: string }
      await call("DELETE /service-accounts/{org}/{name}/api-keys/{key_id}", {
        path: { name: "attacked", key_id: id }
      })
      const found = []
      for (let index = 0; index < 4; index++) {
        found.push((await from(`198.51.100.${index}`, `Bearer ${key}`)).status)
      }
      assert.deepStrictEqual(found, [401, 401, 429, 429])
    })
  },
  { limits: { failuresPerSource: 3, failuresPerKey: 2 } }
)
