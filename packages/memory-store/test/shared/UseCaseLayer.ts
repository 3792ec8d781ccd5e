/** The use cases on a memory store of their own, an org to work in, and who asks. */
import { CurrentActor } from "@attestry/core/Actor"
import { JournalStore } from "@attestry/core/JournalStore"
import type { Org } from "@attestry/core/Org"
import type { Ports } from "@attestry/core/Ports"
import type { Role } from "@attestry/core/Role"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { Effect, Layer } from "effect"
import * as MemoryStore from "../../src/MemoryStore.js"

/** Every use case and every port. */
export const layer: Layer.Layer<UseCases.UseCases | Ports> = UseCases.layer.pipe(
  Layer.provideMerge(MemoryStore.layer),
  Layer.provide(SecretsWebCrypto.layer)
)

/** Asks as somebody with that role in the org. */
export const as = (org: Org, role: Role) =>
  Effect.provideService(CurrentActor, Fixture.actor([org, role]))

/** Runs work as the admin of a fresh org. */
export const inOrg = <A, E, R>(work: (org: Org) => Effect.Effect<A, E, R>) =>
  Effect.flatMap(Fixture.org, (org) => as(org, "admin")(work(org)))

/** What the journal of an org says: the kind and the subject's type of each entry. */
export const journalOf = ({ id: org }: Org) =>
  Effect.gen(function* () {
    const journal = yield* JournalStore
    const entries = yield* journal.listAfter({ org, after: 0, limit: 1_000 })
    return entries.map(({ kind, subject }) => `${kind} ${subject.type}`)
  })

/** The tag of a failure. */
export const tagOf = <A, E extends { readonly _tag: string }, R>(failing: Effect.Effect<A, E, R>) =>
  Effect.map(Effect.flip(failing), ({ _tag }) => _tag)
