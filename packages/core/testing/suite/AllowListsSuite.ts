/** The contract of `EnvironmentStore` about allow-lists. */
import type { AllowListEntry } from "@attestry/core/AllowListEntry"
import * as Environment from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import { Fingerprint } from "@attestry/core/Fingerprint"
import type { Ports } from "@attestry/core/Ports"
import type { Timestamp } from "@attestry/core/Timestamp"
import { Transaction } from "@attestry/core/Transaction"
import { deepStrictEqual } from "@effect/vitest/utils"
import * as Effect from "effect/Effect"
import type * as Layer from "effect/Layer"
import * as Fixture from "../Fixture.js"
import { type SuiteOptions, suite } from "../Suite.js"

const newEntry = (
  environment: Environment.Environment,
  letter: string,
  created_at: Timestamp
): AllowListEntry => ({
  org_id: environment.org_id,
  environment_id: environment.id,
  fingerprint: Fingerprint.make(letter.repeat(64)),
  name: `name-${letter}`,
  reason: "because",
  created_by: "ada",
  created_at,
  expires_at: null,
  owner: null
})

/** States the contract of `EnvironmentStore` about allow-lists. */
export const allowListsSuite = <E>(
  name: string,
  ports: Layer.Layer<Ports, E>,
  options: SuiteOptions = {}
): void =>
  suite(`EnvironmentStore, allow-lists (${name})`, ports, options, (it) => {
    it.effect("lists the entries of an environment, oldest first, without those removed", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const prod = yield* Fixture.environment(yield* Fixture.org)
        const ref = Environment.ref(prod)
        const [a, b] = [newEntry(prod, "a", Fixture.LATER), newEntry(prod, "b", Fixture.AT)]
        yield* store.putAllowed(a)
        yield* store.putAllowed(b)
        deepStrictEqual(yield* store.listAllowed(ref), [b, a])
        const changed = { ...a, reason: "another" }
        yield* store.putAllowed(changed)
        deepStrictEqual(yield* store.listAllowed(ref), [b, changed])
        yield* store.removeAllowed(ref, b.fingerprint)
        yield* store.removeAllowed(ref, b.fingerprint)
        deepStrictEqual(yield* store.listAllowed(ref), [changed])
      })
    )

    it.effect("keeps the end and the owner of an entry, and lists one that has ended", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const prod = yield* Fixture.environment(org)
        const ref = Environment.ref(prod)
        const entry = newEntry(prod, "a", Fixture.AT)
        const ending = { ...entry, expires_at: Fixture.LATER, owner: "mia" }
        for (const next of [ending, { ...ending, expires_at: Fixture.AT }, entry]) {
          yield* store.putAllowed(next)
          deepStrictEqual(yield* store.listAllowed(ref), [next])
          deepStrictEqual(yield* store.listAllowedOfOrg(org.id), [
            { environment: prod.name, entry: next }
          ])
        }
        const read = (yield* Transaction).run(org.id, () =>
          Effect.zipRight(store.lock(ref), store.listAllowed(ref))
        )
        yield* store.putAllowed(ending)
        deepStrictEqual(yield* read, [ending])
      })
    )

    it.effect("lists the entries of all active environments of an org, newest first", () =>
      Effect.gen(function* () {
        const store = yield* EnvironmentStore
        const org = yield* Fixture.org
        const [prod, dev, old] = [
          yield* Fixture.environment(org, "prod"),
          yield* Fixture.environment(org, "dev"),
          yield* Fixture.environment(org, "old")
        ]
        const other = yield* Fixture.environment(yield* Fixture.org)
        const entries = {
          prod: newEntry(prod, "a", Fixture.AT),
          newer: newEntry(prod, "c", Fixture.LATER),
          first: newEntry(dev, "b", Fixture.AT),
          second: newEntry(dev, "c", Fixture.AT)
        }
        for (const entry of Object.values(entries)) yield* store.putAllowed(entry)
        yield* store.putAllowed(newEntry(old, "d", Fixture.AT))
        yield* store.putAllowed(newEntry(other, "e", Fixture.AT))
        yield* (yield* EnvironmentStore).rename(Environment.archive(old, Fixture.LATER), old.name)
        deepStrictEqual(yield* store.listAllowedOfOrg(org.id), [
          { environment: prod.name, entry: entries.newer },
          { environment: dev.name, entry: entries.first },
          { environment: dev.name, entry: entries.second },
          { environment: prod.name, entry: entries.prod }
        ])
        deepStrictEqual(yield* store.listAllowedOfOrg((yield* Fixture.org).id), [])
      })
    )
  })
