/** A dry run fails its transaction, so that it is rolled back, and gives the value or the failure of the write. */
import { assert, describe, it } from "@effect/vitest"
import { Effect, Exit, Layer } from "effect"
import { CurrentActor } from "../../src/access/Actor.js"
import { DryRuns } from "../../src/access/DryRuns.js"
import type { Org } from "../../src/org/Org.js"
import { OrgId, OrgName } from "../../src/shared/Identifier.js"
import { DryRun } from "../../src/shared/internal/DryRun.js"
import { Transaction } from "../../src/shared/Transaction.js"
import * as Fixture from "../../testing/Fixture.js"

const org: Org = { id: OrgId.make("org-1"), name: OrgName.make("acme"), created_at: Fixture.AT }

/** Transactions that write down how they end. */
const recording = () => {
  const ends: Array<"commit" | "rollback"> = []
  const layer = DryRuns.Default.pipe(
    Layer.provide(
      Layer.mock(Transaction, {
        run: (_, work) =>
          Effect.onExit(work({ now: Effect.succeed(Fixture.AT) }), (exit) =>
            Effect.sync(() => void ends.push(Exit.isSuccess(exit) ? "commit" : "rollback"))
          )
      })
    )
  )
  return { ends, layer }
}

const asReader = Effect.provideService(CurrentActor, Fixture.actor([org, "reader"]))

const run = <A, E, R>(name: string, write: Effect.Effect<A, E, R>) =>
  Effect.flatMap(DryRuns, (dryRuns) => dryRuns.run(OrgName.make(name), write))

describe("DryRuns.run", () => {
  it.effect("rolls a successful write back and gives its value", () => {
    const { ends, layer } = recording()
    return Effect.gen(function* () {
      assert.isTrue(yield* run("acme", DryRun))
      assert.isFalse(yield* DryRun)
      assert.deepStrictEqual(ends, ["rollback"])
    }).pipe(Effect.provide(layer), asReader)
  })

  it.effect("rolls a failed write back and gives its failure", () => {
    const { ends, layer } = recording()
    return Effect.gen(function* () {
      assert.strictEqual(yield* Effect.flip(run("acme", Effect.fail("refused"))), "refused")
      assert.deepStrictEqual(ends, ["rollback"])
    }).pipe(Effect.provide(layer), asReader)
  })

  it.effect("is denied in another org, without a transaction", () => {
    const { ends, layer } = recording()
    return Effect.gen(function* () {
      const failure = yield* Effect.flip(run("globex", Effect.void))
      assert.strictEqual(failure._tag, "AccessDenied")
      assert.deepStrictEqual(ends, [])
    }).pipe(Effect.provide(layer), asReader)
  })
})
