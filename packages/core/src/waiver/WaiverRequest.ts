/**
 * A request for a waiver: from the fields of a request to the terms, or every problem at once. Pure.
 *
 * The use case reads the policy, the environment and the owner.
 */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import type { Fingerprint } from "../artifact/Fingerprint.js"
import type { WaivedRule } from "../policy/ActiveWaiver.js"
import type { PolicyDump } from "../policy/AppliedPolicy.js"
import * as PolicyExpression from "../policy/PolicyExpression.js"
import { withInput } from "../shared/FieldErrors.js"
import type { EnvironmentName, Login, PolicyName } from "../shared/Identifier.js"
import * as Timestamp from "../shared/Timestamp.js"
import { InvalidWaiver, type Terms, type Waiver } from "./Waiver.js"
import * as WaiverMatch from "./WaiverMatch.js"
import type { WaiverSettings } from "./WaiverSettings.js"

const DAY = 86_400

/** The fields of a request. */
export interface WaiverRequest {
  readonly policy_name: PolicyName
  readonly rule: WaivedRule | null
  readonly environment: EnvironmentName | null
  /** A condition inside `${{ … }}`. */
  readonly if: string | null
  /** Short for a condition on the fingerprint. */
  readonly artifact_fingerprint: Fingerprint | null
  readonly reason: string
  /** Null for the requester. */
  readonly owner: Login | null
  readonly ticket_url: string | null
  /** Null for the instant of the request. */
  readonly starts_at: Timestamp.Timestamp | null
  readonly expires_at: Timestamp.Timestamp
  readonly extends: number | null
}

/** What a request is checked against. */
export interface Known {
  readonly now: Timestamp.Timestamp
  readonly settings: WaiverSettings
  /** The latest version of the policy; null for one that does not parse. */
  readonly dump: PolicyDump | null
  /** The owner, or the requester without one; none for a login that is no member, and for a service account. */
  readonly owner: Option.Option<{ readonly id: string; readonly login: Login }>
  /** The waiver that the request extends; none for an unknown number. */
  readonly extended: Option.Option<Waiver>
  readonly environment_id: Terms["environment_id"]
}

const conditionOf = ({
  artifact_fingerprint,
  if: given
}: WaiverRequest): Either.Either<string | null, Readonly<Record<string, string>>> => {
  if (given === null)
    return Either.right(
      artifact_fingerprint === null ? null : WaiverMatch.conditionOf(artifact_fingerprint)
    )
  if (artifact_fingerprint !== null)
    return Either.left({ artifact_fingerprint: "give `if` or `artifact_fingerprint`, not both" })
  const text = Option.getOrUndefined(PolicyExpression.unwrap(given))
  if (text === undefined)
    return Either.left({
      if: withInput(`expected a condition inside \`${PolicyExpression.wrap("…")}\``, given)
    })
  return Either.mapBoth(PolicyExpression.parse(text), {
    onLeft: ({ message }) => ({ if: withInput(message, given) }),
    onRight: () => text
  })
}

const ruleProblem = (
  { rule }: WaiverRequest,
  { dump }: Known
): Readonly<Record<string, string>> => {
  if (rule === null) return {}
  const { attestation_name, attestation_type, for_control, type } = rule
  const isNamed = [attestation_name, attestation_type, for_control].some(
    (field) => field !== undefined
  )
  if (type !== "attestation" && isNamed)
    return { rule: "only a rule of type `attestation` has a type, a name or a control" }
  return dump === null || WaiverMatch.namesRule({ rule }, dump)
    ? {}
    : { rule: "no rule of the latest version of the policy asks for this" }
}

const timeProblems = (
  { expires_at }: WaiverRequest,
  starts_at: Timestamp.Timestamp,
  { settings: { max_days } }: Known
): Readonly<Record<string, string>> => {
  if (expires_at <= starts_at) return { expires_at: "it must be after the start and after now" }
  return expires_at > Timestamp.plusSeconds(starts_at, max_days * DAY)
    ? { expires_at: `at most ${max_days} days after the start` }
    : {}
}

const extendedProblem = (
  request: WaiverRequest,
  { extended }: Known
): Readonly<Record<string, string>> => {
  if (request.extends === null) return {}
  if (Option.isNone(extended)) return { extends: "there is no waiver of that number" }
  return extended.value.policy_name === request.policy_name
    ? {}
    : { extends: "it is a waiver of another policy" }
}

/** The terms of a request, or all its problems. */
export const read = (request: WaiverRequest, known: Known): Either.Either<Terms, InvalidWaiver> => {
  const starts_at = Timestamp.fromMicros(Math.max(request.starts_at ?? known.now, known.now))
  const condition = conditionOf(request)
  const problems = {
    ...Either.match(condition, { onLeft: (found) => found, onRight: () => ({}) }),
    ...ruleProblem(request, known),
    ...timeProblems(request, starts_at, known),
    ...extendedProblem(request, known),
    ...(Option.isNone(known.owner)
      ? { owner: withInput("it must be the login of a member", request.owner) }
      : {})
  }
  if (Either.isLeft(condition) || Option.isNone(known.owner) || Object.keys(problems).length > 0)
    return Either.left(new InvalidWaiver({ problems }))
  return Either.right({
    policy_name: request.policy_name,
    rule: request.rule,
    environment_id: known.environment_id,
    condition: condition.right,
    reason: request.reason,
    owner: known.owner.value.login,
    owner_id: known.owner.value.id,
    ticket_url: request.ticket_url,
    starts_at,
    expires_at: request.expires_at,
    extends: request.extends
  })
}
