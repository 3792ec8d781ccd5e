/**
 * The server processes on the store: this one tells that it lives, and reads which others do.
 *
 * Both in the background, every few seconds: a request reads what is known here. While the store is away, what was
 * known last stays, so that limits stay divided.
 */
import { IdGenerator } from "@attestry/core/IdGenerator"
import { SEMANTICS } from "@attestry/core/PolicySemantics"
import {
  FORGOTTEN_AFTER_MILLIS,
  GONE_AFTER_MILLIS,
  type ProcessRole,
  SEEN_EVERY_MILLIS,
  type ServerProcess,
  type ServerProcessDraft
} from "@attestry/core/ServerProcess"
import { ServerProcessStore } from "@attestry/core/ServerProcessStore"
import * as Effect from "effect/Effect"
import * as Fiber from "effect/Fiber"
import * as Metric from "effect/Metric"
import type * as Scope from "effect/Scope"
import * as Version from "./Version.js"

/** How long a process that ends waits for its row to be removed; a row that stays is soon that of a process gone. */
const REMOVED_WITHIN = "2 seconds"

const processes = Metric.gauge("attestry_server_processes", {
  description: "Server processes that live, by role and release, as this one has seen them last"
})

const keyOf = ({ role, release }: ServerProcess): string => `${role} ${release}`

/** Counts by role and release; those that were counted before and are not there any more become zero. */
const makeMeasure = () => {
  const gauges = new Map<string, Metric.Metric.Gauge<number>>()
  return (live: ReadonlyArray<ServerProcess>): Effect.Effect<void> => {
    const counts = new Map([...gauges.keys()].map((key) => [key, 0]))
    for (const process of live) {
      const [key, { role, release }] = [keyOf(process), process]
      counts.set(key, (counts.get(key) ?? 0) + 1)
      if (gauges.has(key)) continue
      const ofRole = Metric.tagged(processes, "role", role)
      gauges.set(key, Metric.tagged(ofRole, "release", release))
    }
    return Effect.forEach(gauges, ([key, gauge]) => Metric.set(gauge, counts.get(key) ?? 0), {
      discard: true
    })
  }
}

/** What is known of the processes on the store. */
export class ServerProcesses extends Effect.Service<ServerProcesses>()(
  "@attestry/server/ServerProcesses",
  {
    sync: () => {
      const known: { live: ReadonlyArray<ServerProcess> } = { live: [] }
      const ofRole = (wanted: ProcessRole): number =>
        known.live.filter(({ role }) => role === wanted).length
      return {
        /** How many processes share the limits of one of a role: those of its role, itself among them. */
        count: (role: ProcessRole): number => Math.max(1, ofRole(role)),
        /** Whether a reader lives. */
        hasReader: (): boolean => ofRole("reader") > 0,
        /** Takes what the store has said. */
        know: (live: ReadonlyArray<ServerProcess>): void => {
          known.live = live
        }
      } as const
    }
  }
) {}

const newDraft = (role: ProcessRole) =>
  Effect.map(
    Effect.flatMap(IdGenerator, ({ next }) => next),
    (id): ServerProcessDraft => ({
      id,
      release: Version.read(),
      role,
      forms: { decisions: SEMANTICS }
    })
  )

/** Tells the store that this process lives, at once and every few seconds, until the scope closes. */
export const start = (
  role: ProcessRole
): Effect.Effect<void, never, IdGenerator | ServerProcesses | ServerProcessStore | Scope.Scope> =>
  Effect.gen(function* () {
    const [store, { know }] = [yield* ServerProcessStore, yield* ServerProcesses]
    const draft = yield* newDraft(role)
    const measure = makeMeasure()
    const tell = Effect.gen(function* () {
      yield* store.put(draft, FORGOTTEN_AFTER_MILLIS)
      const live = yield* store.list(GONE_AFTER_MILLIS)
      know(live)
      yield* measure(live)
    }).pipe(
      Effect.catchTag("StoreError", (error) =>
        Effect.logWarning("could not tell the store that this process lives", error)
      )
    )
    yield* tell
    const telling = yield* Effect.forkDaemon(
      Effect.forever(Effect.zipRight(Effect.sleep(SEEN_EVERY_MILLIS), tell))
    )
    // WHY in this order: a row that is written after its removal would stay.
    yield* Effect.addFinalizer(() =>
      Fiber.interrupt(telling).pipe(
        Effect.zipRight(store.remove(draft.id)),
        Effect.interruptible,
        Effect.disconnect,
        Effect.timeout(REMOVED_WITHIN),
        // WHY ignored: a store that is away forgets the row later.
        Effect.ignore
      )
    )
  })
