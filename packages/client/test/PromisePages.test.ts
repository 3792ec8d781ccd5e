/** Pages as one list, on both faces: the same items, asked for the same number of times. */
import { assert, describe, it } from "@effect/vitest"
import { Chunk, Effect, Stream } from "effect"
import * as FastCheck from "effect/FastCheck"
import * as Pages from "../src/Pages.js"
import * as PromisePages from "../src/PromisePages.js"

const pageOf = (items: ReadonlyArray<number>, perPage: number, page: number) =>
  items.slice((page - 1) * perPage, page * perPage)

const collect = async <A>(list: AsyncIterable<A>): Promise<ReadonlyArray<A>> => {
  const found: Array<A> = []
  for await (const item of list) found.push(item)
  return found
}

const lists = FastCheck.tuple(
  FastCheck.array(FastCheck.nat(), { maxLength: 30 }),
  FastCheck.integer({ min: 1, max: 10 })
)

describe("pages", () => {
  it("that are counted give every item once, and ask for each page once", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(lists, async ([items, perPage]) => {
        const asked: Array<number> = []
        const get = (page: number) => {
          asked.push(page)
          const total_pages = Math.ceil(items.length / perPage)
          return { items: pageOf(items, perPage, page), total_pages }
        }
        const streamed = await Effect.runPromise(
          Stream.runCollect(Pages.counted((page) => Effect.sync(() => get(page))))
        )
        const byStream = asked.splice(0)
        assert.deepStrictEqual(Chunk.toReadonlyArray(streamed), items)
        assert.deepStrictEqual(
          await collect(PromisePages.counted(async (page) => get(page))),
          items
        )
        assert.deepStrictEqual(asked, byStream)
      })
    )
  })

  it("that are bare give every item once, and end with the first page that is not full", async () => {
    await FastCheck.assert(
      FastCheck.asyncProperty(lists, async ([items, perPage]) => {
        const asked: Array<number> = []
        const get = (page: number) => {
          asked.push(page)
          return pageOf(items, perPage, page)
        }
        const streamed = await Effect.runPromise(
          Stream.runCollect(Pages.bare(perPage, (page) => Effect.sync(() => get(page))))
        )
        const byStream = asked.splice(0)
        assert.deepStrictEqual(Chunk.toReadonlyArray(streamed), items)
        const list = PromisePages.bare(perPage, async (page) => get(page))
        assert.deepStrictEqual(await collect(list), items)
        assert.deepStrictEqual(asked, byStream)
      })
    )
  })

  it("are not asked for before the loop gets there", async () => {
    let asked = 0
    const list = PromisePages.counted(async (page) => {
      asked++
      return { items: [page, page], total_pages: 5 }
    })
    for await (const page of list) if (page === 2) break
    assert.strictEqual(asked, 2)
  })
})
