/** Reads a flow with its repository and its last deployment. SPEC §4.1 */

import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { type GrantedWithin, Reaches, readableIds } from "../access/Reaches.js"
import { ArtifactStore } from "../artifact/ArtifactStore.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import { type Flow, FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import { Flows } from "../flow/Flows.js"
import type { FlowName, OrgId, OrgName } from "../shared/Identifier.js"
import { StoreError } from "../shared/StoreError.js"
import type { Timestamp } from "../shared/Timestamp.js"
import { ReadModels } from "../snapshot/ReadModels.js"
import * as AsOf from "./AsOf.js"
import { HistoryStore } from "./HistoryStore.js"
import { versionAt } from "./internal/VersionAt.js"
import * as NamesAsOf from "./NamesAsOf.js"

/** A flow with its repository and its last deployment. */
export interface FlowOverview {
  readonly flow: Flow
  /** The URL of the repository of its newest artifact; empty if there is none. */
  readonly repoUrl: string
  /** When one of its artifacts was last deployed; null if none was. */
  readonly lastDeploymentAt: Timestamp | null
  /** Set if the read is as of an instant. */
  readonly asOf?: Timestamp
}

const NEWEST = { page: 1, perPage: 1 }

/** Use cases: overviews of flows. */
export class FlowOverviews extends Effect.Service<FlowOverviews>()("@attestry/core/FlowOverviews", {
  effect: Effect.gen(function* () {
    const flows = yield* Flows
    const artifacts = yield* ArtifactStore
    const deployments = yield* ReadModels
    const history = yield* HistoryStore
    const templates = yield* FlowStore
    const names = yield* NamesAsOf.make
    const reaches = yield* Reaches
    const environments = yield* EnvironmentStore

    const find = (org: OrgName, orgId: OrgId, name: FlowName) =>
      Effect.gen(function* () {
        const flow = yield* flows.get(org, name)
        const [newest] = yield* artifacts.list({ org: orgId, flow: flow.id }, NEWEST)
        return { flow, repoUrl: newest?.report.repo_url ?? "" }
      })

    /** The environments whose deployments the caller sees; undefined for all. */
    const environmentsOf = (granted: GrantedWithin) => {
      const spaces = readableIds(granted)
      return spaces === undefined
        ? Effect.succeed(undefined)
        : Effect.map(environments.list(granted.orgId, undefined, spaces), (found) =>
            found.map(({ id }) => id)
          )
    }

    const deployedAt = (granted: GrantedWithin, flow: Flow, asOf?: Timestamp) =>
      Effect.gen(function* () {
        const within = yield* environmentsOf(granted)
        const found = yield* deployments.newestDeployment(granted.orgId, {
          flow: flow.id,
          ...(within === undefined ? {} : { environments: within }),
          ...(asOf === undefined ? {} : { to: asOf, archivedBy: asOf })
        })
        return Option.getOrNull(Option.map(found, ({ event }) => event.timestamp))
      })

    /** The name, tags and template of a flow at an instant; fails if it was created later. */
    const flowAt = (orgId: OrgId, flow: Flow, asOf: Timestamp) =>
      Effect.gen(function* () {
        const versions = (yield* history.flowVersions(orgId, [flow.id])).get(flow.id) ?? []
        const version = versionAt(versions, asOf)
        if (version === undefined)
          return yield* new AsOf.NotYetThere({ noun: "Flow", name: flow.name, asOf })
        const { archived_at, at, name, tags, template_id } = version
        const template = yield* templates.findTemplate(orgId, template_id)
        if (Option.isNone(template))
          return yield* new StoreError({
            operation: "FlowOverviews.get",
            cause: new Error("the template is missing")
          })
        const { content } = template.value
        return {
          ...flow,
          archived_at,
          name,
          tags,
          template_id,
          template: content,
          last_modified_at: at
        } satisfies Flow
      })

    /** The flow with a name, now or as of an instant; fails if there is none, or if it was created later. */
    const get = Effect.fn("FlowOverviews.get")(function* (
      org: OrgName,
      name: FlowName,
      asked?: AsOf.AsOf | undefined
    ) {
      const granted = yield* reaches.authorize(org, "org.read")
      const { orgId } = granted
      const moment = asked === undefined ? undefined : yield* names.momentOf(orgId, asked)
      if (moment?.isEarlier !== true) {
        const found = yield* find(org, orgId, name)
        return {
          ...found,
          lastDeploymentAt: yield* deployedAt(granted, found.flow),
          ...(moment === undefined ? {} : { asOf: moment.asOf })
        } satisfies FlowOverview
      }
      const { asOf } = moment
      const found = yield* Effect.catchTag(
        find(org, orgId, yield* names.flow(orgId, name, asOf)),
        "FlowNotFound",
        // A flow that the caller does not read answers as an unknown one, under the name that was asked for.
        () => new FlowNotFound({ org, flow: name })
      )
      return {
        ...found,
        flow: yield* flowAt(orgId, found.flow, asOf),
        lastDeploymentAt: yield* deployedAt(granted, found.flow, asOf),
        asOf
      } satisfies FlowOverview
    })

    return { get } as const
  })
}) {}
