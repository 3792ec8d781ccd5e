/** Refuses a new version of a policy that accepts what the latest one refuses. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import type { OrgName } from "../../shared/Identifier.js"
import * as Slices from "../../shared/Slices.js"
import { type Policy, PolicyWouldBeWeaker } from "../Policy.js"
import * as PolicyComparison from "../PolicyComparison.js"
import * as PolicyDocument from "../PolicyDocument.js"

/** Fails where a text accepts something that the latest version refuses, or where that is not known. */
export const refuse = (
  org: OrgName,
  { name, policy_yaml, version }: Policy,
  document: PolicyDocument.PolicyDocument
): Effect.Effect<void, PolicyWouldBeWeaker> => {
  const weaker = (acceptedByNewOnly: PolicyComparison.Witness | null) =>
    new PolicyWouldBeWeaker({ org, policy: name, version, acceptedByNewOnly })
  return Either.match(PolicyDocument.parse(policy_yaml), {
    // WHY not known: a stored text that cannot be read fails everything, and what it meant is not known.
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
