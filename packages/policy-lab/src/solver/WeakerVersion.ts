/** Refuses a new version of a policy that accepts what the latest one refuses. */

import { OrgName } from "@attestry/core/Identifier"
import type { VersionCheck } from "@attestry/core/Policies"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import { Facts } from "@attestry/core/PolicyFacts"
import { PolicyReason } from "@attestry/core/PolicyReason"
import * as Slices from "@attestry/core/Slices"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import * as PolicyComparison from "./PolicyComparison.js"

/** A text accepts something that the latest version refuses, or that is not known, and the request rules it out. */
export class PolicyWouldBeWeaker extends Schema.TaggedError<PolicyWouldBeWeaker>()(
  "PolicyWouldBeWeaker",
  {
    org: OrgName,
    policy: Schema.String,
    version: Schema.Int,
    /** Facts that only the text accepts, and why the latest version does not; null where it is not known. */
    acceptedByNewOnly: Schema.NullOr(
      Schema.Struct({
        facts: Facts,
        reasons: Schema.Array(PolicyReason),
        now: Schema.optionalWith(Schema.Number, { exact: true })
      })
    )
  }
) {
  override get message(): string {
    const { acceptedByNewOnly, org, policy, version } = this
    const what = acceptedByNewOnly === null ? "may accept" : "accepts"
    return `the text ${what} what version ${version} of policy \`${policy}\` in org \`${org}\` refuses`
  }
}

/** Fails for a text that accepts something that the latest version refuses, or of which that is not known. */
export const refuseWeaker =
  (org: OrgName): VersionCheck<PolicyWouldBeWeaker> =>
  ({ name, policy_yaml, version }, document) => {
    const weaker = (acceptedByNewOnly: PolicyComparison.Witness | null) =>
      new PolicyWouldBeWeaker({ org, policy: name, version, acceptedByNewOnly })
    return Either.match(PolicyDocument.parse(policy_yaml), {
      // WHY: a stored text that cannot be read fails everything, so its meaning is not known.
      onLeft: () => weaker(null),
      onRight: (latest) =>
        Effect.flatMap(
          Slices.run(() => PolicyComparison.comparing(latest, document)),
          ({ acceptedByNewOnly }) =>
            acceptedByNewOnly === null
              ? Effect.void
              : weaker(acceptedByNewOnly === "unknown" ? null : acceptedByNewOnly)
        )
    })
  }
