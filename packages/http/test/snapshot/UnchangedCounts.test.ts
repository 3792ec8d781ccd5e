/** Instance counts of rows without another change, on the wire. */
import { assert, it } from "vitest"
import { onBothStores } from "../shared/TestServer.js"

const print = (letter: string) => letter.repeat(64)

interface Shown {
  readonly artifacts: ReadonlyArray<{ readonly name: string; readonly annotation: object }>
}

onBothStores("annotation.was of a row that is unchanged", ({ call }) => {
  /** Names, each with the letter of its fingerprint and its number of instances. */
  const report = (env_name: string, rows: { readonly [name: string]: readonly [string, number] }) =>
    call("PUT /environments/{org}/{env_name}/report/server", {
      path: { env_name },
      body: {
        artifacts: Object.entries(rows).flatMap(([name, [letter, count]]) =>
          Array.from({ length: count }, (_, at) => ({
            digests: { [name]: print(letter) },
            creationTimestamp: at + 1
          }))
        )
      }
    })
  const annotations = async (env_name: string, snapshot_expression: string) => {
    const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
      path: { env_name, snapshot_expression }
    })
    return Object.fromEntries(
      (body as Shown).artifacts.map(({ name, annotation }) => [name, annotation])
    )
  }

  it("is the count of the previous snapshot", async () => {
    await call("PUT /environments/{org}", { body: { name: "prod", type: "server" } })
    await report("prod", { shop: ["a", 3], web: ["b", 2] })
    await report("prod", { shop: ["a", 1], web: ["b", 2], api: ["c", 1] })
    await report("prod", { shop: ["a", 1], web: ["b", 2] })
    assert.deepStrictEqual(await annotations("prod", "2"), {
      shop: { type: "unchanged", was: 3, now: 1 },
      web: { type: "unchanged", was: 2, now: 2 },
      api: { type: "started-unknown", was: 0, now: 1 }
    })
    assert.deepStrictEqual(await annotations("prod", "3"), {
      shop: { type: "unchanged", was: 1, now: 1 },
      web: { type: "unchanged", was: 2, now: 2 },
      api: { type: "exited", was: 1, now: 0 }
    })
  })

  it("stays so over a long history", async () => {
    await call("PUT /environments/{org}", { body: { name: "long", type: "server" } })
    await report("long", { shop: ["a", 1], still: ["b", 2] })
    for (let index = 2; index <= 50; index++) {
      await report("long", {
        shop: ["a", (index % 3) + 1],
        still: ["b", 2],
        other: [String(index % 2), 1]
      })
    }
    for (let index = 2; index <= 50; index++) {
      const { shop, still } = await annotations("long", String(index))
      assert.deepStrictEqual(
        [shop, still],
        [
          {
            type: "unchanged",
            was: index === 2 ? 1 : ((index - 1) % 3) + 1,
            now: (index % 3) + 1
          },
          { type: "unchanged", was: 2, now: 2 }
        ],
        `snapshot ${index}`
      )
    }
  })

  it("is the count of the member's previous snapshot in a logical environment", async () => {
    await call("PUT /environments/{org}", {
      body: { name: "all", type: "logical", included_environments: ["prod"] }
    })
    await report("prod", { shop: ["a", 4], web: ["b", 2], more: ["d", 1] })
    assert.deepStrictEqual((await annotations("all", "2")).shop, {
      type: "unchanged",
      was: 1,
      now: 4
    })
  })
})
