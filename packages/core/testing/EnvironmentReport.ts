/**
 * Reports of every kind of environment, small and full of collisions.
 *
 * Few names and few fingerprints, so that one name with two fingerprints, one fingerprint with two
 * names, unknown digests and equal times are all common.
 */
import type * as EnvironmentKind from "@attestry/core/EnvironmentKind"
import type * as EnvironmentReport from "@attestry/core/EnvironmentReport"
import * as Fingerprint from "@attestry/core/Fingerprint"
import type * as ReportedUnit from "@attestry/core/ReportedUnit"
import * as FastCheck from "effect/FastCheck"

const made = (digit: string) => Fingerprint.Fingerprint.make(digit.repeat(64))

/** Three fingerprints, so that collisions are common. */
export const fingerprints = [made("a"), made("b"), made("c")] as const

/** A fingerprint that is known. */
export const fingerprint: FastCheck.Arbitrary<Fingerprint.Fingerprint> = FastCheck.constantFrom(
  ...fingerprints
)

/** A fingerprint that may be unknown. */
export const reportedFingerprint: FastCheck.Arbitrary<Fingerprint.ReportedFingerprint> =
  FastCheck.oneof(fingerprint, FastCheck.constant("" as const))

/** Artifact names; one of them is a trap for code that indexes plain objects. */
export const artifactName: FastCheck.Arbitrary<string> = FastCheck.constantFrom(
  "shop",
  "registry.example.org/web:1.4",
  "=cmd|' /C calc'!A0",
  "__proto__"
)

/** Seconds at which something started; few of them, so that ties are common. */
export const creationTimestamp: FastCheck.Arbitrary<number> = FastCheck.integer({
  min: 1_777_550_800,
  max: 1_777_550_804
})

const digestsOf = <D extends string>(
  digest: FastCheck.Arbitrary<D>
): FastCheck.Arbitrary<{ readonly [name: string]: D }> =>
  FastCheck.uniqueArray(FastCheck.tuple(artifactName, digest), {
    selector: ([name]) => name,
    maxLength: 3
  }).map((entries) => Object.fromEntries(entries))

const running = { digests: digestsOf(reportedFingerprint), creationTimestamp }

const word = FastCheck.constantFrom("one", "two", "three")

const maybeWord = FastCheck.option(word, { nil: null })

const owner = FastCheck.record(
  {
    apiVersion: FastCheck.constant("apps/v1"),
    kind: FastCheck.constant("ReplicaSet"),
    name: word,
    uid: word,
    controller: FastCheck.boolean()
  },
  { requiredKeys: ["apiVersion", "kind", "name", "uid"] }
)

const owners = FastCheck.option(FastCheck.array(owner, { maxLength: 2 }), { nil: null })

const plain: FastCheck.Arbitrary<ReportedUnit.Unit<"docker">> = FastCheck.record(running)

const unitArbitraries: {
  readonly [K in EnvironmentKind.PhysicalKind]: FastCheck.Arbitrary<ReportedUnit.Unit<K>>
} = {
  K8S: FastCheck.record(
    {
      ...running,
      podName: word,
      namespace: word,
      owners
    },
    { requiredKeys: ["digests", "creationTimestamp", "podName", "namespace"] }
  ),
  "container-tasks": FastCheck.record(
    { ...running, taskArn: word, cluster_name: maybeWord, service_name: word },
    { requiredKeys: ["digests", "creationTimestamp", "taskArn"] }
  ),
  "object-store": plain,
  functions: plain,
  server: plain,
  docker: plain,
  "cloudx-apps": FastCheck.record({
    ...running,
    app_name: word,
    app_kind: word,
    digests_source: FastCheck.constantFrom("registry", "logs")
  }),
  "serverless-run": FastCheck.record(
    {
      ...running,
      kind: FastCheck.constantFrom("service" as const, "job" as const),
      serviceName: word,
      revisionName: word,
      jobName: maybeWord
    },
    { requiredKeys: ["digests", "creationTimestamp", "kind"] }
  )
}

/** The kinds with reports. */
export const physicalKind: FastCheck.Arbitrary<EnvironmentKind.PhysicalKind> =
  FastCheck.constantFrom(
    "K8S",
    "container-tasks",
    "object-store",
    "functions",
    "server",
    "docker",
    "cloudx-apps",
    "serverless-run"
  )

/** One running unit of a kind. */
export const unit = <K extends EnvironmentKind.PhysicalKind>(
  kind: K
): FastCheck.Arbitrary<ReportedUnit.Unit<K>> => unitArbitraries[kind]

/** A report of a kind. */
export const environmentReport = <K extends EnvironmentKind.PhysicalKind>(
  kind: K
): FastCheck.Arbitrary<EnvironmentReport.EnvironmentReport<K>> =>
  FastCheck.record({ artifacts: FastCheck.array(unit(kind), { maxLength: 8 }) })

/** A kind with a report of it. */
export interface KindAndReport {
  readonly kind: EnvironmentKind.PhysicalKind
  readonly report: EnvironmentReport.EnvironmentReport<EnvironmentKind.PhysicalKind>
}

/** A report of any kind. */
export const kindAndReport: FastCheck.Arbitrary<KindAndReport> = physicalKind.chain((kind) =>
  environmentReport(kind).map((report) => ({ kind, report }))
)
