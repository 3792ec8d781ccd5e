/**
 * The whole edge as one function: a request in, an answer out. The host owes the use cases, and decides
 * how requests arrive (`WebHandler`, `node/NodeServer`).
 */
import * as Effect from "effect/Effect"
import { Api } from "./Api.js"
import { ApiKeyHandlers } from "./api-key/ApiKeyHandlers.js"
import { ApprovalHandlers } from "./approval/ApprovalHandlers.js"
import { ArtifactHandlers } from "./artifact/ArtifactHandlers.js"
import { AttestationHandlers } from "./attestation/AttestationHandlers.js"
import { AttestationTypeHandlers } from "./attestation-type/AttestationTypeHandlers.js"
import { ControlHandlers } from "./control/ControlHandlers.js"
import { DeploymentHandlers } from "./deployment/DeploymentHandlers.js"
import { AllowListHandlers } from "./environment/AllowListHandlers.js"
import { EnvironmentHandlers } from "./environment/EnvironmentHandlers.js"
import { FlowHandlers } from "./flow/FlowHandlers.js"
import { MembershipHandlers } from "./membership/MembershipHandlers.js"
import { UserHandlers } from "./membership/UserHandlers.js"
import * as StaticRoutes from "./meta/StaticRoutes.js"
import { EnvironmentNotificationHandlers } from "./notification/EnvironmentNotificationHandlers.js"
import { NotificationConfigHandlers } from "./notification/NotificationConfigHandlers.js"
import { PolicyHandlers } from "./policy/PolicyHandlers.js"
import { RepoHandlers } from "./repo/RepoHandlers.js"
import { SearchHandlers } from "./search/SearchHandlers.js"
import { ServiceAccountHandlers } from "./service-account/ServiceAccountHandlers.js"
import { SessionHandlers } from "./session/SessionHandlers.js"
import * as Dispatcher from "./shared/Dispatcher.js"
import * as RouteTable from "./shared/RouteTable.js"
import { AssertionHandlers } from "./snapshot/AssertionHandlers.js"
import { EventHandlers } from "./snapshot/EventHandlers.js"
import { ReportHandlers } from "./snapshot/ReportHandlers.js"
import { SnapshotHandlers } from "./snapshot/SnapshotHandlers.js"
import { TagHandlers } from "./tag/TagHandlers.js"
import { TrailHandlers } from "./trail/TrailHandlers.js"

/** What a host may add to the API. */
export interface ServerOptions {
  /** More open paths, such as the documentation page. */
  readonly pages?: StaticRoutes.StaticRoutes
  /** Brings metrics of the host up to date; runs before each answer of `/metrics`. */
  readonly measure?: Effect.Effect<void>
}

/** Builds the function that serves every request. */
export const make = (options: ServerOptions = {}) =>
  Effect.gen(function* () {
    const groups = yield* Effect.all([
      FlowHandlers,
      TrailHandlers,
      ArtifactHandlers,
      AttestationHandlers,
      AttestationTypeHandlers,
      ApprovalHandlers,
      ControlHandlers,
      SearchHandlers,
      RepoHandlers,
      TagHandlers,
      PolicyHandlers,
      EnvironmentHandlers,
      AllowListHandlers,
      ReportHandlers,
      SnapshotHandlers,
      NotificationConfigHandlers,
      EnvironmentNotificationHandlers,
      AssertionHandlers,
      ServiceAccountHandlers,
      ApiKeyHandlers,
      MembershipHandlers,
      UserHandlers,
      SessionHandlers,
      EventHandlers,
      DeploymentHandlers
    ])
    const plain = new Map([
      ...(yield* StaticRoutes.make(options.measure)),
      ...(options.pages ?? [])
    ])
    return yield* Dispatcher.make(RouteTable.routesOf(Api), groups, plain)
  })
