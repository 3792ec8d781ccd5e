/** Environments by name for use cases: found, and neither archived nor of the wrong sort. */
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Granted } from "../../access/Access.js"
import { EnvironmentName } from "../../shared/Identifier.js"
import {
  EnvironmentArchived,
  type EnvironmentMissing,
  EnvironmentNotFound
} from "../EnvironmentFailure.js"
import type { MarkedEnvironment } from "../EnvironmentStore.js"

/** What was found, unless it is nothing or archived; `asked` is the name as it was asked for. */
export const present =
  (granted: Granted, asked: string) =>
  (
    found: Option.Option<MarkedEnvironment>
  ): Either.Either<MarkedEnvironment, EnvironmentMissing> => {
    const named = { org: granted.org, environment: asked }
    if (Option.isNone(found)) return Either.left(new EnvironmentNotFound(named))
    return found.value.environment.archived_at === null
      ? Either.right(found.value)
      : Either.left(new EnvironmentArchived(named))
  }

const decodeName = Schema.decodeOption(EnvironmentName)

/** The name that a text is; a text that cannot be one names no environment. */
export const nameOf = (
  granted: Granted,
  asked: string
): Either.Either<EnvironmentName, EnvironmentNotFound> =>
  Either.fromOption(
    decodeName(asked),
    () => new EnvironmentNotFound({ org: granted.org, environment: asked })
  )
