/** Every use case of policy authors in one layer, on the use cases and the store of core. */
import { PolicySets } from "@attestry/core/PolicySets"
import type { Ports } from "@attestry/core/Ports"
import { RowEvidence } from "@attestry/core/RowEvidence"
import { UpToDateEnvironments } from "@attestry/core/UpToDateEnvironments"
import type { UseCases } from "@attestry/core/UseCases"
import * as Layer from "effect/Layer"
import { PolicyAuthoring } from "./authoring/PolicyAuthoring.js"
import { PolicyPreviews } from "./authoring/PolicyPreviews.js"
import { Backtests } from "./backtest/Backtests.js"
import { HistoryParts } from "./backtest/internal/HistoryParts.js"
import { PolicyCandidates } from "./dry-run/internal/PolicyCandidates.js"
import { PolicyDryRuns } from "./dry-run/PolicyDryRuns.js"
import { AssertionRemedies } from "./remedy/AssertionRemedies.js"
import { PolicySuggestions } from "./suggestion/PolicySuggestions.js"

/** Every use case of policy authors. */
export type PolicyLab =
  | AssertionRemedies
  | Backtests
  | PolicyAuthoring
  | PolicyDryRuns
  | PolicyPreviews
  | PolicySuggestions

/** Every use case of policy authors. WHY no second set of policies: a layer that core provides too is built once. */
export const layer: Layer.Layer<PolicyLab, never, UseCases | Ports> = Layer.mergeAll(
  AssertionRemedies.Default,
  Backtests.Default.pipe(Layer.provide(HistoryParts.Default)),
  PolicyDryRuns.Default,
  PolicyPreviews.Default,
  PolicySuggestions.Default
).pipe(
  Layer.provideMerge(PolicyAuthoring.Default),
  Layer.provide(
    Layer.mergeAll(
      PolicyCandidates.Default,
      PolicySets.Default,
      RowEvidence.Default,
      UpToDateEnvironments.Default
    )
  )
)
