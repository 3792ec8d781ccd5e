/**
 * One artifact that runs in an environment: a name with a fingerprint, and all its instances.
 *
 * Provenance and verdict are not part of it; a snapshot adds them. Fields have the spelling of snapshots. SPEC §2.6
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import * as Dictionary from "../shared/Dictionary.js"
import * as Slices from "../shared/Slices.js"
import { ArtifactName, PodOwner } from "./ReportedUnit.js"

/** A pod in which an artifact runs. */
export const Pod = Schema.Struct({
  namespace: Schema.String,
  creationTimestamp: Schema.Int,
  owners: Schema.Array(PodOwner)
}).annotations({ identifier: "Pod" })
/** A pod in which an artifact runs. */
export type Pod = typeof Pod.Type

/** The task in which an artifact runs. */
export const ContainerTaskContext = Schema.Struct({
  task_arn: Schema.String,
  cluster_name: Schema.NullOr(Schema.String),
  service_name: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ContainerTaskContext" })
/** The task in which an artifact runs. */
export type ContainerTaskContext = typeof ContainerTaskContext.Type

/** The serverless service or job in which an artifact runs. */
export const ServerlessRunContext = Schema.Struct({
  kind: Schema.Literal("service", "job"),
  revision_name: Schema.NullOr(Schema.String),
  service_name: Schema.NullOr(Schema.String),
  job_name: Schema.NullOr(Schema.String)
}).annotations({ identifier: "ServerlessRunContext" })
/** The serverless service or job in which an artifact runs. */
export type ServerlessRunContext = typeof ServerlessRunContext.Type

/** The web or function app in which an artifact runs; stored, and not part of snapshots on the wire. */
export const CloudxAppContext = Schema.Struct({
  app_name: Schema.String,
  app_kind: Schema.String,
  digests_source: Schema.String
}).annotations({ identifier: "CloudxAppContext" })
/** The web or function app in which an artifact runs. */
export type CloudxAppContext = typeof CloudxAppContext.Type

/** The JSON Schema of `PodOwner`. */
const OWNER = {
  type: "object",
  required: ["apiVersion", "kind", "name", "uid"],
  properties: {
    apiVersion: { type: "string" },
    kind: { type: "string" },
    name: { type: "string" },
    uid: { type: "string" },
    controller: { type: "boolean" },
    blockOwnerDeletion: { type: "boolean" }
  }
}

/** Pods by name. */
export const Pods = Dictionary.make({
  key: Schema.String,
  value: Pod,
  members: {
    type: "object",
    required: ["namespace", "creationTimestamp", "owners"],
    properties: {
      namespace: { type: "string" },
      creationTimestamp: { type: "integer" },
      owners: { anyOf: [{ type: "array", items: OWNER }, { type: "null" }] }
    }
  }
}).annotations({ identifier: "Pods" })
/** Pods by name. */
export type Pods = typeof Pods.Type

const contextFields = {
  pods: Schema.NullOr(Pods),
  container_task_context: Schema.NullOr(ContainerTaskContext),
  serverless_run_context: Schema.NullOr(ServerlessRunContext),
  cloudx_app_context: Schema.NullOr(CloudxAppContext)
}

/** Where an artifact runs; at most one member is not null, as the kind of the environment decides. */
export const RowContext = Schema.Struct(contextFields)
/** Where an artifact runs. */
export type RowContext = typeof RowContext.Type

/** A running artifact; `creationTimestamp` has one entry per instance, oldest first. */
export const RunningRow = Schema.Struct({
  name: ArtifactName,
  fingerprint: ReportedFingerprint,
  creationTimestamp: Schema.Array(Schema.Int),
  ...contextFields
}).annotations({ identifier: "RunningRow" })
/** A running artifact. */
export type RunningRow = typeof RunningRow.Type

/** The identity of a row. The name is part of it, so that a trusted name never covers another fingerprint. */
export type RowIdentity = Pick<RunningRow, "name" | "fingerprint">

/** The identity of a row as one text. DECISIONS.md, "A row is a name and a fingerprint" */
export const keyOf = ({ name, fingerprint }: RowIdentity): string => `${fingerprint}:${name}`

/** By code units. */
export const compareText = (left: string, right: string): number =>
  left < right ? -1 : left > right ? 1 : 0

/** By name, then by fingerprint, in code units. */
export const byIdentity = (left: RowIdentity, right: RowIdentity): number =>
  compareText(left.name, right.name) || compareText(left.fingerprint, right.fingerprint)

const newest = ({ creationTimestamp }: Pick<RunningRow, "creationTimestamp">): number =>
  creationTimestamp[creationTimestamp.length - 1] ?? 0

/** The order of running rows in a snapshot: most recent instance first, then by identity. */
export const byNewest = (
  left: RowIdentity & Pick<RunningRow, "creationTimestamp">,
  right: RowIdentity & Pick<RunningRow, "creationTimestamp">
): number => newest(right) - newest(left) || byIdentity(left, right)

/** One line of a running set; `printedName` is the name in JSON, `count` the number of instances. */
const lineOf = (fingerprint: string, printedName: string, count: number | undefined): string =>
  `${fingerprint}${count === undefined ? "" : ` x${count}`} ${printedName}`

/** Options of the text of a running set: instance counts are part of it only where scaling is recorded. */
export interface RunningSetOptions {
  readonly includeScaling: boolean
}

const lineOfRow = (
  { fingerprint, name, creationTimestamp: { length } }: RunningRow,
  { includeScaling }: RunningSetOptions
): string => lineOf(fingerprint, JSON.stringify(name), includeScaling ? length : undefined)

/** One line for each running artifact, sorted. */
export const runningSetLines = (
  rows: ReadonlyArray<RunningRow>,
  options: RunningSetOptions
): ReadonlyArray<string> => rows.map((row) => lineOfRow(row, options)).sort()

/** The text of sorted lines. */
export const runningSetTextOf = (lines: ReadonlyArray<string>): string => lines.join("\n")

/**
 * A running set as one text: when the text is equal, a report changes nothing by itself. Times, contexts and
 * order are not part of it.
 */
export const runningSetText = (
  rows: ReadonlyArray<RunningRow>,
  options: RunningSetOptions
): string => runningSetTextOf(runningSetLines(rows, options))

/** The same text of very many rows; pauses now and then. */
export function* runningSetTextSteps(
  rows: ReadonlyArray<RunningRow>,
  options: RunningSetOptions
): Generator<void, string> {
  const lines: Array<string> = []
  for (const [at, row] of rows.entries()) {
    lines.push(lineOfRow(row, options))
    yield* Slices.pauseAt(at)
  }
  return runningSetTextOf(yield* Slices.sort(lines, compareText))
}

const isNew = (line: string, at: number, sorted: ReadonlyArray<string>): boolean =>
  line !== sorted[at - 1]

/** The same lines from the instances of a report, given as name and fingerprint in JSON, one after the other. */
export const runningSetLinesOfPrinted = (
  instances: ReadonlyArray<string>,
  { includeScaling }: RunningSetOptions
): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let at = 1; at < instances.length; at += 2) {
    lines.push(lineOf((instances[at] ?? "").slice(1, -1), instances[at - 1] ?? "", undefined))
  }
  lines.sort()
  return includeScaling ? countedLines(lines) : lines.filter(isNew)
}

/** Sorted lines, each once, with its number of occurrences. */
const countedLines = (sorted: ReadonlyArray<string>): ReadonlyArray<string> => {
  const counted: Array<string> = []
  let first = 0
  sorted.forEach((line, at) => {
    if (line === sorted[at + 1]) return
    // INVARIANT: a fingerprint contains no space.
    const end = line.indexOf(" ")
    counted.push(lineOf(line.slice(0, end), line.slice(end + 1), at + 1 - first))
    first = at + 1
  })
  return counted.sort()
}
