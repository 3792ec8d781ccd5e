/**
 * The units of reports, for each kind of environment: a pod, a task, an app, a file. SPEC §2.4
 *
 * Units are strict: an unknown field refuses the report. Their spelling is that of the clients, which is not the
 * spelling of snapshots (`taskArn` here, `task_arn` there).
 */
import * as Schema from "effect/Schema"
import { ReportedFingerprint } from "../artifact/Fingerprint.js"
import * as Dictionary from "../shared/Dictionary.js"
import { ARTIFACT_NAME_LENGTH_MAX, FINGERPRINT_PATTERN } from "../shared/Identifier.js"
import * as JsonScanner from "../shared/internal/JsonScanner.js"
import type { PhysicalKind } from "./EnvironmentKind.js"

// WHY: stores keep text as UTF-8 and PostgreSQL refuses NUL, so such text could not be given back.
const UNSTORABLE = /\0|[\uD800-\uDBFF](?![\uDC00-\uDFFF])|(?<![\uD800-\uDBFF])[\uDC00-\uDFFF]/

// WHY: nearly no text has such characters at all, and looking for any of them is much the cheaper question.
const SUSPECT = /[\0\uD800-\uDFFF]/

const isStorable = (text: string): boolean => !SUSPECT.test(text) || !UNSTORABLE.test(text)

/** Text that every store can give back as it was. */
export const Text = Schema.String.pipe(
  Schema.filter(
    (text) => isStorable(text) || "String should be Unicode text without NUL characters",
    JsonScanner.scannedBy(JsonScanner.textOf({ lengthMin: 0, lengthMax: Number.POSITIVE_INFINITY }))
  )
)

/** The name of an artifact, as a runtime or a pipeline calls it. */
export const ArtifactName = Text.pipe(
  Schema.minLength(1),
  Schema.maxLength(
    ARTIFACT_NAME_LENGTH_MAX,
    JsonScanner.scannedBy(JsonScanner.textOf({ lengthMin: 1, lengthMax: ARTIFACT_NAME_LENGTH_MAX }))
  )
)

const optional = <A, I>(schema: Schema.Schema<A, I>) =>
  Schema.optionalWith(Schema.NullOr(schema), { exact: true })

/** What every unit says. A runtime that does not tell a digest says `""`, and what runs there stays visible. */
const running = {
  digests: Dictionary.make({
    key: ArtifactName,
    value: ReportedFingerprint,
    members: { type: "string", pattern: `^$|${FINGERPRINT_PATTERN}` }
  }),
  creationTimestamp: Schema.Int
}

/** Who owns a pod. */
export const PodOwner = Schema.Struct({
  apiVersion: Text,
  kind: Text,
  name: Text,
  uid: Text,
  controller: optional(Schema.Boolean),
  blockOwnerDeletion: optional(Schema.Boolean)
}).annotations({ identifier: "PodOwner" })
/** Who owns a pod. */
export type PodOwner = typeof PodOwner.Type

/** A pod of a container orchestrator. */
export const PodUnit = Schema.Struct({
  ...running,
  podName: Text,
  namespace: Text,
  owners: optional(Schema.Array(PodOwner))
}).annotations({ identifier: "PodUnit" })

/** Something that has digests and a time, and nothing to say beyond: a container, a file, a function. */
export const PlainUnit = Schema.Struct(running).annotations({ identifier: "PlainUnit" })

/** A task that runs containers. */
export const TaskUnit = Schema.Struct({
  ...running,
  taskArn: Text,
  cluster_name: optional(Text),
  service_name: optional(Text)
}).annotations({ identifier: "TaskUnit" })

/** A web or function app. */
export const AppUnit = Schema.Struct({
  ...running,
  app_name: Text,
  app_kind: Text,
  digests_source: Text
}).annotations({ identifier: "AppUnit" })

/** A service revision or a job of a serverless runtime. */
export const ServerlessUnit = Schema.Struct({
  ...running,
  kind: Schema.Literal("service", "job"),
  serviceName: optional(Text),
  revisionName: optional(Text),
  jobName: optional(Text)
}).annotations({ identifier: "ServerlessUnit" })

/** The schema of one running thing, by kind. */
export const units = {
  K8S: PodUnit,
  "container-tasks": TaskUnit,
  "object-store": PlainUnit,
  functions: PlainUnit,
  server: PlainUnit,
  docker: PlainUnit,
  "cloudx-apps": AppUnit,
  "serverless-run": ServerlessUnit
} as const

/** One running thing, as a kind reports it. */
export type Unit<K extends PhysicalKind> = (typeof units)[K]["Type"]

/** What a unit says beside its digests: since when it runs, and where. */
export type Placement<K extends PhysicalKind> = Omit<Unit<K>, "digests">
