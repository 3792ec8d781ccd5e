/**
 * Bodies of environment reports from plain data, one function for each kind of environment.
 *
 * The input has names, digests, and times as dates or epoch seconds; the output is the payload of the operation,
 * checked by the schema of the contract.
 */
import type { PhysicalKind } from "@attestry/core/EnvironmentKind"
import * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import type { PodOwner } from "@attestry/core/ReportedUnit"
import type * as Effect from "effect/Effect"
import type * as ParseResult from "effect/ParseResult"

/** A time of creation: a date, or epoch seconds, whose fraction is dropped. */
export type CreatedAt = Date | number

/** Artifact or image names to digests of 64 hexadecimal characters. */
export type Digests = { readonly [name: string]: string }

/** One image or file that runs. */
export interface Running {
  readonly name: string
  readonly digest: string
  readonly createdAt: CreatedAt
}

/** One pod with the images that run in it. */
export interface RunningPod {
  readonly podName: string
  readonly namespace: string
  readonly owners?: ReadonlyArray<PodOwner>
  readonly images: Digests
  readonly createdAt: CreatedAt
}

/** One task with the images that run in it; an empty digest means an unknown one. */
export interface RunningTask {
  readonly taskArn: string
  readonly cluster?: string
  readonly service?: string
  readonly images: Digests
  readonly createdAt: CreatedAt
}

/** One web or function app; an empty digest means an unknown one. */
export interface RunningApp {
  readonly app: string
  readonly kind: string
  readonly digestsSource: "registry" | "logs"
  readonly images: Digests
  readonly createdAt: CreatedAt
}

/** One serverless service or job; an empty digest means an unknown one. */
export interface RunningServerless {
  readonly kind: "service" | "job"
  readonly service?: string
  readonly revision?: string
  readonly job?: string
  readonly images: Digests
  readonly createdAt: CreatedAt
}

/** A report, or the problems of the data. */
export type Report<K extends PhysicalKind> = Effect.Effect<
  EnvironmentReport.EnvironmentReport<K>,
  ParseResult.ParseError
>

const seconds = (createdAt: CreatedAt): number =>
  Math.floor(typeof createdAt === "number" ? createdAt : createdAt.getTime() / 1000)

const unit = (images: Digests, createdAt: CreatedAt) => ({
  digests: images,
  creationTimestamp: seconds(createdAt)
})

const single =
  <K extends PhysicalKind>(kind: K) =>
  (running: Iterable<Running>): Report<K> =>
    EnvironmentReport.decode(kind, {
      artifacts: Array.from(running, ({ name, digest, createdAt }) =>
        unit(Object.fromEntries([[name, digest]]), createdAt)
      )
    })

/** Containers of a Docker host. */
export const docker: (running: Iterable<Running>) => Report<"docker"> = single("docker")

/** Files on a server. */
export const server: (running: Iterable<Running>) => Report<"server"> = single("server")

/** Functions, each with its last modification. */
export const functions: (running: Iterable<Running>) => Report<"functions"> = single("functions")

/** Objects of a store, each with its last modification. */
export const objectStore: (running: Iterable<Running>) => Report<"object-store"> =
  single("object-store")

/** Pods of a container orchestrator. */
export const kubernetes = (pods: Iterable<RunningPod>): Report<"K8S"> =>
  EnvironmentReport.decode("K8S", {
    artifacts: Array.from(pods, ({ podName, namespace, owners, images, createdAt }) => ({
      podName,
      namespace,
      owners: owners ?? null,
      ...unit(images, createdAt)
    }))
  })

/** Tasks of a container service. */
export const containerTasks = (tasks: Iterable<RunningTask>): Report<"container-tasks"> =>
  EnvironmentReport.decode("container-tasks", {
    artifacts: Array.from(tasks, ({ taskArn, cluster, service, images, createdAt }) => ({
      taskArn,
      ...(cluster === undefined ? {} : { cluster_name: cluster }),
      ...(service === undefined ? {} : { service_name: service }),
      ...unit(images, createdAt)
    }))
  })

/** Web and function apps. */
export const cloudxApps = (apps: Iterable<RunningApp>): Report<"cloudx-apps"> =>
  EnvironmentReport.decode("cloudx-apps", {
    artifacts: Array.from(apps, ({ app, kind, digestsSource, images, createdAt }) => ({
      app_name: app,
      app_kind: kind,
      digests_source: digestsSource,
      ...unit(images, createdAt)
    }))
  })

/** Serverless services and jobs. */
export const serverlessRun = (running: Iterable<RunningServerless>): Report<"serverless-run"> =>
  EnvironmentReport.decode("serverless-run", {
    type: "serverless-run",
    artifacts: Array.from(running, ({ kind, service, revision, job, images, createdAt }) => ({
      kind,
      ...(service === undefined ? {} : { serviceName: service }),
      ...(revision === undefined ? {} : { revisionName: revision }),
      ...(job === undefined ? {} : { jobName: job }),
      ...unit(images, createdAt)
    }))
  })
