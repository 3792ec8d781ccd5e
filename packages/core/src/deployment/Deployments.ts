/** Lists deployments and finds one. SPEC §4.12, DECISION A-11 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import { type Fingerprint, isKnown } from "../artifact/Fingerprint.js"
import { EnvironmentStore } from "../environment/EnvironmentStore.js"
import * as EnvironmentLookup from "../environment/internal/EnvironmentLookup.js"
import { FlowNotFound } from "../flow/Flow.js"
import { FlowStore } from "../flow/FlowStore.js"
import {
  EnvironmentId,
  type EnvironmentName,
  type FlowId,
  type FlowName,
  type OrgId,
  type OrgName
} from "../shared/Identifier.js"
import type { Page, Paged } from "../shared/Page.js"
import { toBoolean } from "../shared/Verdict.js"
import { ProvenanceStore } from "../snapshot/ProvenanceStore.js"
import * as Deployment from "./Deployment.js"
import { type DeploymentKey, DeploymentStore, type StoredDeployment } from "./DeploymentStore.js"

/** Which deployments are listed, by name. */
export interface DeploymentQuery {
  readonly environment?: EnvironmentName
  readonly flow?: FlowName
  readonly fingerprint?: Fingerprint
}

const ID = /^([0-9a-zA-Z-]{1,64})\.([0-9]{1,9})\.([0-9]{1,9})$/

const printId = ({ environmentId, event }: StoredDeployment): string =>
  `${environmentId}.${event.index}.${event.position}`

const parseId = (text: string): Option.Option<DeploymentKey> => {
  const [, environment, index, position] = ID.exec(text) ?? []
  return environment === undefined
    ? Option.none()
    : Option.some({
        environment: EnvironmentId.make(environment),
        index: Number(index),
        position: Number(position)
      })
}

const toDeployment =
  (names: ReadonlyMap<FlowId, FlowName>) =>
  (stored: StoredDeployment): ReadonlyArray<Deployment.Deployment> => {
    const { index, timestamp, row } = stored.event
    if (!isKnown(row.fingerprint)) return []
    const [primary] = row.flows
    return [
      {
        id: printId(stored),
        environment: stored.environmentName,
        fingerprint: row.fingerprint,
        name: row.name,
        flow_name: primary === undefined ? null : (names.get(primary.flow_id) ?? null),
        trail_name: primary?.trail_name ?? null,
        git_commit: primary?.git_commit ?? null,
        commit_url: primary?.commit_url ?? null,
        snapshot_index: index,
        deployed_at: timestamp,
        lead_time_seconds: Deployment.leadTimeSeconds(
          timestamp,
          primary?.first_reported_at ?? null
        ),
        compliant: toBoolean(row.verdict),
        replaced:
          primary === undefined || primary.previous === null
            ? null
            : { name: primary.previous.name, fingerprint: primary.previous.fingerprint }
      }
    ]
  }

/** Use cases of deployments. */
export class Deployments extends Effect.Service<Deployments>()("@attestry/core/Deployments", {
  effect: Effect.gen(function* () {
    const store = yield* DeploymentStore
    const environments = yield* EnvironmentStore
    const flows = yield* FlowStore
    const provenance = yield* ProvenanceStore

    const shown = (org: OrgId, stored: ReadonlyArray<StoredDeployment>) => {
      const ids = new Set(
        stored.flatMap(({ event }) => event.row.flows.map((view) => view.flow_id))
      )
      return Effect.map(provenance.flowNames(org, [...ids]), (names) =>
        stored.flatMap(toDeployment(names))
      )
    }

    const environmentId = (granted: Access.Granted, name: EnvironmentName | undefined) =>
      name === undefined
        ? Effect.succeed({})
        : Effect.map(
            Effect.flatMap(
              environments.findByName({ org: granted.orgId, name }),
              EnvironmentLookup.present(granted, name)
            ),
            ({ environment }) => ({ environment: environment.id })
          )

    const flowId = ({ org, orgId }: Access.Granted, name: FlowName | undefined) =>
      name === undefined
        ? Effect.succeed({})
        : Effect.map(
            Effect.flatMap(
              flows.findByName({ org: orgId, name }),
              Either.fromOption(() => new FlowNotFound({ org, flow: name }))
            ),
            ({ id }) => ({ flow: id })
          )

    /** One page of deployments, newest first. */
    const list = Effect.fn("Deployments.list")(function* (
      org: OrgName,
      { environment, flow, ...rest }: DeploymentQuery,
      page: Page
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const filter = {
        ...rest,
        ...(yield* environmentId(granted, environment)),
        ...(yield* flowId(granted, flow))
      }
      const found = yield* store.list(granted.orgId, filter, page)
      const items = yield* shown(granted.orgId, found.items)
      return { ...found, items } satisfies Paged<Deployment.Deployment>
    })

    /** The deployment of that id. */
    const get = Effect.fn("Deployments.get")(function* (org: OrgName, id: string) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const found = yield* Option.match(parseId(id), {
        onNone: () => Effect.succeedNone,
        onSome: (key) => store.find(orgId, key)
      })
      const [deployment] = yield* shown(orgId, Option.toArray(found))
      return deployment === undefined
        ? yield* new Deployment.DeploymentNotFound({ org, id })
        : deployment
    })

    return { list, get } as const
  })
}) {}
