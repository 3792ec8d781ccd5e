/** Creates, replaces and finds environments. SPEC §4.4 */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Access from "../access/Access.js"
import { CurrentActor } from "../access/Actor.js"
import * as Writer from "../access/Writer.js"
import { Journals } from "../journal/Journals.js"
import { EnvironmentId, type EnvironmentName, type OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import * as PutOutcome from "../shared/PutOutcome.js"
import { Transaction } from "../shared/Transaction.js"
import * as Environment from "./Environment.js"
import { EnvironmentStore, type MarkedEnvironment } from "./EnvironmentStore.js"

/** Use cases of environments. */
export class Environments extends Effect.Service<Environments>()("@attestry/core/Environments", {
  effect: Effect.gen(function* () {
    const store = yield* EnvironmentStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator

    const record = (writer: Writer.Writer, kind: string, environment: Environment.Environment) =>
      journals.record({
        ...writer,
        kind,
        subject: { type: "environment", id: environment.id },
        content: environment
      })

    const insert = (writer: Writer.Writer, draft: Environment.EnvironmentDraft) =>
      Effect.gen(function* () {
        const environment: Environment.Environment = {
          org_id: writer.org,
          id: EnvironmentId.make(yield* ids.next),
          name: draft.name,
          type: draft.type,
          description: draft.description ?? "",
          include_scaling: draft.include_scaling ?? false,
          created_at: writer.at,
          last_modified_at: writer.at,
          last_reported_at: null,
          last_changed_at: null
        }
        const created = yield* store.insert(environment)
        if (created) yield* record(writer, "environment_created", environment)
        return created
      })

    const update =
      (granted: Access.Granted, writer: Writer.Writer, draft: Environment.EnvironmentDraft) =>
      ({ environment }: MarkedEnvironment) =>
        Effect.gen(function* () {
          const next = Environment.revise(environment, draft, writer.at)
          if (environment.type !== draft.type) {
            return yield* new Environment.EnvironmentKindMismatch({
              environment: environment.name,
              kind: environment.type,
              asked: draft.type
            })
          }
          if (Environment.sameSettings(environment, next)) return "unchanged" as const
          // DECISION D11.4: whoever may only report must not change settings by creating again.
          yield* Access.authorize(granted.actor, granted.org, "environment.write")
          yield* store.update(next)
          yield* record(writer, "environment_updated", next)
          return "updated" as const
        })

    /** Creates the environment or makes it what the draft says; identical concurrent calls all succeed. */
    const put = Effect.fn("Environments.put")(function* (
      org: OrgName,
      draft: Environment.EnvironmentDraft
    ) {
      const granted = yield* Access.authorize(yield* CurrentActor, org, "environment.put")
      return yield* transaction.run(granted.orgId, ({ now }) => {
        const writer = Writer.make(granted, now)
        return PutOutcome.put({
          find: store.lockByName({ org: writer.org, name: draft.name }),
          insert: insert(writer, draft),
          update: update(granted, writer, draft)
        })
      })
    })

    /** The environment of that name; fails when there is none. */
    const get = Effect.fn("Environments.get")(function* (org: OrgName, name: EnvironmentName) {
      const { orgId } = yield* Access.authorize(yield* CurrentActor, org, "org.read")
      const { environment } = yield* Effect.flatMap(
        store.findByName({ org: orgId, name }),
        Either.fromOption(() => new Environment.EnvironmentNotFound({ org, environment: name }))
      )
      return environment
    })

    return { put, get } as const
  })
}) {}
