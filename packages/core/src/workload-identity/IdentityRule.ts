/**
 * A rule by which an id token of a pipeline becomes a credential of a service account.
 *
 * A token fits a rule when issuer and audience are equal, and subject and all claims match whole. Names of owners and
 * repositories can be given up and taken by others, so rules for GitHub and GitLab must name a numeric id.
 * DECISIONS.md, "Pipelines exchange id tokens for keys"
 */
import * as Schema from "effect/Schema"
import { KeyScope, problems as scopeProblems } from "../access/KeyScope.js"
import { withInput } from "../shared/FieldErrors.js"
import { OrgName, ServiceAccountName } from "../shared/Identifier.js"
import type { IdTokenClaims } from "./IdToken.js"
import * as ClaimPattern from "./internal/ClaimPattern.js"

/** The most rules of one account. */
export const RULES_MAX = 20
/** The most claims of one rule. */
export const CLAIMS_MAX = 10
/** Bounds of the life of a credential, in seconds. */
export const LIFETIME_SECONDS = { min: 60, max: 3_600, default: 900 } as const

const URL_LENGTH_MAX = 512
const Pattern = Schema.String.pipe(
  Schema.minLength(1),
  Schema.maxLength(ClaimPattern.PATTERN_LENGTH_MAX)
)

/** A rule. */
export const IdentityRule = Schema.Struct({
  issuer: Schema.String.pipe(Schema.maxLength(URL_LENGTH_MAX)),
  audience: Schema.String.pipe(Schema.minLength(1), Schema.maxLength(URL_LENGTH_MAX)),
  subject: Pattern,
  claims: Schema.Record({ key: Schema.String, value: Pattern }),
  /** How long a credential lives, in seconds. */
  lifetime: Schema.Int.pipe(Schema.between(LIFETIME_SECONDS.min, LIFETIME_SECONDS.max)),
  /** Whether a token is accepted once only. */
  single_use: Schema.Boolean,
  /** What the credential leaves of the account's access; absent leaves all. */
  scope: Schema.optionalWith(KeyScope, { exact: true })
}).annotations({ identifier: "IdentityRule" })
/** A rule. */
export type IdentityRule = typeof IdentityRule.Type

/** Rules that cannot be saved, with a sentence for each field. */
export class InvalidIdentityRules extends Schema.TaggedError<InvalidIdentityRules>()(
  "InvalidIdentityRules",
  {
    org: OrgName,
    name: ServiceAccountName,
    problems: Schema.Record({ key: Schema.String, value: Schema.String })
  }
) {
  override get message(): string {
    return `the rules of \`${this.name}\` cannot be saved`
  }
}

const ISSUER = /^https:\/\/[^\s?#@\\]+$/

/** Issuers whose names of owners can change hands, and the claims of which one must be exact. */
const NUMBERED: ReadonlyArray<readonly [RegExp, ReadonlyArray<string>]> = [
  [
    /^https:\/\/token\.actions\.githubusercontent\.com(?:\/|$)/,
    ["repository_id", "repository_owner_id"]
  ],
  [/^https:\/\/gitlab\./, ["project_id", "namespace_id"]]
]

const numberProblem = ({ issuer, claims }: IdentityRule): string | null => {
  const [, names] = NUMBERED.find(([pattern]) => pattern.test(issuer)) ?? []
  if (names === undefined) return null
  const isNumbered = names.some((name) => {
    const pattern = Object.hasOwn(claims, name) ? claims[name] : undefined
    return pattern !== undefined && ClaimPattern.isExact(pattern)
  })
  return isNumbered ? null : `Rules of this issuer name ${names.join(" or ")} without a wildcard`
}

const subjectProblem = ({ subject }: IdentityRule): string | null => {
  if (subject.startsWith("*")) return "The subject begins with a wildcard"
  return !ClaimPattern.isExact(subject) && ClaimPattern.fixedSegments(subject) < 2
    ? "A subject with a wildcard has two fixed segments at least"
    : null
}

type Problem = readonly [field: string, message: string | null, input: unknown]

const problemsOf = (
  rule: IdentityRule,
  at: string,
  check: (url: string) => string | null
): ReadonlyArray<Problem> => [
  [
    `${at}.issuer`,
    ISSUER.test(rule.issuer) ? check(rule.issuer) : "An issuer is an https URL without a query",
    rule.issuer
  ],
  [`${at}.subject`, subjectProblem(rule), rule.subject],
  [
    `${at}.claims`,
    Object.keys(rule.claims).length > CLAIMS_MAX
      ? `A rule has at most ${CLAIMS_MAX} claims`
      : numberProblem(rule),
    rule.claims
  ]
]

/** What keeps rules from being saved, by field; `check` says why a URL is refused as a destination. */
export const problems = (
  rules: ReadonlyArray<IdentityRule>,
  check: (url: string) => string | null
): { readonly [field: string]: string } =>
  rules.length > RULES_MAX
    ? { rules: withInput(`An account has at most ${RULES_MAX} rules`, rules.length) }
    : Object.assign(
        Object.fromEntries(
          rules
            .flatMap((rule, index) => problemsOf(rule, `rules[${index}]`, check))
            .flatMap(([field, message, input]) =>
              message === null ? [] : [[field, withInput(message, input)]]
            )
        ),
        ...rules.map(({ scope }, index) =>
          scope === undefined ? {} : scopeProblems(scope, `rules[${index}].scope`)
        )
      )

const textOf = (value: unknown): string | undefined => {
  if (typeof value === "string") return value
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined
}

/** Whether a verified token fits a rule. */
export const fits = (
  rule: IdentityRule,
  { issuer, subject, audiences, all }: IdTokenClaims
): boolean =>
  rule.issuer === issuer &&
  audiences.includes(rule.audience) &&
  ClaimPattern.matches(rule.subject, subject) &&
  Object.entries(rule.claims).every(([name, pattern]) => {
    const value = Object.hasOwn(all, name) ? textOf(all[name]) : undefined
    return value !== undefined && ClaimPattern.matches(pattern, value)
  })
