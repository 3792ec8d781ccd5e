/** Snapshots by expression for use cases: the one that an expression means, as it is stored, or the error. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Granted } from "../access/Access.js"
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import * as Environment from "../environment/Environment.js"
import type { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import * as Snapshot from "./Snapshot.js"
import * as SnapshotExpression from "./SnapshotExpression.js"
import type { SnapshotStore } from "./SnapshotStore.js"

/** Which snapshot is looked for. */
export interface AskedSnapshot {
  readonly environment: Environment.Environment
  readonly expression: SnapshotExpression.SnapshotExpression
  /** The moment of asking. */
  readonly now: Timestamp
  /** Only rows of these fingerprints are read; all where it is absent. */
  readonly only?: ReadonlyArray<ReportedFingerprint>
}

/** The snapshot that an expression means. */
export const locate = (
  store: Pick<SnapshotStore["Type"], "find" | "latest">,
  granted: Granted,
  { environment, expression, now, only }: AskedSnapshot
): Effect.Effect<Snapshot.Snapshot, Snapshot.SnapshotNotFound | StoreError> =>
  Effect.gen(function* () {
    const ref = Environment.ref(environment)
    const latestIndex = Option.match(yield* store.latest(ref), {
      onNone: () => 0,
      onSome: ({ index }) => index
    })
    const missing = (index: number) =>
      new Snapshot.SnapshotNotFound({
        org: granted.org,
        environment: environment.name,
        expression: SnapshotExpression.print(expression),
        index,
        latestIndex
      })
    const locator = yield* Either.mapLeft(
      SnapshotExpression.locate(expression, { now, latestIndex }),
      ({ index }) => missing(index)
    )
    return yield* Effect.flatMap(
      store.find(ref, locator, only),
      Either.fromOption(() => missing(0))
    )
  })
