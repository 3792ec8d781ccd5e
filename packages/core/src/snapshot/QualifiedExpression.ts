/**
 * A snapshot expression with its environment: `prod`, `prod#12`, `prod~1`, `prod@{now}`.
 *
 * The form of comparisons and messages. Environment names contain none of the three separators, so the
 * expression begins at the first one. SPEC §4.5
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { EnvironmentName } from "../shared/Identifier.js"
import * as SnapshotExpression from "./SnapshotExpression.js"

/** One snapshot of one environment. */
export const QualifiedExpression = Schema.Struct({
  environment: EnvironmentName,
  expression: SnapshotExpression.SnapshotExpression
})
/** One snapshot of one environment. */
export type QualifiedExpression = typeof QualifiedExpression.Type

/** Text that does not name a snapshot of an environment. */
export class InvalidQualifiedExpression extends Schema.TaggedError<InvalidQualifiedExpression>()(
  "InvalidQualifiedExpression",
  { text: Schema.String }
) {
  override get message() {
    return `\`${this.text}\` does not name a snapshot of an environment`
  }
}

const SEPARATOR = /[#~@]/

const parseFragment = (fragment: string): Option.Option<SnapshotExpression.SnapshotExpression> =>
  fragment === ""
    ? Option.some(SnapshotExpression.index(-1))
    : Either.getRight(SnapshotExpression.parse(fragment))

/** Parses the text; the bare name of an environment is its latest snapshot. */
export const parse = (
  text: string
): Either.Either<QualifiedExpression, InvalidQualifiedExpression> => {
  const found = text.search(SEPARATOR)
  const cut = found < 0 ? text.length : found
  const parts = Option.all({
    environment: Schema.decodeOption(EnvironmentName)(text.slice(0, cut)),
    expression: parseFragment(text.slice(cut))
  })
  return Either.fromOption(parts, () => new InvalidQualifiedExpression({ text }))
}

/** The text of a qualified expression; the inverse of `parse`. */
export const print = ({ environment, expression }: QualifiedExpression): string => {
  const fragment = SnapshotExpression.print(expression)
  return expression._tag === "Index" ? `${environment}#${fragment}` : `${environment}${fragment}`
}
