/**
 * The bodies of reports of environments, and the rows that follow from them.
 *
 * A report carries no time of its own and no state: whether it changes anything is decided by `SnapshotDiff`, and
 * when it was accepted by the transaction. SPEC §4.4
 */
import * as Either from "effect/Either"
import type * as ParseResult from "effect/ParseResult"
import * as Schema from "effect/Schema"
import type { ReportedFingerprint } from "../artifact/Fingerprint.js"
import { type PhysicalKind, wordsOf } from "../environment/EnvironmentKind.js"
import { contextOf, type Units } from "../environment/internal/ReportedContext.js"
import { type Placement, type Unit, units } from "../environment/ReportedUnit.js"
import { byNewest, type RowIdentity, type RunningRow } from "../environment/RunningRow.js"
import * as JsonScanner from "../shared/internal/JsonScanner.js"
import * as SchemaFastPath from "../shared/SchemaFastPath.js"
import * as Slices from "../shared/Slices.js"
import * as TextProblems from "../shared/TextProblems.js"

const strict = { parseOptions: { onExcessProperty: "error" } } as const

/** WHY: the text of a unit that is sent again need not be read again (`ReportBaseline`). */
const placed = <A, I>(unit: Schema.Schema<A, I>) => unit.annotations(JsonScanner.placed)

/** A body; `type` may say its kind once more, by either word. */
const bodyOf = <A, I>(kind: PhysicalKind, unit: Schema.Schema<A, I>) =>
  Schema.Struct({
    type: Schema.optionalWith(Schema.NullOr(Schema.Literal(...wordsOf(kind))), { exact: true }),
    artifacts: Schema.Array(placed(unit))
  }).annotations(strict)

const bodies = {
  K8S: bodyOf("K8S", units.K8S).annotations({ identifier: "PodReport" }),
  "container-tasks": bodyOf("container-tasks", units["container-tasks"]).annotations({
    identifier: "TaskReport"
  }),
  "object-store": bodyOf("object-store", units["object-store"]).annotations({
    identifier: "ObjectReport"
  }),
  functions: bodyOf("functions", units.functions).annotations({ identifier: "FunctionReport" }),
  server: bodyOf("server", units.server).annotations({ identifier: "ServerReport" }),
  docker: bodyOf("docker", units.docker).annotations({ identifier: "ContainerReport" }),
  "cloudx-apps": bodyOf("cloudx-apps", units["cloudx-apps"]).annotations({
    identifier: "AppReport"
  }),
  "serverless-run": bodyOf("serverless-run", units["serverless-run"]).annotations({
    identifier: "ServerlessReport"
  })
}

type Bodies = typeof bodies

/** The body of a report of a kind. */
export interface EnvironmentReport<K extends PhysicalKind> {
  readonly artifacts: ReadonlyArray<Unit<K>>
}

/** The schema of a kind's report; unknown fields are refused. */
export const schemaOf = <K extends PhysicalKind>(kind: K): Bodies[K] => bodies[kind]

type Decode<A> = (input: unknown) => Either.Either<A, ParseResult.ParseError>

// WHY: a large body that is fine, as nearly all are, passes the guard in a fraction of the time.
const decoderOf = <A, I>(schema: Schema.Schema<A, I>): Decode<A> => {
  const isPlain = SchemaFastPath.make(schema)
  const decodeUnknown = Schema.decodeUnknownEither(schema)
  return (input) => (isPlain(input) ? Either.right(input) : decodeUnknown(input))
}

const decoders: { readonly [K in PhysicalKind]: Decode<EnvironmentReport<K>> } = {
  K8S: decoderOf(bodies.K8S),
  "container-tasks": decoderOf(bodies["container-tasks"]),
  "object-store": decoderOf(bodies["object-store"]),
  functions: decoderOf(bodies.functions),
  server: decoderOf(bodies.server),
  docker: decoderOf(bodies.docker),
  "cloudx-apps": decoderOf(bodies["cloudx-apps"]),
  "serverless-run": decoderOf(bodies["serverless-run"])
}

/** A value for each kind. */
export const perKind = <A>(
  make: (kind: PhysicalKind) => A
): { readonly [K in PhysicalKind]: A } => ({
  K8S: make("K8S"),
  "container-tasks": make("container-tasks"),
  "object-store": make("object-store"),
  functions: make("functions"),
  server: make("server"),
  docker: make("docker"),
  "cloudx-apps": make("cloudx-apps"),
  "serverless-run": make("serverless-run")
})

/** The schema of a kind as one of any report: the type of a union of schemas stands in the way of generic code. */
export const anySchemaOf = (kind: PhysicalKind): Schema.Schema<unknown> =>
  Schema.make<unknown>(bodies[kind].ast)

const finds = perKind((kind) => TextProblems.make(anySchemaOf(kind)))

/** The search for what is wrong with the text of a kind's report. */
export const problemsOf = (kind: PhysicalKind): TextProblems.Find => finds[kind]

/** Reads the body of a kind's report; what is wrong with it is told as far as its first problem. */
export const decode = <K extends PhysicalKind>(
  kind: K,
  input: unknown
): Either.Either<EnvironmentReport<K>, ParseResult.ParseError> => decoders[kind](input)

const timesOf = (units: Units<{ readonly creationTimestamp: number }>): ReadonlyArray<number> =>
  units.length === 1
    ? [units[0].creationTimestamp]
    : units.map(({ creationTimestamp }) => creationTimestamp).sort((left, right) => left - right)

interface Group<U> extends RowIdentity {
  readonly units: [U, ...Array<U>]
}

/** Units by name and fingerprint, in the order of their first appearance. */
interface Grouping<U> {
  readonly groups: ReadonlyArray<Group<U>>
  readonly add: (identity: RowIdentity, unit: U) => void
}

// WHY two levels: one text made of both would be built and hashed anew for every unit. The second is
// there only for names that have several fingerprints, which hardly any has.
const grouping = <U>(): Grouping<U> => {
  const groups: Array<Group<U>> = []
  const named = new Map<string, Group<U> | Map<string, Group<U>>>()
  const begin = ({ name, fingerprint }: RowIdentity, unit: U): Group<U> => {
    const group: Group<U> = { name, fingerprint, units: [unit] }
    groups.push(group)
    return group
  }
  const addTo = (known: Map<string, Group<U>>, identity: RowIdentity, unit: U): void => {
    const group = known.get(identity.fingerprint)
    if (group === undefined) known.set(identity.fingerprint, begin(identity, unit))
    else group.units.push(unit)
  }
  const add = (identity: RowIdentity, unit: U): void => {
    const { name, fingerprint } = identity
    const known = named.get(name)
    if (known === undefined) named.set(name, begin(identity, unit))
    else if (known instanceof Map) addTo(known, identity, unit)
    else if (known.fingerprint === fingerprint) known.units.push(unit)
    else {
      const several = new Map<string, Group<U>>([[known.fingerprint, known]])
      named.set(name, several)
      addTo(several, identity, unit)
    }
  }
  return { groups, add }
}

const rowOf =
  <K extends PhysicalKind>(kind: K) =>
  ({ name, fingerprint, units }: Group<Placement<K>>): RunningRow => {
    const { pods, container_task_context, serverless_run_context, cloudx_app_context } =
      contextOf(kind)(units)
    return {
      name,
      fingerprint,
      creationTimestamp: timesOf(units),
      pods,
      container_task_context,
      serverless_run_context,
      cloudx_app_context
    }
  }

/**
 * The rows that a report amounts to, in the order of snapshots. Units are grouped by name and
 * fingerprint; neither their order nor the order of their digests makes a difference. DECISIONS.md, "A row is a name
 * and a fingerprint". Pauses now and then.
 */
export function* rowSteps<K extends PhysicalKind>(
  kind: K,
  { artifacts }: EnvironmentReport<K>
): Generator<void, ReadonlyArray<RunningRow>> {
  const { groups, add } = grouping<Placement<K>>()
  for (const [at, unit] of artifacts.entries()) {
    for (const [name, fingerprint] of Object.entries<ReportedFingerprint>(unit.digests)) {
      add({ name, fingerprint }, unit)
    }
    yield* Slices.pauseAt(at)
  }
  const rows: Array<RunningRow> = []
  const toRow = rowOf(kind)
  for (const [at, group] of groups.entries()) {
    rows.push(toRow(group))
    yield* Slices.pauseAt(at)
  }
  return yield* Slices.sort(rows, byNewest)
}

/** The rows of a report that is not large. */
export const rows = <K extends PhysicalKind>(
  kind: K,
  report: EnvironmentReport<K>
): ReadonlyArray<RunningRow> => Slices.runSync(rowSteps(kind, report))

/** A report whose digests stand apart: each unit says how many of them are its own. */
export interface CountedReport<K extends PhysicalKind> {
  readonly artifacts: ReadonlyArray<Placement<K> & { readonly digests: number }>
}

/** The rows of such a report; `digests` has those of all units in a row: name, fingerprint. */
export const rowsOfCounted = <K extends PhysicalKind>(
  kind: K,
  { artifacts }: CountedReport<K>,
  digests: ReadonlyArray<string>
): ReadonlyArray<RunningRow> => {
  const { groups, add } = grouping<Placement<K>>()
  let next = 0
  for (const unit of artifacts) {
    for (let count = unit.digests; count > 0; count--) {
      // WHY: the second of each two is the fingerprint of the first, which the type of a list cannot say.
      const fingerprint = (digests[next + 1] ?? "") as ReportedFingerprint
      add({ name: digests[next] ?? "", fingerprint }, unit)
      next += 2
    }
  }
  return groups.map(rowOf(kind)).sort(byNewest)
}
