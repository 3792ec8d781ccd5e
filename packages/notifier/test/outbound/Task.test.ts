/** Tasks tell one outcome, never throw, and tell nothing after they were given up. */
import { assert, describe, it } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import { Cause, Effect, Exit, Option } from "effect"
import * as Task from "../../src/outbound/Task.js"

/** A task that ends when the test says so, and remembers whether it was given up. */
const controlled = <A, E>() => {
  let tell: ((exit: Exit.Exit<A, E>) => void) | undefined
  const seen = { begun: 0, cancelled: 0 }
  const task: Task.Task<A, E> = (done) => {
    seen.begun += 1
    tell = done
    return () => {
      seen.cancelled += 1
    }
  }
  return { task, seen, end: (exit: Exit.Exit<A, E>) => tell?.(exit) }
}

const begin = <A, E>(task: Task.Task<A, E>) => {
  const told: Array<Exit.Exit<A, E>> = []
  const cancel = task((exit) => told.push(exit))
  return { told, cancel }
}

const defectOf = (exit: Exit.Exit<unknown, unknown> | undefined): unknown =>
  exit !== undefined && Exit.isFailure(exit)
    ? Option.getOrUndefined(Cause.dieOption(exit.cause))
    : undefined

const doubled = {
  onFailure: (error: string) => Task.fail(`${error}!`),
  onSuccess: (value: number) => Task.succeed(value * 2)
}

describe("Task", () => {
  it("goes on with what follows success and failure", () => {
    deepStrictEqual(begin(Task.matchTask(Task.succeed(2), doubled)).told, [Exit.succeed(4)])
    deepStrictEqual(begin(Task.matchTask(Task.fail("no"), doubled)).told, [Exit.fail("no!")])
    const later = controlled<number, string>()
    const { told } = begin(Task.matchTask(later.task, doubled))
    deepStrictEqual(told, [])
    later.end(Exit.succeed(3))
    deepStrictEqual(told, [Exit.succeed(6)])
  })

  it("makes a value of either outcome", () => {
    const either = { onFailure: (error: string) => error, onSuccess: String }
    deepStrictEqual(begin(Task.match(Task.succeed(2), either)).told, [Exit.succeed("2")])
    deepStrictEqual(begin(Task.match(Task.fail("no"), either)).told, [Exit.succeed("no")])
  })

  it("takes what is thrown for a defect, which nothing follows", () => {
    const bug = new Error("bug")
    const broken = Task.suspend((): Task.Task<number, string> => {
      throw bug
    })
    assert.strictEqual(defectOf(begin(broken).told[0]), bug)
    assert.strictEqual(defectOf(begin(Task.matchTask(broken, doubled)).told[0]), bug)
    const breaking = Task.matchTask(Task.succeed(1), {
      onFailure: Task.fail,
      onSuccess: (): Task.Task<number> => {
        throw bug
      }
    })
    const { told } = begin(breaking)
    assert.strictEqual(told.length, 1)
    assert.strictEqual(defectOf(told[0]), bug)
  })

  it("gives up what is under way, and that alone", () => {
    const first = controlled<number, string>()
    const second = controlled<number, string>()
    const both = Task.matchTask(first.task, { onFailure: Task.fail, onSuccess: () => second.task })
    begin(both).cancel()
    deepStrictEqual(
      [first.seen, second.seen],
      [
        { begun: 1, cancelled: 1 },
        { begun: 0, cancelled: 0 }
      ]
    )
    const { cancel } = begin(both)
    first.end(Exit.succeed(1))
    cancel()
    deepStrictEqual(
      [first.seen, second.seen],
      [
        { begun: 2, cancelled: 1 },
        { begun: 1, cancelled: 1 }
      ]
    )
  })

  it.live("is an effect that is begun when it runs and given up when it is interrupted", () =>
    Effect.gen(function* () {
      assert.strictEqual(yield* Task.toEffect(Task.succeed(2)), 2)
      assert.strictEqual(yield* Effect.flip(Task.toEffect(Task.fail("no"))), "no")
      const endless = controlled<number, string>()
      const outcome = yield* Effect.timeoutOption(Task.toEffect(endless.task), 20)
      assert.isTrue(Option.isNone(outcome))
      deepStrictEqual(endless.seen, { begun: 1, cancelled: 1 })
    })
  )

  it.live("runs an effect, interrupts it when it is given up, and says nothing then", () =>
    Effect.gen(function* () {
      const run = yield* Task.runner
      deepStrictEqual(begin(run(Effect.succeed(2))).told, [Exit.succeed(2)])
      deepStrictEqual(begin(run(Effect.fail("no"))).told, [Exit.fail("no")])
      let isInterrupted = false
      const endless = Effect.onInterrupt(Effect.never, () =>
        Effect.sync(() => {
          isInterrupted = true
        })
      )
      const { cancel, told } = begin(run(endless))
      cancel()
      yield* Effect.sleep(20)
      deepStrictEqual([isInterrupted, told.length], [true, 0])
    })
  )
})
