/** AC-12: what a person may not read is answered in the time of what never was. */
import { assert, beforeAll, it } from "vitest"
import { type CallOptions, onBothStores } from "../shared/TestServer.js"
import { HIDDEN, MISSING, partialWorld } from "./PartialWorld.js"

/** The requests of each side. */
const REQUESTS = 1_000

/** How far the medians may be apart. A difference that is there is there in every attempt; noise is not. */
const [APART, ATTEMPTS] = [0.05, 4]

const BOTH = [HIDDEN, MISSING] as const

const median = (values: ReadonlyArray<number>): number =>
  [...values].sort((left, right) => left - right)[values.length >> 1] ?? 0

const READS: ReadonlyArray<readonly [operation: string, of: (name: string) => CallOptions]> = [
  ["GET /flows/{org}/{flow_name}", (flow_name) => ({ path: { flow_name } })],
  [
    "GET /trails/{org}/{flow_name}/{trail_name}",
    (name) => ({ path: { flow_name: name, trail_name: name } })
  ],
  ["GET /environments/{org}/{env_name}", (env_name) => ({ path: { env_name } })],
  [
    "GET /snapshots/{org}/{env_name}/{snapshot_expression}",
    (env_name) => ({ path: { env_name, snapshot_expression: "-1" } })
  ],
  ["GET /policies/{org}/{name}", (name) => ({ path: { name } })],
  ["GET /controls/{org}/{identifier}", (identifier) => ({ path: { identifier } })]
]

onBothStores("the time of an answer about what is hidden", (server) => {
  const { pat, prepare } = partialWorld(server)

  beforeAll(prepare, 90_000)

  /** How far the medians of hidden and missing names are apart, as a part of the latter. */
  const difference = async (operation: string, of: (name: string) => CallOptions) => {
    const times = { [HIDDEN]: [] as number[], [MISSING]: [] as number[] }
    for (let turn = 0; turn < REQUESTS; turn++)
      for (const name of turn % 2 === 0 ? BOTH : [...BOTH].reverse()) {
        const began = performance.now()
        const { status } = await pat(operation, of(name))
        times[name].push(performance.now() - began)
        assert.strictEqual(status, 404, operation)
      }
    return Math.abs(median(times[HIDDEN]) / median(times[MISSING]) - 1)
  }

  for (const [operation, of] of READS)
    it(`of ${operation} is that of what never was`, async () => {
      const apart: Array<number> = []
      while (apart.length < ATTEMPTS && !apart.some((each) => each < APART))
        apart.push(await difference(operation, of))
      assert.isBelow(Math.min(...apart), APART, `medians apart: ${apart.join(", ")}`)
    }, 120_000)
})
