/** Environments by name for use cases: present and active, or the error. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Granted } from "../access/Access.js"
import { EnvironmentName } from "../shared/Identifier.js"
import {
  EnvironmentArchived,
  type EnvironmentMissing,
  EnvironmentNotFound
} from "./EnvironmentFailure.js"
import type { ReportedEnvironment } from "./EnvironmentStore.js"

/** The environment, or the error that it is absent or archived; `given` is the name in the request. */
export const present =
  (granted: Granted, given: string) =>
  (
    found: Option.Option<ReportedEnvironment>
  ): Either.Either<ReportedEnvironment, EnvironmentMissing> => {
    const named = { org: granted.org, environment: given }
    if (Option.isNone(found)) return Either.left(new EnvironmentNotFound(named))
    return found.value.environment.archived_at === null
      ? Either.right(found.value)
      : Either.left(new EnvironmentArchived(named))
  }

const decodeName = Schema.decodeOption(EnvironmentName)

/** The name in a text; a text that is no name means no environment. */
export const nameOf = (
  granted: Granted,
  given: string
): Either.Either<EnvironmentName, EnvironmentNotFound> =>
  Either.fromOption(
    decodeName(given),
    () => new EnvironmentNotFound({ org: granted.org, environment: given })
  )
