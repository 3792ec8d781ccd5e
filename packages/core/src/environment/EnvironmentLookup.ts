/** Environments by name for use cases: found, and neither archived nor of the wrong sort. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { Granted } from "../access/Access.js"
import { EnvironmentName } from "../shared/Identifier.js"
import type { StoreError } from "../shared/StoreError.js"
import type { EnvironmentKey } from "./Environment.js"
import { EnvironmentArchived, EnvironmentNotFound } from "./EnvironmentFailure.js"
import type { MarkedEnvironment } from "./EnvironmentStore.js"

/** How an environment can be missing. */
export type Missing = EnvironmentNotFound | EnvironmentArchived

/** What was found, unless it is nothing or archived; `asked` is the name as it was asked for. */
export const present =
  (granted: Granted, asked: string) =>
  (found: Option.Option<MarkedEnvironment>): Effect.Effect<MarkedEnvironment, Missing> => {
    const named = { org: granted.org, environment: asked }
    if (Option.isNone(found)) return new EnvironmentNotFound(named)
    return found.value.environment.archived_at === null
      ? Effect.succeed(found.value)
      : new EnvironmentArchived(named)
  }

const decodeName = Schema.decodeOption(EnvironmentName)

/** The environment of a name that may be no name at all. */
export const byText =
  (
    find: (key: EnvironmentKey) => Effect.Effect<Option.Option<MarkedEnvironment>, StoreError>,
    granted: Granted
  ) =>
  (asked: string): Effect.Effect<MarkedEnvironment, Missing | StoreError> =>
    Option.match(decodeName(asked), {
      onNone: () => new EnvironmentNotFound({ org: granted.org, environment: asked }),
      onSome: (name) => Effect.flatMap(find({ org: granted.orgId, name }), present(granted, asked))
    })
