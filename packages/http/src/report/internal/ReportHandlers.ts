/**
 * Serves reports: digests the bytes first, and makes a text of them only if they are new. DECISIONS.md, "Unchanged
 * reports touch one row"
 */
import { REPORT_BYTES_MAX } from "@attestry/api/Operation"
import { ReportApi } from "@attestry/api/ReportApi"
import type { PhysicalKind } from "@attestry/core/EnvironmentKind"
import type { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import { Reports } from "@attestry/core/Reports"
import { Secrets } from "@attestry/core/Secrets"
import * as Effect from "effect/Effect"
import { type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import * as RequestBody from "../../shared/internal/RequestBody.js"
import { toWire } from "../../shared/internal/WireErrors.js"

interface ReportRequest {
  readonly incoming: IncomingRequest
  readonly path: { readonly org: OrgName; readonly env_name: EnvironmentName }
}

const accepted = ok("OK" as const)

/** Serves reports. */
export const ReportHandlers = group(
  ReportApi,
  Effect.gen(function* () {
    const reports = yield* Reports
    const secrets = yield* Secrets

    const accept =
      (kind: PhysicalKind) =>
      ({ incoming, path }: ReportRequest) =>
        toWire(
          Effect.gen(function* () {
            const pieces = yield* RequestBody.readPieces(incoming, REPORT_BYTES_MAX)
            const bodyDigest = yield* secrets.digest(pieces)
            const text = Effect.suspend(() => RequestBody.decodePieces(pieces))
            yield* reports.accept(path.org, path.env_name, { kind, bodyDigest, text })
            return accepted
          })
        )

    return {
      K8S: accept("K8S"),
      "container-tasks": accept("container-tasks"),
      "object-store": accept("object-store"),
      functions: accept("functions"),
      server: accept("server"),
      docker: accept("docker"),
      "cloudx-apps": accept("cloudx-apps"),
      "serverless-run": accept("serverless-run")
    }
  })
)
