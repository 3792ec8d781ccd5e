/** Reads a report by parsing its JSON and decoding it by the schema of its kind, a large one in slices. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Predicate from "effect/Predicate"
import type { PhysicalKind } from "../../environment/EnvironmentKind.js"
import * as RunningRow from "../../environment/RunningRow.js"
import * as FieldErrors from "../../shared/FieldErrors.js"
import * as JsonText from "../../shared/JsonText.js"
import * as Slices from "../../shared/Slices.js"
import * as EnvironmentReport from "../EnvironmentReport.js"
import { InvalidReport, type ReportContent, type ReportText } from "../ReportContent.js"

/** So many units are decoded at a time. */
const UNITS = 256

type Decoded<K extends PhysicalKind> = Either.Either<
  EnvironmentReport.EnvironmentReport<K>,
  FieldErrors.FieldErrors
>

const decodeWhole = <K extends PhysicalKind>(kind: K, value: unknown): Decoded<K> =>
  Either.mapLeft(EnvironmentReport.decode(kind, value), ({ issue }) =>
    FieldErrors.fromParseIssue(issue)
  )

/** Decodes some units at a time; the whole where they have no list or one of them is wrong. */
function* decode<K extends PhysicalKind>(kind: K, value: unknown): Generator<void, Decoded<K>> {
  if (!Predicate.isRecord(value) || !Array.isArray(value.artifacts)) return decodeWhole(kind, value)
  const artifacts: Array<EnvironmentReport.EnvironmentReport<K>["artifacts"][number]> = []
  for (const some of Slices.partsOf<unknown>(value.artifacts, UNITS)) {
    const decoded = EnvironmentReport.decode(kind, { ...value, artifacts: some })
    if (Either.isLeft(decoded)) return decodeWhole(kind, value)
    for (const unit of decoded.right.artifacts) artifacts.push(unit)
    yield
  }
  return artifacts.length === 0 ? decodeWhole(kind, value) : Either.right({ artifacts })
}

/** The content of a value that a report's text stands for. */
function* contentOf<K extends PhysicalKind>(
  kind: K,
  value: unknown
): Generator<void, Either.Either<ReportContent, FieldErrors.FieldErrors>> {
  const decoded = yield* decode(kind, value)
  if (Either.isLeft(decoded)) return Either.left(decoded.left)
  const rows = yield* EnvironmentReport.rowSteps(kind, decoded.right)
  return Either.right({
    runningSetText: (options) => Slices.run(() => RunningRow.runningSetTextSteps(rows, options)),
    rows: Effect.succeed(rows)
  })
}

/** Reads a report. */
export const read = ({ kind, text }: ReportText): Effect.Effect<ReportContent, InvalidReport> =>
  JsonText.check(text, EnvironmentReport.problemsOf(kind)).pipe(
    Effect.zipRight(JsonText.read(text)),
    Effect.flatMap((value) => Effect.flatten(Slices.run(() => contentOf(kind, value)))),
    Effect.mapError((errors) => new InvalidReport({ errors }))
  )
