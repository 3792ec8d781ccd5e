/** The modes of policies and the cadence that a request gives, if the actor and the environment may have them. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Access from "../../access/Access.js"
import type { PolicyId } from "../../shared/Identifier.js"
import * as Cadence from "../Cadence.js"
import type { Environment, ModesByName } from "../Environment.js"
import { CadenceOfLogicalEnvironment } from "../EnvironmentFailure.js"
import type { AttachedPolicies } from "./AttachedPolicies.js"

/** The members of a cadence that a request gives; fails where a logical environment would have one. */
export const cadenceIn = (
  { name, type }: Pick<Environment, "name" | "type">,
  { report_every, when_silent }: Partial<Cadence.Cadence>
): Effect.Effect<Partial<Cadence.Cadence>, CadenceOfLogicalEnvironment> => {
  const given = {
    ...(report_every === undefined ? {} : { report_every }),
    ...(when_silent === undefined ? {} : { when_silent })
  }
  const [field] = Struct.keys(Cadence.revise({}, given))
  return type === "logical" && field !== undefined
    ? new CadenceOfLogicalEnvironment({ environment: name, field })
    : Effect.succeed(given)
}

/** The modes that a request gives, by id; who sets modes writes policies. */
export const modesIn =
  (attached: AttachedPolicies) =>
  (granted: Access.Granted, policies: ReadonlyArray<PolicyId>, given: ModesByName | undefined) =>
    Effect.gen(function* () {
      if (given === undefined) return undefined
      yield* Access.authorize(granted.actor, granted.org, "policy.write")
      return yield* attached.modesOf(granted.orgId, policies, given)
    })
