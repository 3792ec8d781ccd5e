/** EXPO-1, EXPO-2 on the wire: exposures are what events tell, and their times what snapshots count. */
import { FastCheck } from "effect"
import { assert, it } from "vitest"
import { onEveryStore } from "../shared/TestServer.js"

const LETTERS = ["1", "2", "3"]
const ROWS = LETTERS.flatMap((letter) => ["app", "web"].map((name) => [name, letter] as const))

const print = (letter: string) => letter.repeat(64)

/** What runs, report after report. */
const reports = FastCheck.array(FastCheck.subarray(ROWS), { minLength: 6, maxLength: 14 })

interface Event {
  readonly type: string
  readonly artifact_name: string
  readonly sha256: string
  readonly snapshot_index: number
  readonly reported_at: number
}

interface Exposed {
  readonly name: string
  readonly fingerprint: string
  readonly first_index: number
  readonly last_index: number | null
  readonly from: number
  readonly to: number | null
  readonly seconds: number
}

interface Counted {
  readonly timestamp: number
  readonly artifact_compliance_count: Readonly<Record<"true" | "false" | "null", number>>
}

/** The exposures that events tell, oldest first. */
const told = (events: ReadonlyArray<Event>): ReadonlyArray<Omit<Exposed, "seconds">> =>
  events
    .filter(({ type }) => type.startsWith("started-"))
    .map((start) => {
      const exit = events.find(
        ({ artifact_name, sha256, snapshot_index, type }) =>
          type === "exited" &&
          artifact_name === start.artifact_name &&
          sha256 === start.sha256 &&
          snapshot_index > start.snapshot_index
      )
      return {
        name: start.artifact_name,
        fingerprint: start.sha256,
        first_index: start.snapshot_index,
        last_index: exit === undefined ? null : exit.snapshot_index - 1,
        from: start.reported_at,
        to: exit?.reported_at ?? null
      }
    })

const keyOf = ({ fingerprint, first_index, name }: Omit<Exposed, "seconds">) =>
  `${first_index} ${name} ${fingerprint}`

const inOrder = (exposures: ReadonlyArray<Omit<Exposed, "seconds">>) =>
  exposures
    .map(({ fingerprint, first_index, from, last_index, name, to }) => ({
      fingerprint,
      first_index,
      from,
      last_index,
      name,
      to
    }))
    .sort((left, right) => (keyOf(left) < keyOf(right) ? -1 : 1))

onEveryStore("GET /exposure/{org}, laws", ({ call }) => {
  const read = async (env_name: string) => {
    const path = { env_name }
    const events = (
      await call("GET /environments/{org}/{env_name}/events", {
        path,
        query: "?reverse=true&per_page=100"
      })
    ).body as ReadonlyArray<Event>
    const listed = await call("GET /snapshots/{org}/{env_name}", { path, query: "?per_page=100" })
    const heads: Array<Counted> = []
    for (const { index } of listed.body as ReadonlyArray<{ readonly index: number }>) {
      const snapshot = { ...path, snapshot_expression: String(index) }
      const { body } = await call("GET /snapshots/{org}/{env_name}/{snapshot_expression}", {
        path: snapshot
      })
      heads.unshift(body as Counted)
    }
    const found: Array<Exposed> = []
    for (const letter of LETTERS) {
      const query = `?fingerprint=${print(letter)}&environment=${env_name}&per_page=100`
      const { body } = await call("GET /exposure/{org}", { query })
      found.push(...(body as { readonly exposures: ReadonlyArray<Exposed> }).exposures)
    }
    return { events, found, heads }
  }

  let count = 0
  it(
    "EXPO-1, EXPO-2: are what events tell, and run as long as snapshots count",
    {
      timeout: 300_000
    },
    () =>
      FastCheck.assert(
        FastCheck.asyncProperty(reports, async (all) => {
          count += 1
          const env_name = `law-${count}`
          await call("PUT /environments/{org}", { body: { name: env_name, type: "server" } })
          for (const rows of all)
            await call("PUT /environments/{org}/{env_name}/report/server", {
              path: { env_name },
              body: {
                artifacts: rows.map(([name, letter]) => ({
                  digests: { [name]: print(letter) },
                  creationTimestamp: 1
                }))
              }
            })
          const { events, found, heads } = await read(env_name)
          assert.deepStrictEqual(inOrder(found), inOrder(told(events)), "EXPO-1")
          const end = heads.at(-1)?.timestamp ?? 0
          const counted = heads.reduce(
            (sum, { artifact_compliance_count: rows, timestamp }, at) => {
              const until = heads[at + 1]?.timestamp ?? end
              return sum + (rows.true + rows.false + rows.null) * (until - timestamp)
            },
            0
          )
          const ran = found.reduce((sum, { from, to }) => sum + ((to ?? end) - from), 0)
          assert.closeTo(ran, counted, 1e-4, "EXPO-2")
        }),
        { numRuns: 8, endOnFailure: true }
      )
  )
})
