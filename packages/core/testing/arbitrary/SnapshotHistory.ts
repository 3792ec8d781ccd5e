/**
 * Histories of one environment: reports, policies, evidence and allow-lists, in any order.
 *
 * Reports repeat earlier ones about as often as they change something, and the clock sometimes stops or goes
 * back.
 */
import * as FastCheck from "effect/FastCheck"
import * as Generated from "../EnvironmentReport.js"
import type {
  Command,
  ModelFlowView,
  ModelPolicy,
  ModelUnit,
  Step
} from "../internal/model/EnvironmentWorld.js"

/** A running unit whose digest may be unknown. */
export const unit: FastCheck.Arbitrary<ModelUnit> = Generated.unit("cloudx-apps").map(
  ({ digests, creationTimestamp }) => ({ digests, creationTimestamp })
)

/** The units of one report. */
export const units: FastCheck.Arbitrary<ReadonlyArray<ModelUnit>> = FastCheck.array(unit, {
  maxLength: 5
})

const policy: FastCheck.Arbitrary<ModelPolicy> = FastCheck.constantFrom("provenance", "trail")

const view: FastCheck.Arbitrary<ModelFlowView> = FastCheck.record({
  flow: FastCheck.constantFrom("build", "release"),
  trail: FastCheck.constantFrom("t1", "t2"),
  slot: FastCheck.constant("shop"),
  artifact: FastCheck.constantFrom("r1", "r2"),
  status: FastCheck.constantFrom("COMPLIANT", "NON-COMPLIANT", "INCOMPLETE")
})

/** Reports of a few states, so that a later one often equals an earlier one. */
const commandOf = (states: ReadonlyArray<ReadonlyArray<ModelUnit>>): FastCheck.Arbitrary<Command> =>
  FastCheck.oneof(
    { weight: 5, arbitrary: FastCheck.constantFrom(...states).map(report) },
    { weight: 1, arbitrary: units.map(report) },
    {
      weight: 4,
      arbitrary: FastCheck.oneof(
        policy.map((name): Command => ({ _tag: "Attach", policy: name })),
        policy.map((name): Command => ({ _tag: "Detach", policy: name })),
        policy.map((name): Command => ({ _tag: "NewVersion", policy: name })),
        Generated.fingerprint.map((fingerprint): Command => ({ _tag: "Allow", fingerprint })),
        Generated.fingerprint.map((fingerprint): Command => ({ _tag: "Disallow", fingerprint })),
        FastCheck.record({ fingerprint: Generated.fingerprint, view }).map(
          (evidence): Command => ({ _tag: "Evidence", ...evidence })
        ),
        FastCheck.boolean().map((on): Command => ({ _tag: "Scaling", on }))
      )
    }
  )

const report = (reported: ReadonlyArray<ModelUnit>): Command => ({
  _tag: "Report",
  units: reported
})

const START = 1_777_550_810_000_000

/** The history of one environment. */
export const history: FastCheck.Arbitrary<ReadonlyArray<Step>> = FastCheck.array(units, {
  minLength: 1,
  maxLength: 3
})
  .chain((states) =>
    FastCheck.array(
      FastCheck.tuple(
        FastCheck.constantFrom(-1_000_000, -1, 0, 1, 500_000, 60_000_000),
        commandOf(states)
      ),
      { maxLength: 14 }
    )
  )
  .map((pairs) => {
    let at = START
    return pairs.map(([gap, command]) => {
      at += gap
      return { at, command }
    })
  })
