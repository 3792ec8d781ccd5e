/**
 * The gate in front of beta features: asked on each request, with everything that could decide about it.
 * DECISION A-13
 */
import type { Actor } from "@attestry/core/Actor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A feature that is not everybody's yet. */
export type Feature = "controls"

/** A request for a feature. */
export interface FlagQuestion {
  readonly feature: Feature
  readonly org: string
  readonly actor: Actor
  /** Every value that a header has. */
  readonly headers: (name: string) => ReadonlyArray<string>
}

/** What is asked for each request. */
export interface Flags {
  /** Nothing where the gate is open; where it is closed, how to open it. */
  readonly closed: (question: FlagQuestion) => Effect.Effect<Option.Option<string>>
}

/** The header by which a caller asks for beta features, separated by commas. */
export const HEADER = "X-Beta-Features"

/** How a deployment opens a feature: to everybody, to nobody, or to those who ask for it. */
export type Mode = "on" | "off" | "header"

const asksFor = ({ feature, headers }: FlagQuestion): boolean =>
  headers(HEADER.toLowerCase())
    .flatMap((value) => value.split(","))
    .some((word) => word.trim().toLowerCase() === feature)

/** The same gate for every org and actor; `how` says to operators how it is opened. */
export const byMode = (mode: Mode, how: string): Flags => ({
  closed: (question) => {
    if (mode === "on" || (mode === "header" && asksFor(question))) return OPEN
    return Effect.succeed(
      Option.some(
        mode === "header"
          ? `The feature '${question.feature}' is in beta: send the header ${HEADER}: ${question.feature}`
          : `The feature '${question.feature}' is in beta and not enabled here: ${how}`
      )
    )
  }
})

const OPEN = Effect.succeed(Option.none<string>())

/** The gate of this deployment; open unless the host says otherwise. */
export class FeatureFlags extends Context.Reference<FeatureFlags>()("@attestry/http/FeatureFlags", {
  defaultValue: () => byMode("on", "")
}) {}
