/** The contract: every operation, under the prefix `/api/v2`. SPEC §9.1 */
import * as HttpApi from "@effect/platform/HttpApi"
import * as OpenApi from "@effect/platform/OpenApi"
import { ArtifactApi } from "./artifact/ArtifactApi.js"
import { DeploymentApi } from "./deployment/DeploymentApi.js"
import { AllowListApi } from "./environment/AllowListApi.js"
import { EnvironmentApi } from "./environment/EnvironmentApi.js"
import { FlowApi } from "./flow/FlowApi.js"
import * as HttpError from "./shared/HttpError.js"
import { EventApi } from "./snapshot/EventApi.js"
import { ReportApi } from "./snapshot/ReportApi.js"
import { SnapshotApi } from "./snapshot/SnapshotApi.js"
import { TagApi } from "./tag/TagApi.js"
import { TrailApi } from "./trail/TrailApi.js"

/** The contract, which the handlers, the document and the client share. */
export class Api extends HttpApi.make("attestry")
  .add(FlowApi)
  .add(TrailApi)
  .add(ArtifactApi)
  .add(EnvironmentApi)
  .add(AllowListApi)
  .add(TagApi)
  .add(ReportApi)
  .add(SnapshotApi)
  .add(EventApi)
  .add(DeploymentApi)
  .addError(HttpError.BadRequest.Body)
  .addError(HttpError.Unauthorized.Body)
  .addError(HttpError.Forbidden.Body)
  .addError(HttpError.NotFound.Body)
  .addError(HttpError.Conflict.Body)
  .addError(HttpError.PayloadTooLarge.Body)
  .addError(HttpError.UnsupportedMediaType.Body)
  .addError(HttpError.TooManyRequests.Body)
  .addError(HttpError.Unavailable.Body)
  .prefix("/api/v2")
  .annotate(OpenApi.Title, "Attestry")
  .annotate(OpenApi.Version, "2.0")
  .annotate(
    OpenApi.Description,
    "Records software artifacts and the evidence about them, and what runs where; evaluates compliance."
  )
  .annotate(OpenApi.License, { name: "Apache-2.0" }) {}
