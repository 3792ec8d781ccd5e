/** Refuses a new version of a policy that accepts what the latest one refuses. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Schema from "effect/Schema"
import { OrgName } from "../shared/Identifier.js"
import * as Slices from "../shared/Slices.js"
import type { VersionCheck } from "./Policies.js"
import * as PolicyComparison from "./PolicyComparison.js"
import * as PolicyDocument from "./PolicyDocument.js"
import { Facts } from "./PolicyFacts.js"
import { PolicyReason } from "./PolicyReason.js"

/** A text accepts something that the latest version refuses, or that is not known, and the request rules it out. */
export class PolicyWouldBeWeaker extends Schema.TaggedError<PolicyWouldBeWeaker>()(
  "PolicyWouldBeWeaker",
  {
    org: OrgName,
    policy: Schema.String,
    version: Schema.Int,
    /** Facts that only the text accepts, and why the latest version does not; null where it is not known. */
    acceptedByNewOnly: Schema.NullOr(
      Schema.Struct({ facts: Facts, reasons: Schema.Array(PolicyReason) })
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
