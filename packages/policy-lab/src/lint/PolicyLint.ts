/**
 * Lint: remarks about a valid policy that probably does not mean what its author intends. DECISIONS.md, "A claim
 * about all facts is proven"
 *
 * `check` reads the text alone; `checkAgainst` also what an org has and runs. A remark about all facts is made only
 * when it is proven; beyond the limits there is none.
 */

import { type Paused, runSync } from "@attestry/core/Paused"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as YamlText from "@attestry/core/YamlText"
import * as Either from "effect/Either"
import * as ConditionLint from "./internal/ConditionLint.js"
import * as FactLint from "./internal/FactLint.js"
import type { Draft } from "./internal/LintDraft.js"
import * as ObservedLint from "./internal/ObservedLint.js"
import * as RuleLint from "./internal/RuleLint.js"
import { type PolicyRemark, severityOf } from "./PolicyRemark.js"

/** What an org has, and what runs there. */
export type { Observations } from "./internal/ObservedLint.js"

type Checked = Either.Either<ReadonlyArray<PolicyRemark>, PolicyDocument.InvalidPolicyDocument>

type Drafting = (
  document: PolicyDocument.PolicyDocument,
  lineOf: RuleLint.LineOf
) => Paused<ReadonlyArray<Draft>>

function* remarks(text: string, drafting: Drafting): Paused<Checked> {
  const parsed = PolicyDocument.parse(text)
  if (Either.isLeft(parsed)) return Either.left(parsed.left)
  yield
  // INVARIANT: the text has just been parsed; the default is never used.
  const positionOf = Either.match(YamlText.parse(text), {
    onLeft: () => () => ({ line: 1, column: 1 }),
    onRight: (yaml) => yaml.positionOf
  })
  yield
  const drafts = yield* drafting(parsed.right, (path) => positionOf(path).line)
  return Either.right(
    drafts
      .map(
        ({ code, message, path, suggestion }): PolicyRemark => ({
          code,
          severity: severityOf(code),
          path: path.join("."),
          ...positionOf(path),
          message,
          suggestion: suggestion ?? null
        })
      )
      .sort((left, right) => left.line - right.line || left.column - right.column)
  )
}

function* ofText(
  document: PolicyDocument.PolicyDocument,
  lineOf: RuleLint.LineOf
): Paused<ReadonlyArray<Draft>> {
  return [
    ...(yield* ConditionLint.check(document)),
    ...FactLint.check(document),
    ...(yield* RuleLint.check(document, lineOf))
  ]
}

/** The remarks about a text, in its order; the problems of a text that is no policy. */
export const check = (text: string): Checked => runSync(remarks(text, ofText))

/**
 * As `check`, with remarks about names that the org does not have and rules that nothing there uses. It pauses now
 * and then: for `Slices.run`.
 */
export const checkingAgainst = (
  text: string,
  observed: ObservedLint.Observations
): Paused<Checked> =>
  remarks(text, function* (document, lineOf) {
    return [
      ...(yield* ofText(document, lineOf)),
      ...(yield* ObservedLint.check(document, observed))
    ]
  })

/** The same in one go. */
export const checkAgainst = (text: string, observed: ObservedLint.Observations): Checked =>
  runSync(checkingAgainst(text, observed))
