/** Events of an environment, with names and addresses that a spreadsheet would run as formulas. */
import * as EnvironmentEvent from "@attestry/core/EnvironmentEvent"
import { EnvironmentName } from "@attestry/core/Identifier"
import * as Timestamp from "@attestry/core/Timestamp"
import type { Verdict } from "@attestry/core/Verdict"
import * as FastCheck from "effect/FastCheck"
import * as Reports from "../EnvironmentReport.js"
import { hostile } from "./Text.js"

const verdict = FastCheck.constantFrom<Array<Verdict>>("Compliant", "NonCompliant", "Unknown")

const maybeText = FastCheck.option(hostile, { nil: null })

/** A kind of event with matching counts. */
const happening = FastCheck.tuple(
  FastCheck.constantFrom(...EnvironmentEvent.EventKind.literals),
  FastCheck.integer({ min: 1, max: 4 }),
  FastCheck.integer({ min: 1, max: 4 })
).map(([kind, before, after]) => ({
  kind,
  was: EnvironmentEvent.classOf(kind) === "started" ? 0 : before,
  now: kind === "exited" ? 0 : after
}))

/** One event. */
export const environmentEvent: FastCheck.Arbitrary<EnvironmentEvent.EnvironmentEvent> =
  FastCheck.record({
    snapshotIndex: FastCheck.integer({ min: 1, max: 5 }),
    at: FastCheck.integer({ min: 0, max: 2_000_000_000_000_000 }).map(Timestamp.fromMicros),
    name: FastCheck.oneof(Reports.artifactName, hostile),
    fingerprint: Reports.reportedFingerprint,
    verdict,
    snapshotVerdict: verdict,
    flowNames: FastCheck.uniqueArray(FastCheck.constantFrom("build", "release"), { maxLength: 2 }),
    repoNames: FastCheck.uniqueArray(FastCheck.constantFrom("acme/shop", "acme/web")),
    gitCommit: FastCheck.constantFrom("c".repeat(40), null),
    commitUrl: maybeText,
    diffUrl: maybeText,
    happening
  }).map(({ happening: happened, ...event }) => ({
    environment: EnvironmentName.make("prod"),
    ...event,
    ...happened
  }))
