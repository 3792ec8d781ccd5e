/** Serves reports: digests the bytes first, and reads them only if they are new. DECISION S4 */
import type { PhysicalKind } from "@attestry/core/EnvironmentKind"
import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import * as FieldErrors from "@attestry/core/FieldErrors"
import type { EnvironmentName, OrgName } from "@attestry/core/Identifier"
import type { ReportBaseline } from "@attestry/core/ReportBaseline"
import * as ReportContent from "@attestry/core/ReportContent"
import { Secrets } from "@attestry/core/Secrets"
import { Snapshots } from "@attestry/core/Snapshots"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import { invalid } from "../../shared/HttpError.js"
import { type BodyPieces, type IncomingRequest, ok } from "../../shared/HttpMessage.js"
import { group } from "../../shared/internal/Handlers.js"
import { REPORT_BYTES_MAX } from "../../shared/internal/Operation.js"
import * as RequestBody from "../../shared/internal/RequestBody.js"
import { toWire } from "../../shared/internal/WireErrors.js"
import { ReportApi } from "../ReportApi.js"

interface ReportRequest {
  readonly incoming: IncomingRequest
  readonly path: { readonly org: OrgName; readonly env_name: EnvironmentName }
}

/** Reads a text that is not plain: only so is it known what it means, or what is wrong with it. */
const read = (kind: PhysicalKind, text: string) =>
  RequestBody.findProblems(text, EnvironmentReport.problemsOf(kind)).pipe(
    Effect.zipRight(RequestBody.parseText(text)),
    Effect.flatMap((value) =>
      Either.mapBoth(EnvironmentReport.decode(kind, value), {
        onLeft: ({ issue }) => invalid(FieldErrors.fromParseIssue(issue)),
        onRight: (report) => ReportContent.fromReport(kind, report)
      })
    )
  )

const contentOf = (kind: PhysicalKind, pieces: BodyPieces, before: Option.Option<ReportBaseline>) =>
  Effect.flatMap(RequestBody.decodePieces(pieces), (text) =>
    Option.match(ReportContent.fromText(kind, text, before), {
      onNone: () => read(kind, text),
      onSome: Effect.succeed
    })
  )

const accepted = ok("OK" as const)

/** Serves reports. */
export const ReportHandlers = group(
  ReportApi,
  Effect.gen(function* () {
    const snapshots = yield* Snapshots
    const secrets = yield* Secrets

    const accept =
      (kind: PhysicalKind) =>
      ({ incoming, path }: ReportRequest) =>
        toWire(
          Effect.flatMap(RequestBody.readPieces(incoming, REPORT_BYTES_MAX), (pieces) =>
            Effect.flatMap(secrets.digest(pieces), (bodyDigest) =>
              Effect.as(
                snapshots.report(path.org, path.env_name, {
                  kind,
                  bodyDigest,
                  content: (before) => Effect.suspend(() => contentOf(kind, pieces, before))
                }),
                accepted
              )
            )
          )
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
