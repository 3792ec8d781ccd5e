/** What an artifact is asserted by, from the query of the operations that do. */
import type { AssertQuery } from "@attestry/api/AssertionApi"
import { type BadRequest, invalid } from "@attestry/api/HttpError"
import type { AssertionTarget } from "@attestry/core/Assertions"
import * as Either from "effect/Either"

/** The members of a query that name the scope. */
export type AskedScope = Pick<typeof AssertQuery.Type, "environment_name" | "policy_name">

/** The scope of an assertion; an environment and policies exclude each other. */
export const targetOf = ({
  environment_name: environment,
  policy_name: policies
}: AskedScope): Either.Either<AssertionTarget, BadRequest> => {
  if (environment !== undefined && policies !== undefined)
    return Either.left(
      invalid({
        "query.policy_name": `Give environment_name or policy_name, not both [input: ${policies.join(", ")}]`
      })
    )
  if (environment !== undefined) return Either.right({ scope: "environment", environment })
  return Either.right(policies === undefined ? { scope: "flow" } : { scope: "policy", policies })
}
