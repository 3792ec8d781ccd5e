/**
 * Lint: remarks about a policy that is valid and probably says something else than it means. DECISION B-327
 *
 * `check` reads the text alone; `checkAgainst` also what an org has and runs. A remark about all facts is made only
 * when it is proven; beyond the limits there is none.
 */
import * as Either from "effect/Either"
import * as YamlText from "../shared/YamlText.js"
import * as ConditionLint from "./internal/ConditionLint.js"
import type { Draft } from "./internal/LintDraft.js"
import * as ObservedLint from "./internal/ObservedLint.js"
import * as RuleLint from "./internal/RuleLint.js"
import * as PolicyDocument from "./PolicyDocument.js"
import { type PolicyRemark, severityOf } from "./PolicyRemark.js"

/** What an org has, and what runs there. */
export type { Observations } from "./internal/ObservedLint.js"

type Checked = Either.Either<ReadonlyArray<PolicyRemark>, PolicyDocument.InvalidPolicyDocument>

const remarks = (
  text: string,
  drafts: (document: PolicyDocument.PolicyDocument, lineOf: RuleLint.LineOf) => ReadonlyArray<Draft>
): Checked =>
  Either.map(PolicyDocument.parse(text), (document) => {
    // INVARIANT: the text has just been parsed; the default is never used.
    const positionOf = Either.match(YamlText.parse(text), {
      onLeft: () => () => ({ line: 1, column: 1 }),
      onRight: (yaml) => yaml.positionOf
    })
    return drafts(document, (path) => positionOf(path).line)
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
  })

const ofText = (
  document: PolicyDocument.PolicyDocument,
  lineOf: RuleLint.LineOf
): ReadonlyArray<Draft> => [...ConditionLint.check(document), ...RuleLint.check(document, lineOf)]

/** The remarks about a text, in its order; the problems of a text that is no policy. */
export const check = (text: string): Checked => remarks(text, ofText)

/** As `check`, with remarks about names that the org does not have and rules that nothing there uses. */
export const checkAgainst = (text: string, observed: ObservedLint.Observations): Checked =>
  remarks(text, (document, lineOf) => [
    ...ofText(document, lineOf),
    ...ObservedLint.check(document, observed)
  ])
