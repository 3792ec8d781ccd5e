/** Lists whose items embed a damaged record, or have a damaged entry in their history. */
import * as Cursor from "@attestry/api/Cursor"
import { assert, beforeAll, it } from "vitest"
import { c1 } from "../shared/Evidence.js"
import { onBothStores } from "../shared/TestServer.js"
import {
  type Case,
  damageOf,
  ENTRIES,
  flow,
  isPlaceholder,
  json,
  ofPolicy,
  ofTrail,
  sorted,
  text
} from "./Damage.js"
import { fill } from "./World.js"

/** Lists with a damaged row of a table that their items embed. */
const BESIDE: ReadonlyArray<readonly [operation: string, damaged: Case]> = [
  ["GET /trails/{org}", json("trail_evaluation", "trail_status", { type: "json" })],
  ["GET /trails/{org}", json("flow", "tags", { where: "name = 'shop'" })],
  [
    "GET /trails/{org}/{flow_name}",
    json("trail_evaluation", "trail_status", { type: "json", path: flow })
  ],
  [
    "GET /search/{org}/commit/{sha}/trails",
    text("flow", "name", { path: { sha: c1 }, where: "name = 'shop'" })
  ],
  ["GET /artifacts/{org}", json("trail_evaluation", "trail_status", { type: "json" })],
  ["GET /artifacts/{org}", json("trail", "details", { where: "name = 't1'" })],
  ["GET /attestations/{org}", json("trail", "details", { where: "name = 't1'" })],
  // The cursor of a place after every attestation.
  [
    "GET /attestations/{org}",
    json("attestation", "attachments", { query: `?after=${Cursor.print(1_000_000)}` })
  ],
  ["GET /policies/{org}", json("policy_version", "dump", { type: "json", bad: "7" })],
  ["GET /builds/{org}", json("trail", "details", { where: "name = 't1'" })],
  ["GET /builds/{org}", json("repo", "tags", { where: "name = 'r1'" })]
]

/** Lists whose items have a history, and the entries of one item. */
const TOLD: ReadonlyArray<readonly [operation: string, about: Pick<Case, "where" | "path">]> = [
  ["GET /artifacts/{org}", { where: ofTrail }],
  [
    "GET /artifacts/{org}/{flow_name}/commit_sha/{sha}",
    { where: ofTrail, path: { ...flow, sha: c1 } }
  ],
  ["GET /policies/{org}", { where: ofPolicy }]
]

onBothStores("items with damaged parts", (server) => {
  const { damage, list } = damageOf(server)

  beforeAll(() => fill(server), 60_000)

  for (const [operation, damaged] of BESIDE) {
    it(`${operation} shows placeholders for the items of a damaged ${damaged.table}`, async () => {
      const { path = {}, query = "" } = damaged
      const before = await list(operation, { path, query })
      const mend = await damage(damaged)
      if (mend === undefined) return
      const after = await list(operation, { path, query })
      await mend()
      assert.strictEqual(after.length, before.length)
      assert.isAtLeast(after.filter(isPlaceholder).length, 1)
      assert.includeMembers(sorted(before), sorted(after.filter((item) => !isPlaceholder(item))))
    })
  }

  for (const [operation, about] of TOLD) {
    for (const [how, entry] of Object.entries(ENTRIES)) {
      it(`${operation} shows a placeholder for the item of an entry that ${how}`, async () => {
        const { path = {} } = about
        const before = await list(operation, { path })
        const mend = await damage({ ...entry, ...about })
        if (mend === undefined) return
        const after = await list(operation, { path })
        await mend()
        const others = after.filter((item) => !isPlaceholder(item))
        assert.strictEqual(after.length, before.length)
        assert.strictEqual(others.length, before.length - 1)
        assert.includeMembers(sorted(before), sorted(others))
        assert.deepStrictEqual(sorted(await list(operation, { path })), sorted(before))
      })
    }
  }
})
