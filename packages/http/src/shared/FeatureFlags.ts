/** Feature flags for beta features, evaluated for each request. */
import type { Feature } from "@attestry/api/Operation"
import type { Actor } from "@attestry/core/Actor"
import * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"

/** A request for a feature. */
export interface FeatureRequest {
  readonly feature: Feature
  readonly org: string
  readonly actor: Actor
  /** Every value that a header has. */
  readonly headers: (name: string) => ReadonlyArray<string>
}

/** The flags of a deployment. */
export interface Flags {
  /** None where the feature is enabled; otherwise a message that says how to enable it. */
  readonly closed: (request: FeatureRequest) => Effect.Effect<Option.Option<string>>
}

/** The header with the beta features that the client requests, separated by commas. */
export const HEADER = "X-Beta-Features"

/** When a feature is enabled: always, never, or for requests with the header. */
export type Mode = "on" | "off" | "header"

const requests = ({ feature, headers }: FeatureRequest): boolean =>
  headers(HEADER.toLowerCase())
    .flatMap((value) => value.split(","))
    .some((word) => word.trim().toLowerCase() === feature)

/** The same mode for every org and actor; `how` tells operators how to enable the feature. */
export const byMode = (mode: Mode, how: string): Flags => ({
  closed: (request) => {
    if (mode === "on" || (mode === "header" && requests(request))) return OPEN
    return Effect.succeed(
      Option.some(
        mode === "header"
          ? `The feature '${request.feature}' is in beta: send the header ${HEADER}: ${request.feature}`
          : `The feature '${request.feature}' is in beta and not enabled here: ${how}`
      )
    )
  }
})

const OPEN = Effect.succeed(Option.none<string>())

/** The feature flags of this deployment; all features are enabled by default. */
export class FeatureFlags extends Context.Reference<FeatureFlags>()("@attestry/http/FeatureFlags", {
  defaultValue: () => byMode("on", "")
}) {}
