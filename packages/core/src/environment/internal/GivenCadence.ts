/** The cadence that a request gives, which a logical environment cannot have. */
import * as Effect from "effect/Effect"
import * as Struct from "effect/Struct"
import * as Cadence from "../Cadence.js"
import type { Environment } from "../Environment.js"
import { CadenceOfLogicalEnvironment } from "../EnvironmentFailure.js"

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
