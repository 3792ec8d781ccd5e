/**
 * When and where a row runs, as PostgreSQL keeps it: a JSON text of lists, in which each member has its
 * place. Names of members were half of a row.
 *
 * WHY: there is one for every row that ever began, nothing but this module looks into it, and names would
 * be more than half of it.
 */

import type { Pod, RunningRow } from "@attestry/core/RunningRow"
import * as SchemaFastPath from "@attestry/core/SchemaFastPath"
import * as Schema from "effect/Schema"

/** When and where a row runs. */
export type Document = Omit<RunningRow, "name" | "fingerprint">

const Text = Schema.NullOr(Schema.String)

/** A missing flag differs from a null one. */
const UNSAID = 0
const Whether = Schema.Union(Schema.Boolean, Schema.Null, Schema.Literal(UNSAID))

const StoredOwner = Schema.Tuple(
  Schema.String,
  Schema.String,
  Schema.String,
  Schema.String,
  Whether,
  Whether
)
type StoredOwner = typeof StoredOwner.Type

const StoredPod = Schema.Tuple(Schema.String, Schema.String, Schema.Int, Schema.Array(StoredOwner))
type StoredPod = typeof StoredPod.Type

/** WHY it may be missing: what comes last is left out while it is null, and all but one are. */
const last = <A, I>(context: Schema.Schema<A, I>) => Schema.optionalElement(Schema.NullOr(context))

const Stored = Schema.Tuple(
  Schema.Array(Schema.Int),
  last(Schema.Array(StoredPod)),
  last(Schema.Tuple(Schema.String, Text, Text)),
  last(Schema.Tuple(Schema.Literal("service", "job"), Text, Text, Text)),
  last(Schema.Tuple(Schema.String, Schema.String, Schema.String))
)
type Stored = typeof Stored.Type

type Owner = Pod["owners"][number]

const printOwner = (owner: Owner): StoredOwner => [
  owner.apiVersion,
  owner.kind,
  owner.name,
  owner.uid,
  owner.controller === undefined ? UNSAID : owner.controller,
  owner.blockOwnerDeletion === undefined ? UNSAID : owner.blockOwnerDeletion
]

const readOwner = ([apiVersion, kind, name, uid, controls, blocks]: StoredOwner): Owner => ({
  apiVersion,
  kind,
  name,
  uid,
  ...(controls === UNSAID ? {} : { controller: controls }),
  ...(blocks === UNSAID ? {} : { blockOwnerDeletion: blocks })
})

const readPod = ([name, namespace, creationTimestamp, owners]: StoredPod): readonly [
  string,
  Pod
] => [name, { namespace, creationTimestamp, owners: owners.map(readOwner) }]

/** The text of a document. */
export const print = ({ creationTimestamp, pods, ...contexts }: Document): string => {
  const { container_task_context: task, serverless_run_context: run } = contexts
  const { cloudx_app_context: app } = contexts
  const places: Array<unknown> = [
    creationTimestamp,
    pods === null
      ? null
      : Object.entries(pods).map(([name, pod]) => [
          name,
          pod.namespace,
          pod.creationTimestamp,
          pod.owners.map(printOwner)
        ]),
    task === null ? null : [task.task_arn, task.cluster_name, task.service_name],
    run === null ? null : [run.kind, run.revision_name, run.service_name, run.job_name],
    app === null ? null : [app.app_name, app.app_kind, app.digests_source]
  ]
  while (places.at(-1) === null) places.pop()
  return JSON.stringify(places)
}

const isStored = SchemaFastPath.make(Stored)
const decode = Schema.decodeUnknownSync(Stored)

/** INVARIANT: `print` has written the text; anything else is a damaged database, and a defect. */
const parse = (text: string): Stored => {
  const value: unknown = JSON.parse(text)
  return isStored(value) ? value : decode(value)
}

/** The document of a text. */
export const read = (text: string): Document => {
  const [creationTimestamp, pods = null, task = null, run = null, app = null] = parse(text)
  return {
    creationTimestamp,
    pods: pods === null ? null : Object.fromEntries(pods.map(readPod)),
    container_task_context:
      task === null ? null : { task_arn: task[0], cluster_name: task[1], service_name: task[2] },
    serverless_run_context:
      run === null
        ? null
        : { kind: run[0], revision_name: run[1], service_name: run[2], job_name: run[3] },
    cloudx_app_context:
      app === null ? null : { app_name: app[0], app_kind: app[1], digests_source: app[2] }
  }
}

/**
 * An expression: the newest instance in a column of texts, 0 where there is none.
 *
 * INVARIANT: a text begins with the list of instants, which rise.
 */
export const newestIn = (column: string): string =>
  `coalesce(nullif(ltrim(split_part(split_part(${column}, ']', 1), ',', -1), '['), '')::int8, 0)`
