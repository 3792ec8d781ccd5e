/** Create-or-update with a scripted sequence of lost races. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, FastCheck, Option } from "effect"
import * as Upsert from "../../src/shared/Upsert.js"

/** The number of lost races, and the final state: nothing, so that the call creates, or a value to update. */
const race = {
  lost: FastCheck.nat(4),
  vanished: FastCheck.boolean(),
  current: FastCheck.option(FastCheck.string())
}

interface Race {
  readonly lost: number
  readonly vanished: boolean
  readonly current: string | null
}

const stepsOf = ({ lost, vanished, current }: Race) => {
  const calls: Array<string> = []
  let inserts = 0
  const find = Effect.sync(() => {
    calls.push("find")
    const seen = inserts < lost || vanished ? null : current
    return Option.fromNullable(seen)
  })
  const insert = Effect.sync(() => {
    calls.push("insert")
    inserts += 1
    return inserts > lost
  })
  const update = (value: string) =>
    Effect.sync(() => {
      calls.push(`update ${value}`)
      return "updated" as const
    })
  return { calls, steps: { find, insert, update } }
}

describe("Upsert", () => {
  it.prop("finds, creates, and finds again after each lost race", race, (given) => {
    const { calls, steps } = stepsOf(given)
    const outcome = Effect.runSync(Upsert.put(steps))
    const replaces = !given.vanished && given.current !== null
    const attempts = given.lost + (replaces ? 0 : 1)
    assert.strictEqual(outcome, replaces ? "updated" : "created")
    assert.deepStrictEqual(calls, [
      ...Array.from({ length: attempts }, () => ["find", "insert"]).flat(),
      ...(replaces ? ["find", `update ${given.current}`] : [])
    ])
  })

  it.prop("returns the current value, or the created one", race, (given) => {
    const { calls, steps } = stepsOf(given)
    const [value, created] = Effect.runSync(Upsert.getOrCreate(steps, "fresh"))
    const found = given.vanished ? null : given.current
    assert.deepStrictEqual([value, created], found === null ? ["fresh", true] : [found, false])
    assert.strictEqual(calls.filter((call) => call.startsWith("update")).length, 0)
  })

  it("returns unchanged when the update does", () => {
    const { steps } = stepsOf({ lost: 0, vanished: false, current: "x" })
    const update = () => Effect.succeed("unchanged" as const)
    assert.strictEqual(Effect.runSync(Upsert.put({ ...steps, update })), "unchanged")
  })

  it.each(["find", "insert", "update"] as const)("fails as %s does", (step) => {
    const { steps } = stepsOf({ lost: 0, vanished: false, current: step === "update" ? "x" : null })
    const broken = Effect.fail(step)
    const exit = Effect.runSyncExit(
      Upsert.put({
        find: step === "find" ? broken : steps.find,
        insert: step === "insert" ? broken : steps.insert,
        update: step === "update" ? () => broken : steps.update
      })
    )
    assert.deepStrictEqual(exit, Exit.fail(step))
  })
})
