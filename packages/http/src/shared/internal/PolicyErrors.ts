/** The HTTP errors of policies: texts that are none, policies that are not there, questions that are too large. */
import * as HttpError from "@attestry/api/HttpError"
import type { PolicyNotFound, PolicyVersionNotFound } from "@attestry/core/Policy"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import * as TrustPolicyDocument from "@attestry/core/TrustPolicyDocument"
import type { TrustPolicyNotFound } from "@attestry/core/TrustPolicyVersion"
import type { InvalidBacktest, TooManyBacktests } from "@attestry/policy-lab/Backtests"
import type { TooManyRows } from "@attestry/policy-lab/PolicyAuthoring"
import * as PolicyTests from "@attestry/policy-lab/PolicyTests"
import type { PolicyWouldBeWeaker } from "@attestry/policy-lab/WeakerVersion"

/** An error of policies. */
export type PolicyError =
  | InvalidBacktest
  | PolicyDocument.InvalidPolicyDocument
  | PolicyNotFound
  | PolicyTests.InvalidPolicyTests
  | PolicyVersionNotFound
  | TooManyBacktests
  | TrustPolicyDocument.InvalidTrustPolicyDocument
  | TrustPolicyNotFound
  | PolicyWouldBeWeaker
  | TooManyRows

const weaker = (error: PolicyWouldBeWeaker): HttpError.Conflict => {
  const { acceptedByNewOnly, org, policy, version } = error
  const latest = `version ${version} of policy '${policy}' in organization '${org}'`
  return acceptedByNewOnly === null
    ? new HttpError.Conflict({
        message: `Whether the text accepts what ${latest} refuses cannot be decided: leave \`unless\` out to save it`
      })
    : new HttpError.Conflict({
        message: `The text accepts what ${latest} refuses: leave \`unless\` out to save it all the same`,
        accepted_by_new_only: acceptedByNewOnly
      })
}

/** The HTTP error of an error of policies. */
export const translate = (error: PolicyError): HttpError.HttpError => {
  switch (error._tag) {
    case "InvalidPolicyDocument":
      return new HttpError.BadRequest({
        message: `${error.problems.length} validation errors for Policy`,
        errors: PolicyDocument.fieldErrors(error)
      })
    case "InvalidPolicyTests":
      return new HttpError.BadRequest({
        message: `${error.problems.length} validation errors for PolicyTests`,
        errors: PolicyTests.fieldErrors(error)
      })
    case "InvalidTrustPolicyDocument":
      return new HttpError.BadRequest({
        message: `${error.problems.length} validation errors for TrustPolicy`,
        errors: TrustPolicyDocument.fieldErrors(error)
      })
    case "TrustPolicyNotFound":
      return new HttpError.NotFound({
        message: `Organization '${error.org}' has no trust policy`
      })
    case "InvalidBacktest":
      return HttpError.invalid({ [error.field]: `${error.problem} [input: …]` })
    case "TooManyBacktests":
      return new HttpError.TooManyRequests({ message: error.message, retryAfterSeconds: 5 })
    case "TooManyRows":
      return HttpError.invalid({ environments: `${error.message} [input: …]` })
    case "PolicyVersionNotFound":
      return new HttpError.NotFound({
        message: `Policy '${error.policy}' in organization '${error.org}' has no version ${error.version}`
      })
    case "PolicyWouldBeWeaker":
      return weaker(error)
    case "PolicyNotFound":
      return new HttpError.NotFound({
        message: `Policy '${error.policy}' does not exist in organization '${error.org}'`
      })
  }
}
