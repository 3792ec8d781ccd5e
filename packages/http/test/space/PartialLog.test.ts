/**
 * Entries of the log for a person who reads a part of the org: those of what is not readable are not found, and a
 * receipt of one discloses nothing. AC-10, AC-11
 */
import { assert, beforeAll, it } from "vitest"
import { type CallOptions, onEveryStore } from "../shared/TestServer.js"
import { CANARY, FINGERPRINT, HIDDEN, MISSING, partialWorld, text } from "./PartialWorld.js"

interface Found {
  readonly entries: ReadonlyArray<{ readonly entry: string }>
}

const RECEIPT = "GET /log/{org}/entries/{entry}"

onEveryStore("the log of a part of an org", (server) => {
  const { call } = server
  const world = partialWorld(server)
  const sam = (operation: string, options: CallOptions = {}) =>
    call(operation, { ...options, ...world.as("sam") })

  beforeAll(world.prepare)

  const query = (kind: "artifact" | "snapshot", name: keyof typeof FINGERPRINT) =>
    kind === "artifact" ? `?fingerprint=${FINGERPRINT[name]}` : `?env_name=${name}&snapshot=1`

  const entriesOf = async (kind: "artifact" | "snapshot", name: keyof typeof FINGERPRINT) => {
    const { body, status } = await call("GET /log/{org}/entries", { query: query(kind, name) })
    assert.strictEqual(status, 200, JSON.stringify(body))
    return (body as Found).entries.map(({ entry }) => entry)
  }

  for (const kind of ["artifact", "snapshot"] as const) {
    it(`finds the entry of a readable ${kind}, and none of a hidden one`, async () => {
      const mine = await sam("GET /log/{org}/entries", { query: query(kind, "mine") })
      assert.deepStrictEqual(
        (mine.body as Found).entries.map(({ entry }) => entry),
        await entriesOf(kind, "mine")
      )
      assert.isNotEmpty((mine.body as Found).entries)
      assert.isNotEmpty(await entriesOf(kind, HIDDEN))
      const hidden = await sam("GET /log/{org}/entries", { query: query(kind, HIDDEN) })
      const missing = await sam("GET /log/{org}/entries", { query: query(kind, MISSING) })
      assert.strictEqual(text(hidden), text(missing))
    })

    it(`discloses in a receipt of a ${kind} what is readable alone`, async () => {
      for (const name of ["mine", HIDDEN] as const)
        for (const entry of await entriesOf(kind, name)) {
          const whole = await call(RECEIPT, { path: { entry } })
          const part = await sam(RECEIPT, { path: { entry } })
          assert.strictEqual(part.status, 200, text(part))
          if (name === "mine") assert.strictEqual(text(part), text(whole))
          else {
            assert.notDeepEqual(part.body, whole.body)
            assert.deepInclude(part.body, { disclosures: [] })
            assert.notInclude(text(part), CANARY)
          }
        }
    })
  }
})
