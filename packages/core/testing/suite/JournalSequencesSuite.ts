/** The contract of `JournalSequences`: after a write they hold the numbers of the entries that the store has. */
import type { Flow } from "@attestry/core/Flow"
import { FlowStore } from "@attestry/core/FlowStore"
import type { OrgId } from "@attestry/core/Identifier"
import type { JournalDraft } from "@attestry/core/JournalEntry"
import * as JournalSequences from "@attestry/core/JournalSequences"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Ports } from "@attestry/core/Ports"
import { Transaction } from "@attestry/core/Transaction"
import { assert } from "@effect/vitest"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Context from "effect/Context"
import * as Deferred from "effect/Deferred"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

/** How long one transaction waits for the lock of another; a store that runs them in turn waits in vain. */
const MEETING = "300 millis"

const draftOf = (org: OrgId, kind: string): JournalDraft => ({
  org_id: org,
  kind,
  subject: { type: "flow", id: "flow-1" },
  actor: { kind: "system", id: "system", name: "system" },
  at: Fixture.AT,
  content: "{}",
  digest: "0".repeat(64)
})

/** Records entries as use cases do. */
const record = (org: OrgId, ...kinds: ReadonlyArray<string>) =>
  Effect.gen(function* () {
    const store = yield* JournalStore
    const [first = "one", ...others] = kinds
    yield* JournalSequences.add(yield* store.append(draftOf(org, first)))
    yield* JournalSequences.add(
      ...(yield* store.appendAll(others.map((kind) => draftOf(org, kind))))
    )
  })

/** The kinds of the entries whose numbers a write returns. */
const kindsOf = <A, E, R>(org: OrgId, write: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { sequences } = yield* JournalSequences.withSequences(write, Context.empty())
    const entries = yield* (yield* JournalStore).listAfter({ org, after: 0, limit: 100 })
    const kinds = new Map(entries.map(({ sequence, kind }) => [sequence, kind]))
    return sequences.map((sequence) => kinds.get(sequence))
  })

/** Locks two flows in turn, and lets another transaction do so in the other order. */
const lockBoth = (
  [first, second]: readonly [Flow, Flow],
  {
    mine,
    other
  }: { readonly mine: Deferred.Deferred<void>; readonly other: Deferred.Deferred<void> }
) =>
  Effect.gen(function* () {
    const store = yield* FlowStore
    yield* store.lock({ org: first.org_id, name: first.name })
    yield* Deferred.succeed(mine, undefined)
    yield* Effect.timeoutOption(Deferred.await(other), MEETING)
    yield* store.lock({ org: second.org_id, name: second.name })
  })

/** States the contract of `JournalSequences`. */
export const journalSequencesSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`JournalSequences (${name})`, ports, options, (it) => {
    it.effect("are those of the entries of a transaction, in their order", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        const write = transaction.run(org, () =>
          Effect.zipRight(
            record(org, "a", "b", "c"),
            transaction.run(org, () => record(org, "d"))
          )
        )
        deepStrictEqual(yield* kindsOf(org, write), ["a", "b", "c", "d"])
      })
    )

    it.effect("are there after the next read of the transaction", () =>
      Effect.gen(function* () {
        const store = yield* JournalStore
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        const [places, entries] = yield* transaction.run(org, () =>
          Effect.gen(function* () {
            const places = yield* store.appendAll(["a", "b"].map((kind) => draftOf(org, kind)))
            const entries = yield* store.listAfter({ org, after: 0, limit: 9 })
            return [places.map(({ sequence }) => sequence), entries] as const
          })
        )
        deepStrictEqual(
          places,
          entries.map(({ sequence }) => sequence)
        )
        deepStrictEqual(yield* store.appendAll([]), [])
      })
    )

    it.effect("leave out entries of a nested transaction that was undone", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        const endings = [Effect.fail("no"), Effect.die("a bug"), Effect.interrupt]
        const undone = Effect.forEach(endings, (end) =>
          Effect.exit(transaction.run(org, () => Effect.zipRight(record(org, "x", "y"), end)))
        )
        const write = transaction.run(org, () =>
          record(org, "a").pipe(Effect.zipRight(undone), Effect.zipRight(record(org, "b", "c")))
        )
        deepStrictEqual(yield* kindsOf(org, write), ["a", "b", "c"])
      })
    )

    it.effect("leave out entries of a transaction that was undone", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        const undone = transaction.run(org, () =>
          Effect.zipRight(record(org, "x"), Effect.fail("no"))
        )
        const write = Effect.zipRight(
          Effect.either(undone),
          transaction.run(org, () => record(org, "a"))
        )
        deepStrictEqual(yield* kindsOf(org, write), ["a"])
      })
    )

    it.effect("are those of the last run of a transaction that meets a conflict", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const owner = yield* Fixture.org
        const [one, two] = [yield* Fixture.flow(owner, "one"), yield* Fixture.flow(owner, "two")]
        const [left, right] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const write = (kind: string, locks: ReturnType<typeof lockBoth>) =>
          kindsOf(
            owner.id,
            transaction.run(owner.id, () =>
              record(owner.id, `${kind} 1`).pipe(
                Effect.zipRight(locks),
                Effect.zipRight(record(owner.id, `${kind} 2`))
              )
            )
          )
        const written = yield* Effect.all(
          [
            write("left", lockBoth([one, two], { mine: left, other: right })),
            write("right", lockBoth([two, one], { mine: right, other: left }))
          ],
          { concurrency: "unbounded" }
        )
        deepStrictEqual(written, [
          ["left 1", "left 2"],
          ["right 1", "right 2"]
        ])
      })
    )

    it.effect("are not kept where the caller does not ask", () =>
      Effect.gen(function* () {
        const transaction = yield* Transaction
        const { id: org } = yield* Fixture.org
        yield* transaction.run(org, () => record(org, "a"))
        assert.isUndefined(yield* JournalSequences.JournalSequences)
      })
    )
  })
