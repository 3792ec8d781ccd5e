/** Serves the operations of artifacts. */
import { Artifacts } from "@attestry/core/Artifacts"
import * as Effect from "effect/Effect"
import { created } from "../shared/Exchange.js"
import { group } from "../shared/Handlers.js"
import { toWire } from "../shared/WireErrors.js"
import { ArtifactApi } from "./ArtifactApi.js"

/** Serves the operations of artifacts. */
export const ArtifactHandlers = group(
  ArtifactApi,
  Effect.map(Artifacts, (artifacts) => ({
    // SPEC §4.3: 201 also for a report that was there already.
    report: ({ path, payload }) =>
      artifacts
        .report(path.org, path.flow_name, payload)
        .pipe(toWire, Effect.as(created("OK" as const)))
  }))
)
