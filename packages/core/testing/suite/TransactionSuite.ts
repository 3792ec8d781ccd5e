/**
 * The contract of `Transaction`, with flows and journal entries: all or nothing across ports, for any end of
 * the work, alone and concurrently.
 */
import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Cause from "effect/Cause"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import * as Exit from "effect/Exit"
import * as Fiber from "effect/Fiber"
import type * as Layer from "effect/Layer"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const WRITERS = 16

const entryAbout = ({ org_id, id }: Flow): JournalDraft => ({
  org_id,
  kind: "flow_created",
  subject: { type: "flow", id },
  actor: { kind: "system", id: "system", name: "system" },
  at: Fixture.AT,
  content: "{}",
  digest: "0".repeat(64)
})

/** Writes through two ports. */
const write = (flow: Flow) =>
  Effect.gen(function* () {
    assert.strictEqual(yield* (yield* FlowStore).insert(flow), true)
    yield* (yield* JournalStore).append(entryAbout(flow))
  })

/** Which of the flows exist; each exists with its journal entry, or neither does. */
const kept = (...flows: ReadonlyArray<Flow>) =>
  Effect.gen(function* () {
    const store = yield* FlowStore
    const journal = yield* JournalStore
    const names: Array<string> = []
    for (const flow of flows) {
      const found = yield* store.findByName({ org: flow.org_id, name: flow.name })
      const entries = yield* journal.listBySubject(flow.org_id, { type: "flow", id: flow.id })
      assert.strictEqual(entries.length, Option.isSome(found) ? 1 : 0)
      if (Option.isSome(found)) names.push(flow.name)
    }
    return names
  })

const flowsOf = (org: Org, ...names: ReadonlyArray<string>) =>
  Effect.forEach(names, (name) => Fixture.newFlow(org, name))

const prepare = Effect.gen(function* () {
  const org = yield* Fixture.org
  const [outer, inner, last] = yield* Effect.all([
    Fixture.newFlow(org, "outer"),
    Fixture.newFlow(org, "inner"),
    Fixture.newFlow(org, "last")
  ])
  return { org: org.id, outer, inner, last, transaction: yield* Transaction }
})

/** States the contract of `Transaction`. */
export const transactionSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void => {
  suite(`Transaction (${name})`, ports, options, (it) => {
    it.effect("commits work that succeeds, and returns its value", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        assert.strictEqual(yield* transaction.run(org, () => Effect.as(write(outer), 7)), 7)
        deepStrictEqual(yield* kept(outer), ["outer"])
      })
    )

    it.effect("sees its own writes", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const seen = yield* transaction.run(org, () => Effect.zipRight(write(outer), kept(outer)))
        deepStrictEqual(seen, ["outer"])
      })
    )

    it.effect("rolls back work that fails, and fails as the work does", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const failed = yield* Effect.flip(
          transaction.run(org, () => Effect.zipRight(write(outer), Effect.fail("no" as const)))
        )
        assert.strictEqual(failed, "no")
        deepStrictEqual(yield* kept(outer), [])
      })
    )

    it.effect("rolls back work that dies, and dies as the work does", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const defect = new Error("a bug")
        const exit = yield* Effect.exit(
          transaction.run(org, () => Effect.zipRight(write(outer), Effect.die(defect)))
        )
        deepStrictEqual(exit, Exit.die(defect))
        deepStrictEqual(yield* kept(outer), [])
      })
    )

    it.effect("rolls back work that is interrupted", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const written = yield* Deferred.make<void>()
        const fiber = yield* Effect.fork(
          transaction.run(org, () =>
            write(outer).pipe(
              Effect.zipRight(Deferred.succeed(written, undefined)),
              Effect.zipRight(Effect.never)
            )
          )
        )
        yield* Deferred.await(written)
        const exit = yield* Fiber.interrupt(fiber)
        assert.strictEqual(Exit.isFailure(exit) && Cause.isInterruptedOnly(exit.cause), true)
        deepStrictEqual(yield* kept(outer), [])
      })
    )

    it.effect("reads the clock once for all the work inside", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const instants = yield* transaction.run(org, (scope) =>
          Effect.gen(function* () {
            const now = yield* scope.now
            yield* write(outer)
            const inner = yield* transaction.run(org, (scope) => scope.now)
            return [now, inner]
          })
        )
        assert.strictEqual(Schema.is(Timestamp)(instants[0]), true)
        assert.strictEqual(instants[1], instants[0])
      })
    )
  })

  nestingSuite(name, ports, options)
  concurrencySuite(name, ports, options)
}

const nestingSuite = <E>(name: string, ports: Layer.Layer<Ports, E>, options: SuiteOptions) =>
  suite(`Transaction inside a transaction (${name})`, ports, options, (it) => {
    it.effect("commits with the outer one", () =>
      Effect.gen(function* () {
        const { org, outer, inner, transaction } = yield* prepare
        yield* transaction.run(org, () =>
          Effect.zipRight(
            write(outer),
            transaction.run(org, () => write(inner))
          )
        )
        deepStrictEqual(yield* kept(outer, inner), ["outer", "inner"])
      })
    )

    it.effect("rolls back with the outer one", () =>
      Effect.gen(function* () {
        const { org, inner, transaction } = yield* prepare
        const done = transaction.run(org, () => write(inner))
        const failed = transaction.run(org, () => Effect.zipRight(done, Effect.fail("no" as const)))
        assert.strictEqual(yield* Effect.flip(failed), "no")
        deepStrictEqual(yield* kept(inner), [])
      })
    )

    const endings = [
      ["fails", Effect.fail("no")],
      ["dies", Effect.die("a bug")],
      ["is interrupted", Effect.interrupt]
    ] as const

    for (const [ending, end] of endings) {
      it.effect(`rolls back its own writes only when it ${ending}`, () =>
        Effect.gen(function* () {
          const { org, outer, inner, last, transaction } = yield* prepare
          const undone = transaction.run(org, () => Effect.zipRight(write(inner), end))
          yield* transaction.run(org, () =>
            write(outer).pipe(Effect.zipRight(Effect.exit(undone)), Effect.zipRight(write(last)))
          )
          deepStrictEqual(yield* kept(outer, inner, last), ["outer", "last"])
        })
      )
    }

    it.effect("nests more than once", () =>
      Effect.gen(function* () {
        const { org, outer, inner, last, transaction } = yield* prepare
        const third = transaction.run(org, () => Effect.zipRight(write(last), Effect.fail("no")))
        const second = transaction.run(org, () =>
          Effect.zipRight(write(inner), Effect.either(third))
        )
        yield* transaction.run(org, () => Effect.zipRight(write(outer), second))
        deepStrictEqual(yield* kept(outer, inner, last), ["outer", "inner"])
      })
    )
  })

const concurrencySuite = <E>(name: string, ports: Layer.Layer<Ports, E>, options: SuiteOptions) =>
  suite(`Transaction among others (${name})`, ports, options, (it) => {
    it.effect("is not visible before its commit", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const [written, looked] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const reader = yield* Effect.fork(
          Effect.zipRight(Deferred.await(written), kept(outer)).pipe(
            Effect.ensuring(Deferred.succeed(looked, undefined))
          )
        )
        yield* transaction.run(org, () =>
          write(outer).pipe(
            Effect.zipRight(Deferred.succeed(written, undefined)),
            Effect.zipRight(Deferred.await(looked))
          )
        )
        deepStrictEqual(yield* Fiber.join(reader), [])
        deepStrictEqual(yield* kept(outer), ["outer"])
      })
    )

    it.effect("loses no write of others that hold the lock in turn", () =>
      Effect.gen(function* () {
        const store = yield* FlowStore
        const transaction = yield* Transaction
        const flow = { ...(yield* Fixture.newFlow(yield* Fixture.org)), description: "0" }
        yield* store.insert(flow)
        const key = { org: flow.org_id, name: flow.name }
        const increment = transaction.run(key.org, () =>
          Effect.gen(function* () {
            const current = yield* yield* store.lock(key)
            yield* store.update({ ...current, description: `${Number(current.description) + 1}` })
          })
        )
        yield* Effect.all(
          Array.from({ length: WRITERS }, () => increment),
          {
            concurrency: "unbounded"
          }
        )
        const counted = yield* yield* store.findByName(key)
        assert.strictEqual(counted.description, String(WRITERS))
      })
    )

    it.effect("does not roll back concurrent writes of others", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const org = yield* Fixture.org
        const flows = yield* flowsOf(org, ...Array.from({ length: WRITERS }, (_, n) => `f${n}`))
        const works = flows.map((flow, n) =>
          transaction.run(org.id, () =>
            Effect.zipRight(write(flow), n % 2 === 0 ? Effect.void : Effect.fail("no"))
          )
        )
        yield* Effect.all(works.map(Effect.either), { concurrency: "unbounded" })
        deepStrictEqual(
          yield* kept(...flows),
          flows.flatMap((flow, n) => (n % 2 === 0 ? [flow.name] : []))
        )
      })
    )

    it.effect("shows a snapshot as of one moment, whatever is written meanwhile", () =>
      Effect.gen(function* () {
        const { org, outer, inner, transaction } = yield* prepare
        yield* transaction.run(org, () => write(outer))
        const [begun, changed] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const reader = yield* Effect.fork(
          transaction.snapshot(
            org,
            Effect.gen(function* () {
              const before = yield* kept(outer, inner)
              yield* Deferred.succeed(begun, undefined)
              yield* Deferred.await(changed)
              return [before, yield* kept(outer, inner)]
            })
          )
        )
        yield* Deferred.await(begun)
        yield* Effect.ensuring(
          transaction.run(org, () => write(inner)),
          Deferred.succeed(changed, undefined)
        )
        deepStrictEqual(yield* Fiber.join(reader), [["outer"], ["outer"]])
        deepStrictEqual(yield* transaction.snapshot(org, kept(outer, inner)), ["outer", "inner"])
      })
    )

    it.effect("shows a snapshot inside of a transaction what the transaction sees", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const seen = yield* transaction.run(org, () =>
          Effect.zipRight(write(outer), transaction.snapshot(org, kept(outer)))
        )
        deepStrictEqual(seen, ["outer"])
      })
    )

    it.effect("writes nothing in a snapshot, and fails as the reads do", () =>
      Effect.gen(function* () {
        const { org, outer, transaction } = yield* prepare
        const wrote = yield* Effect.exit(transaction.snapshot(org, write(outer)))
        assert.isTrue(Exit.isFailure(wrote))
        deepStrictEqual(yield* kept(outer), [])
        const failed = yield* Effect.flip(transaction.snapshot(org, Effect.fail("no")))
        assert.strictEqual(failed, "no")
      })
    )
  })
