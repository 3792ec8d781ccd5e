/** Writes beside a damaged record, and reads of the damaged record itself. */
import { assert, beforeAll, it } from "vitest"
import { E, F } from "../shared/Evidence.js"
import { type CallOptions, onBothStores } from "../shared/TestServer.js"
import { damageOf, ENTRIES, flow, json, ofPolicy, ofTrail, prod } from "./Damage.js"
import { fill } from "./World.js"

const logs: Array<string> = []

onBothStores(
  "answers beside a damaged record",
  (server) => {
    const { call } = server
    const { damage } = damageOf(server)

    beforeAll(() => fill(server), 60_000)

    for (const damaged of [
      json("notification_target", "target"),
      json("environment_notification", "triggers", { where: "name = 'prod'" })
    ]) {
      it(`accepts reports and allowedPeriods while a ${damaged.table} is damaged`, async () => {
        const mend = await damage(damaged)
        const artifacts = [{ digests: { [damaged.table]: F }, creationTimestamp: 1 }]
        const reported = await call("PUT /environments/{org}/{env_name}/report/docker", {
          path: prod,
          body: { artifacts }
        })
        const allowed = await call("PUT /allowlists/{org}/{env_name}", {
          path: prod,
          body: {
            artifact_fingerprint: String(damaged.table.length % 10).repeat(64),
            artifact_name: damaged.table,
            description: "known"
          }
        })
        await mend?.()
        assert.deepStrictEqual([reported.status, allowed.status], [200, 201])
      })
    }

    it("is 500 for a record with a damaged entry, and shows the others", async () => {
      const shown = async (operation: string, path: CallOptions["path"]) =>
        (await call(operation, { path: path ?? {} })).status
      const policy = "GET /policies/{org}/{policy_name}"
      const trail = "GET /trails/{org}/{flow_name}/{trail_name}"
      const artifact = "GET /artifacts/{org}/{flow_name}/fingerprint/{fingerprint}"
      const pairs = [
        [ofPolicy, policy, { policy_name: "policy-c1" }, { policy_name: "policy-c2" }],
        [ofTrail, trail, { ...flow, trail_name: "t1" }, { ...flow, trail_name: "t2" }],
        [ofTrail, artifact, { ...flow, fingerprint: F }, { ...flow, fingerprint: E }]
      ] as const
      for (const [where, operation, damaged, whole] of pairs) {
        for (const entry of Object.values(ENTRIES)) {
          const mend = await damage({ ...entry, where })
          if (mend === undefined) return
          const statuses = [await shown(operation, damaged), await shown(operation, whole)]
          await mend()
          assert.deepStrictEqual(statuses, [500, 200], `${operation} ${entry.column}`)
          assert.strictEqual(await shown(operation, damaged), 200)
        }
      }
    })

    it("lists the tags of the other controls where one is damaged", async () => {
      const path = { resource_type: "control", resource_id: "c2" }
      const operation = "PATCH /tags/{org}/{resource_type}/{resource_id}"
      await call(operation, { path, body: { set_tags: { team: "a" } } })
      const mend = await damage(json("control", "tags", { where: "identifier = 'c1'" }))
      const { status, body } = await call("GET /controls/{org}/tags")
      await mend?.()
      assert.deepStrictEqual([status, body], [200, [{ key: "team", value: "a" }]])
    })

    it("is 500 for a damaged record, and logs its place once", async () => {
      const mend = await damage(json("flow", "tags", { where: "name = 'shop'" }))
      if (mend === undefined) return
      logs.length = 0
      for (const _ of [1, 2]) {
        const { status, body, headers } = await call("GET /flows/{org}/{flow_name}", { path: flow })
        assert.strictEqual(status, 500)
        assert.deepStrictEqual(body, { message: "A stored record is damaged and cannot be shown" })
        assert.isNull(headers.get("retry-after"))
      }
      await mend()
      const told = logs.filter((line) => line.includes("a stored record is damaged"))
      assert.strictEqual(told.length, 1)
      for (const part of ["operation=FlowStore.findByName", "shop", "fields=[0].tags"]) {
        assert.include(told[0], part)
      }
    })
  },
  { logs }
)
