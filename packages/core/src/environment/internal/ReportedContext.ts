/**
 * Where a row runs, read off the units that make it up: its pods, its task, its app.
 *
 * A row shows one context even when it has several instances: that of the earliest. Contexts never make
 * a snapshot. One value is shown, and always the same one.
 */
import * as CanonicalJson from "../../shared/CanonicalJson.js"
import type { PhysicalKind } from "../EnvironmentKind.js"
import type { Placement } from "../ReportedUnit.js"
import type {
  CloudxAppContext,
  ContainerTaskContext,
  Pod,
  Pods,
  RowContext,
  ServerlessRunContext
} from "../RunningRow.js"

/** The units of one row: at least one. */
export type Units<U> = readonly [U, ...ReadonlyArray<U>]

const compare = (left: string, right: string): number => (left < right ? -1 : left > right ? 1 : 0)

/** What the earliest of some units shows; ties by id, and then by what is shown. */
const earliest = <U extends { readonly creationTimestamp: number }, Shown>(
  units: Units<U>,
  idOf: (unit: U) => string,
  show: (unit: U) => Shown
): Shown =>
  show(
    units.reduce((best, unit) => {
      const order =
        unit.creationTimestamp - best.creationTimestamp ||
        compare(idOf(unit), idOf(best)) ||
        compare(CanonicalJson.print(show(unit)), CanonicalJson.print(show(best)))
      return order < 0 ? unit : best
    })
  )

const nowhere: RowContext = {
  pods: null,
  container_task_context: null,
  serverless_run_context: null,
  cloudx_app_context: null
}

const podOf = ({ namespace, creationTimestamp, owners }: Placement<"K8S">): Pod => ({
  namespace,
  creationTimestamp,
  owners: owners ?? []
})

/** Pods by name; of two with one name the earlier is shown, since answers key them by name alone. */
const podsOf = (units: Units<Placement<"K8S">>): Pods => {
  const [first, ...others] = units
  if (others.length === 0) return { [first.podName]: podOf(first) }
  const named = new Map<string, [Placement<"K8S">, ...Array<Placement<"K8S">>]>()
  for (const unit of units) {
    const same = named.get(unit.podName)
    if (same === undefined) named.set(unit.podName, [unit])
    else same.push(unit)
  }
  return Object.fromEntries(
    Array.from(named)
      .sort(([left], [right]) => compare(left, right))
      .map(([name, same]) => [name, earliest(same, ({ namespace }) => namespace, podOf)] as const)
  )
}

const taskOf = (task: Placement<"container-tasks">): ContainerTaskContext => ({
  task_arn: task.taskArn,
  cluster_name: task.cluster_name ?? null,
  service_name: task.service_name ?? null
})

const appOf = ({
  app_name,
  app_kind,
  digests_source
}: Placement<"cloudx-apps">): CloudxAppContext => ({
  app_name,
  app_kind,
  digests_source
})

const runOf = (run: Placement<"serverless-run">): ServerlessRunContext => ({
  kind: run.kind,
  revision_name: run.revisionName ?? null,
  service_name: run.serviceName ?? null,
  job_name: run.jobName ?? null
})

const runId = ({ revisionName, jobName, serviceName }: Placement<"serverless-run">): string =>
  revisionName ?? jobName ?? serviceName ?? ""

const contexts: { readonly [K in PhysicalKind]: (units: Units<Placement<K>>) => RowContext } = {
  K8S: (units) => ({ ...nowhere, pods: podsOf(units) }),
  "container-tasks": (units) => ({
    ...nowhere,
    container_task_context: earliest(units, ({ taskArn }) => taskArn, taskOf)
  }),
  "object-store": () => nowhere,
  functions: () => nowhere,
  server: () => nowhere,
  docker: () => nowhere,
  "cloudx-apps": (units) => ({
    ...nowhere,
    cloudx_app_context: earliest(units, (app) => app.app_name, appOf)
  }),
  "serverless-run": (units) => ({
    ...nowhere,
    serverless_run_context: earliest(units, runId, runOf)
  })
}

/** Where a row of a kind runs. */
export const contextOf = <K extends PhysicalKind>(
  kind: K
): ((units: Units<Placement<K>>) => RowContext) => contexts[kind]
