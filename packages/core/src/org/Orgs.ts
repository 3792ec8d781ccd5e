/** Creates orgs, for administration commands and the first start. */
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import type { JournalActor } from "../journal/JournalEntry.js"
import { Journals } from "../journal/Journals.js"
import { OrgId, OrgName } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Transaction } from "../shared/Transaction.js"
import type { Org } from "./Org.js"
import { OrgStore } from "./OrgStore.js"

/** The name is taken. */
export class OrgExists extends Schema.TaggedError<OrgExists>()("OrgExists", { org: OrgName }) {
  override get message(): string {
    return `there is an org \`${this.org}\` already`
  }
}

/** There is no org of that name. Only administration commands return this error. */
export class OrgNotFound extends Schema.TaggedError<OrgNotFound>()("OrgNotFound", {
  org: OrgName
}) {
  override get message(): string {
    return `there is no org \`${this.org}\``
  }
}

/** Use cases of orgs. */
export class Orgs extends Effect.Service<Orgs>()("@attestry/core/Orgs", {
  effect: Effect.gen(function* () {
    const store = yield* OrgStore
    const transaction = yield* Transaction
    const journals = yield* Journals
    const ids = yield* IdGenerator

    const record = (org: Org, by: JournalActor) =>
      journals.record({
        org: org.id,
        kind: "org_created",
        subject: { type: "org", id: org.id },
        actor: by,
        at: org.created_at,
        content: org
      })

    /** Creates an org; fails when the name is taken. */
    const create = Effect.fn("Orgs.create")(function* (name: OrgName, by: JournalActor) {
      const id = OrgId.make(yield* ids.next)
      return yield* transaction.run(id, (scope) =>
        Effect.gen(function* () {
          const now = yield* scope.now
          const org: Org = { id, name, created_at: now }
          if (!(yield* store.insert(org))) return yield* new OrgExists({ org: name })
          yield* record(org, by)
          return org
        })
      )
    })

    /** Creates the first org of a deployment, inside the caller's transaction; none when there is one. */
    const createFirst = Effect.fn("Orgs.createFirst")(function* (org: Org, by: JournalActor) {
      if (!(yield* store.insert(org, { onlyFirst: true }))) return Option.none()
      yield* record(org, by)
      return Option.some(org)
    })

    /** The org of that name; fails when there is none. */
    const get = Effect.fn("Orgs.get")((name: OrgName) =>
      Effect.flatMap(
        store.find({ name: name }),
        Either.fromOption(() => new OrgNotFound({ org: name }))
      )
    )

    return { create, createFirst, get, list: store.list } as const
  })
}) {}
