/** A timeline of very many snapshots is answered quickly, whole and zoomed. */

import { Effect, Option } from "effect"
import { assert, beforeAll, it } from "vitest"
import { TestDatabase } from "../../../sql-store/test/shared/PgLayer.js"
import { onBothStores } from "../shared/TestServer.js"

const SNAPSHOTS = 100_000
/** WHY so long: the budget is 150 ms on a quiet machine, which `bench timeline` measures; tests share theirs. */
const ANSWER_MS_MAX = 3_000

/** One snapshot a minute, of which every tenth fails for a second. */
const FILL = `insert into attestry.snapshot (org_id, environment_id, index, timestamp, verdict, count_true,
    count_false, count_null, bucket, changes, events_total, commit_position, semantics)
  select e.org_id, e.environment_id, i, (1700000000 + (i / 2) * 60 + i % 2) * 1000000::int8,
    case when i % 20 = 0 then 'NonCompliant' else 'Compliant' end, 1, 0, 0, 0, 0, 0, i, 1
  from attestry.environment e cross join generate_series(1, ${SNAPSHOTS}) i where e.name = 'long'`

const sum = (numbers: ReadonlyArray<number>) => numbers.reduce((total, each) => total + each, 0)

onBothStores("the timeline of a long history", ({ call, run }) => {
  const path = { env_name: "long" }
  let isFilled = false

  beforeAll(async () => {
    await call("PUT /environments/{org}", { body: { name: "long", type: "server" } })
    const database = await run(Effect.serviceOption(TestDatabase))
    if (Option.isNone(database)) return
    // WHY: a failure to fill the database is a defect of the test.
    await run(Effect.orDie(database.value.query(FILL)))
    isFilled = true
  }, 120_000)

  it.each([
    ["whole", 1_700_000_000, 1_700_000_000 + 50_000 * 60],
    ["of a day", 1_701_000_000, 1_701_086_400]
  ])("is answered quickly, %s", { timeout: 60_000 }, async (name, from, to) => {
    if (!isFilled) return
    const query = `?from=${from}&to=${to}&buckets=2000`
    await call("GET /snapshots/{org}/{env_name}/timeline", { path, query })
    const start = performance.now()
    const { body } = await call("GET /snapshots/{org}/{env_name}/timeline", { path, query })
    const took = performance.now() - start
    process.stdout.write(`timeline ${name}: ${took.toFixed(0)} ms\n`)
    assert.isBelow(took, ANSWER_MS_MAX)
    const shown = body as { readonly [name: string]: ReadonlyArray<number> }
    const times = [shown.compliant, shown.non_compliant, shown.unknown].map((each) =>
      sum(each ?? [])
    )
    assert.closeTo(sum(times), to - from, 70)
    assert.isAbove(times[1] ?? 0, 0)
  })
})
