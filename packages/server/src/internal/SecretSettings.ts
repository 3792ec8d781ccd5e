/**
 * Validates settings that hold secrets.
 *
 * WHY apart from the schema: messages of a schema quote their input, so a secret field has one message for every
 * problem.
 */
import * as DatabaseUrl from "./DatabaseUrl.js"

const smtpProblem = (text: string): string | undefined =>
  /^smtps?:\/\//.test(text) ? undefined : "Input should begin with smtp:// or smtps://"

const CHECKS: ReadonlyArray<readonly [string, (text: string) => string | undefined]> = [
  ["ATTESTRY_DATABASE_URL", DatabaseUrl.problem],
  ["ATTESTRY_MIGRATION_DATABASE_URL", DatabaseUrl.problem],
  ["ATTESTRY_PRIMARY_DATABASE_URL", DatabaseUrl.problem],
  ["ATTESTRY_SMTP_URL", smtpProblem]
]

/** The problems, each with its variable. */
export const problems = (
  values: ReadonlyMap<string, string>
): ReadonlyArray<readonly [variable: string, problem: string]> =>
  CHECKS.flatMap(([variable, check]) => {
    const value = values.get(variable)
    const problem = value === undefined ? undefined : check(value)
    return problem === undefined ? [] : [[variable, problem] as const]
  })
