/** The problems of the controls that a policy names, each with its position. */
import * as Arr from "effect/Array"
import * as Either from "effect/Either"
import type { ControlRefusal } from "../../control/ControlRefusal.js"
import * as YamlText from "../../shared/YamlText.js"
import { InvalidPolicyDocument, type PolicyDocument, PROBLEMS_MAX } from "../PolicyDocument.js"

const SAYS: { readonly [refusal in ControlRefusal]: (control: string) => string } = {
  unknown: (control) => `there is no control \`${control}\`: create it first, or name another one`,
  archived: (control) => `control \`${control}\` is archived: unarchive it, or name another one`
}

/** The document, or its refused controls; `text` is its source. */
export const check = (
  text: string,
  document: PolicyDocument,
  refused: ReadonlyMap<string, ControlRefusal>
): Either.Either<PolicyDocument, InvalidPolicyDocument> => {
  if (refused.size === 0) return Either.right(document)
  const yaml = Either.getOrUndefined(YamlText.parse(text))
  const problems = document.attestations.flatMap(({ forControl }, index) => {
    const refusal = forControl === null ? undefined : refused.get(forControl)
    if (forControl === null || refusal === undefined) return []
    const path = ["artifacts", "attestations", index, "for_control"]
    // INVARIANT: the text has been parsed before; the default is never used.
    const { column, line } = yaml?.positionOf(path) ?? { line: 1, column: 1 }
    return [{ path: path.join("."), line, column, message: SAYS[refusal](forControl) }]
  })
  const shown = problems.slice(0, PROBLEMS_MAX + 1)
  return Arr.isNonEmptyArray(shown)
    ? Either.left(new InvalidPolicyDocument({ problems: shown }))
    : Either.right(document)
}
