/** `DeniedAttemptStore` in memory. */
import { type DeniedAttempt, minuteOf, RETENTION_SECONDS } from "@attestry/core/DeniedAttempt"
import { DeniedAttemptStore } from "@attestry/core/DeniedAttemptStore"
import * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as HashMap from "effect/HashMap"
import * as Layer from "effect/Layer"
import { key, MemoryState, table } from "../shared/MemoryState.js"

const attempts = table<DeniedAttempt>("denied_attempt")

/** `DeniedAttemptStore` in memory. */
export const layer: Layer.Layer<DeniedAttemptStore, never, MemoryState> = Layer.effect(
  DeniedAttemptStore,
  Effect.map(MemoryState, (state) => ({
    insert: (draft) =>
      state.transaction((now) => {
        const attempt: DeniedAttempt = { ...draft, at: now }
        const place = key(draft.actor.id, draft.operation, minuteOf(now))
        const oldest = Timestamp.plusSeconds(now, -RETENTION_SECONDS)
        return state.modify(attempts, (rows) =>
          HashMap.has(rows, place)
            ? [false, rows]
            : [
                true,
                HashMap.set(
                  HashMap.filter(rows, ({ at }) => at >= oldest),
                  place,
                  attempt
                )
              ]
        )
      }),
    list: ({ org, limit }) =>
      Effect.map(state.read(attempts), (rows) =>
        Array.from(HashMap.values(rows))
          .filter((attempt) => org === undefined || attempt.org === org)
          .sort((left, right) => right.at - left.at)
          .slice(0, limit)
      )
  }))
)
