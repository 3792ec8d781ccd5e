/** Appending a snapshot of very many changed rows leaves turns of the event loop to other work. */

import { readFileSync } from "node:fs"
import { ref } from "@attestry/core/Environment"
import { SnapshotStore } from "@attestry/core/SnapshotStore"
import type { StoreError } from "@attestry/core/StoreError"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as LargeSnapshot from "@attestry/core/testing/LargeSnapshot"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import * as PgLayer from "../shared/PgLayer.js"

/** The CPU time of this thread in milliseconds: other processes do not count. Linux tells it. */
const cpuMillis = () =>
  Number(readFileSync("/proc/thread-self/schedstat", "utf8").split(" ")[0]) / 1e6

/** The longest time of this thread between two turns of the event loop, in milliseconds. */
const blockedBy = (work: Effect.Effect<void, StoreError>) =>
  Effect.promise(async () => {
    let [last, longest] = [cpuMillis(), 0]
    const look = () => {
      const now = cpuMillis()
      longest = Math.max(longest, now - last)
      last = now
    }
    const timer = setInterval(look, 1)
    await Effect.runPromise(work)
    look()
    clearInterval(timer)
    return longest
  })

/** The largest body of a report has room for 140,000 rows. */
const ROWS = process.env.ATTESTRY_FAULTS === "1" ? 140_000 : 20_000

const TURN_MS_MAX = 50

it.live(
  `appends ${ROWS} rows`,
  () =>
    Effect.gen(function* () {
      const store = yield* SnapshotStore
      const environment = ref(yield* Fixture.environment(yield* Fixture.org))
      for (const draft of LargeSnapshot.replaced(ROWS)) {
        const longest = yield* blockedBy(store.append(environment, draft))
        assert.isBelow(longest, TURN_MS_MAX, `snapshot ${draft.index}`)
      }
    }).pipe(Effect.provide(PgLayer.layer)),
  300_000
)
