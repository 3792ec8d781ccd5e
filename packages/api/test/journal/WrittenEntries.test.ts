/** Holds `WrittenEntries` against a log in which the order of commits is known. */
import * as fc from "effect/FastCheck"
import { assert, describe, it } from "vitest"
import * as WrittenEntries from "../../src/journal/WrittenEntries.js"

const URL_OF_ACME = "https://attestry.example/api/v2/flows/acme?page=1"

describe("WrittenEntries", () => {
  it("names the entries of a write in later requests about its org, and in no others", () => {
    let now = 0
    const written = WrittenEntries.make(() => ++now)
    assert.deepStrictEqual(written.begin(URL_OF_ACME).headers, {})
    written.begin("/api/v2/flows/acme").arrived("a1, a2")
    written.begin("/api/v2/flows/acme").arrived(null)
    assert.deepStrictEqual(written.begin(URL_OF_ACME).headers, { "attestry-after": "a2" })
    assert.deepStrictEqual(written.begin("/api/v2/flows/globex").headers, {})
    assert.deepStrictEqual(written.begin("/api/v2/user").headers, {})
    written.begin("/api/v2/trails/acme/f").arrived("a3")
    assert.deepStrictEqual(written.begin(URL_OF_ACME).headers, { "attestry-after": "a3" })
  })

  it("keeps the entries of writes that were under way together, at most so many", () => {
    let now = 0
    const written = WrittenEntries.make(() => ++now)
    const first = written.begin(URL_OF_ACME)
    const second = written.begin(URL_OF_ACME)
    second.arrived("b")
    first.arrived("a")
    assert.deepStrictEqual(written.begin(URL_OF_ACME).headers, { "attestry-after": "b, a" })
    const many = Array.from({ length: WrittenEntries.KEPT_MAX + 1 }, () =>
      written.begin(URL_OF_ACME)
    )
    for (const [position, { arrived }] of many.entries()) arrived(`m${position}`)
    const header = written.begin(URL_OF_ACME).headers["attestry-after"] ?? ""
    assert.lengthOf(header.split(", "), WrittenEntries.KEPT_MAX)
  })

  it("has every acknowledged write shown, by the order of commits alone", () => {
    // Each write commits between its start and its answer; who sees the named ones sees all before them.
    const write = fc.record({
      start: fc.integer({ min: 0, max: 40 }),
      commit: fc.double({ min: 0.01, max: 0.99, noNaN: true }),
      takes: fc.integer({ min: 1, max: 15 })
    })
    fc.assert(
      fc.property(fc.array(write, { minLength: 1, maxLength: 30 }), (writes) => {
        const committed = new Map<string, number>()
        let now = 0
        const written = WrittenEntries.make(() => now)
        const events = writes.flatMap(({ start, takes, commit }, position) => {
          committed.set(`e${position}`, start + takes * commit)
          let attempt: WrittenEntries.WatchedAttempt | undefined
          const begin = () => {
            attempt = written.begin(URL_OF_ACME)
          }
          return [
            { at: start, act: begin },
            { at: start + takes + position / 1_000, act: () => attempt?.arrived(`e${position}`) }
          ]
        })
        for (const { at, act } of events.sort((left, right) => left.at - right.at)) {
          now = at
          act()
          const seen = writes.flatMap(({ start, takes }, position) =>
            start + takes + position / 1_000 <= now ? [committed.get(`e${position}`) ?? 0] : []
          )
          const header = written.begin(URL_OF_ACME).headers["attestry-after"] ?? ""
          const named = header.split(", ").map((id) => committed.get(id) ?? -1)
          assert.isAtLeast(Math.max(...named), Math.max(-1, ...seen))
        }
      })
    )
  })
})
