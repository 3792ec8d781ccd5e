/**
 * Remarks about a valid trust policy that probably does not mean what its author intends. Nothing keeps such a policy
 * from being saved.
 */
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as CanonicalJson from "../shared/CanonicalJson.js"
import * as DocumentProblem from "../shared/DocumentProblem.js"
import { printInput } from "../shared/FieldErrors.js"
import * as YamlText from "../shared/YamlText.js"
import type { Path } from "./internal/PartReader.js"
import * as TrustPolicyDocument from "./TrustPolicyDocument.js"

/** The kinds of remarks. */
export const TrustPolicyRemarkCode = Schema.Literal(
  "key_unused",
  "key_ended",
  "duplicate_rule",
  "wide_san"
).annotations({ identifier: "TrustPolicyRemarkCode" })
/** A kind of remarks. */
export type TrustPolicyRemarkCode = typeof TrustPolicyRemarkCode.Type

/** One remark; the path is dotted, and the position is that of its key in the text. */
export const TrustPolicyRemark = Schema.Struct({
  ...DocumentProblem.DocumentProblem.fields,
  code: TrustPolicyRemarkCode,
  /** A warning is probably a mistake; an info is something to know. */
  severity: Schema.Literal("warning", "info")
}).annotations({ identifier: "TrustPolicyRemark" })
/** One remark. */
export type TrustPolicyRemark = typeof TrustPolicyRemark.Type

interface Draft {
  readonly code: TrustPolicyRemarkCode
  readonly path: Path
  readonly message: string
}

const aboutKeys = (
  { keys, rules }: TrustPolicyDocument.TrustPolicyDocument,
  now: number
): ReadonlyArray<Draft> => {
  const used = new Set(rules.flatMap(({ signer }) => (signer.kind === "keys" ? signer.keys : [])))
  return keys.flatMap(
    ({ id, validUntil }, index): ReadonlyArray<Draft> => [
      ...(used.has(id)
        ? []
        : [
            {
              code: "key_unused" as const,
              path: ["keys", index, "id"],
              message: `no rule names the key \`${id}\`: name it in a rule, or remove it`
            }
          ]),
      ...(validUntil === null || validUntil > now
        ? []
        : [
            {
              code: "key_ended" as const,
              path: ["keys", index, "valid_until"],
              message: `the key \`${id}\` does not count any more: its end is past`
            }
          ])
    ]
  )
}

/** A later rule that equals an earlier one in all but its name decides nothing: the earlier one applies first. */
const aboutRules = (rules: ReadonlyArray<TrustPolicyDocument.TrustRule>): ReadonlyArray<Draft> => {
  const known = new Map<string, string>()
  return rules.flatMap(({ name, ...rest }, index) => {
    const text = CanonicalJson.print(rest)
    const earlier = known.get(text)
    if (earlier === undefined) known.set(text, name)
    return earlier === undefined
      ? []
      : [
          {
            code: "duplicate_rule" as const,
            path: ["rules", index],
            message: `the rule trusts the same as \`${printInput(earlier)}\`, which applies first: remove it`
          }
        ]
  })
}

/** A scheme, a host and two segments, such as the owner and the repository of a workflow. */
const NARROW = /^[a-z][a-z0-9+.-]*:\/\/[^/]+\/[^/]+\/[^/]+\//

/** Whether a pattern of a SAN matches identities beyond one repository or one address. */
const isWide = (san: string): boolean => {
  const wildcard = san.indexOf("*")
  return wildcard >= 0 && !NARROW.test(san.slice(0, wildcard))
}

const aboutIdentities = (
  rules: ReadonlyArray<TrustPolicyDocument.TrustRule>
): ReadonlyArray<Draft> =>
  rules.flatMap(({ signer }, index) =>
    signer.kind === "sigstore" && signer.sourceRepositoryId === null && isWide(signer.san)
      ? [
          {
            code: "wide_san" as const,
            path: ["rules", index, "signer", "sigstore", "san"],
            message:
              "the pattern matches identities of many owners or repositories: " +
              "write the part before the first wildcard out, or add `source_repository_id`"
          }
        ]
      : []
  )

/** The remarks about a text at an instant in epoch seconds, in its order; the problems of a text that is none. */
export const check = (
  text: string,
  now: number
): Either.Either<
  ReadonlyArray<TrustPolicyRemark>,
  TrustPolicyDocument.InvalidTrustPolicyDocument
> =>
  Either.map(TrustPolicyDocument.parse(text), (document) => {
    // INVARIANT: the text has just been parsed; the default is never used.
    const positionOf = Either.match(YamlText.parse(text), {
      onLeft: () => () => ({ line: 1, column: 1 }),
      onRight: (yaml) => yaml.positionOf
    })
    return [
      ...aboutKeys(document, now),
      ...aboutRules(document.rules),
      ...aboutIdentities(document.rules)
    ]
      .map(
        ({ code, message, path }): TrustPolicyRemark => ({
          code,
          severity: code === "key_unused" ? "info" : "warning",
          path: path.join("."),
          ...positionOf(path),
          message
        })
      )
      .sort((left, right) => left.line - right.line || left.column - right.column)
  })
