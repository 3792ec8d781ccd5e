/**
 * The model of environments that are behind: a store that marks every environment of a changed policy, and what then
 * evaluates each of them. It remembers which of the marks the other store has as "behind".
 */
import { CurrentActor } from "@attestry/core/Actor"
import { ref } from "@attestry/core/Environment"
import { EnvironmentStore } from "@attestry/core/EnvironmentStore"
import type { EnvironmentName } from "@attestry/core/Identifier"
import type { Org } from "@attestry/core/Org"
import * as Policy from "@attestry/core/Policy"
import * as PolicyDocument from "@attestry/core/PolicyDocument"
import { PolicyStore } from "@attestry/core/PolicyStore"
import type { Ports } from "@attestry/core/Ports"
import { Reevaluations } from "@attestry/core/Reevaluations"
import { Transaction } from "@attestry/core/Transaction"
import type { UseCases } from "@attestry/core/UseCases"
import type * as Context from "effect/Context"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Fixture from "./Fixture.js"
import * as HistoryFixture from "./HistoryFixture.js"

/** The commands that lock an environment, so that it is no longer behind. */
const LOCKING = new Set(["Report", "Attach", "Detach", "Allow", "Disallow"])

/** A life in the store that marks. */
export class BehindModel {
  readonly #behind = new Set<EnvironmentName>()
  readonly #org: Org
  readonly #names: ReadonlyArray<EnvironmentName>
  readonly #provided: <A, E>(
    work: Effect.Effect<A, E, Ports | UseCases | CurrentActor>
  ) => Effect.Effect<A, E>

  constructor(
    org: Org,
    context: Context.Context<Ports | UseCases>,
    names: ReadonlyArray<EnvironmentName>
  ) {
    this.#org = org
    this.#names = names
    this.#provided = (work) =>
      work.pipe(
        Effect.provideService(CurrentActor, Fixture.actor([org, "admin"])),
        Effect.provide(context)
      )
  }

  /** Every environment by name. */
  readonly #environments = Effect.suspend(() =>
    Effect.map(
      Effect.flatMap(EnvironmentStore, (store) => store.list(this.#org.id)),
      (all) => new Map(all.map((environment) => [environment.name, environment]))
    )
  )

  /** Evaluates the pending environments that pass, in the order of the store. */
  #drain(keep: (name: EnvironmentName) => boolean) {
    const work = Effect.gen(this, function* () {
      const reevaluations = yield* Reevaluations
      const names = new Map(
        [...(yield* this.#environments).values()].map(({ id, name }) => [id, name])
      )
      for (const { ref } of yield* (yield* EnvironmentStore).listPending(this.#org.id)) {
        const name = names.get(ref.environment)
        if (name === undefined || !keep(name)) continue
        yield* reevaluations.drainPending(ref)
        this.#behind.delete(name)
      }
    })
    return this.#provided(work)
  }

  /** Those that are marked and not behind, as after a change of a policy of few environments. */
  readonly list = Effect.suspend(() => this.#drain((name) => !this.#behind.has(name)))

  readonly work = Effect.suspend(() => this.#drain((name) => this.#behind.has(name)))

  /** What a list marks, by name: those that are behind, and logical ones with a member that is. */
  readonly marks = Effect.suspend(() =>
    this.#provided(
      Effect.map(this.#environments, (all) => {
        const isBehind = (id: string) =>
          [...all.values()].some((each) => each.id === id && this.#behind.has(each.name))
        return [...all.values()]
          .filter(({ id, included }) => [id, ...(included ?? [])].some(isBehind))
          .map(({ name }) => name)
          .sort()
      })
    )
  )

  look(name: EnvironmentName) {
    return Effect.gen(this, function* () {
      yield* this.list
      const all = yield* this.#provided(this.#environments)
      const members = all.get(name)?.included ?? []
      yield* this.#drain(
        (each) =>
          this.#behind.has(each) &&
          (each === name || members.some((id) => all.get(each)?.id === id))
      )
    })
  }

  happen(said: HistoryFixture.HistoryCommand, count: number) {
    return Effect.gen(this, function* () {
      if (said._tag === "Save") return yield* this.#save(said.policy, said.text)
      const name = "environment" in said ? this.#names[said.environment] : undefined
      const isDone = said._tag !== "Disallow" || (yield* this.#allows(said))
      if (name !== undefined && LOCKING.has(said._tag) && isDone) this.#behind.delete(name)
      return yield* this.#provided(HistoryFixture.happen(this.#org, said, count))
    })
  }

  /** Whether there is an entry to remove; without one the command fails, and its transaction does nothing. */
  #allows(said: HistoryFixture.HistoryCommand & { readonly _tag: "Disallow" }) {
    const work = Effect.gen(this, function* () {
      const found = (yield* this.#environments).get(
        this.#names[said.environment] ?? this.#names[0]!
      )
      if (found === undefined) return false
      const entries = yield* (yield* EnvironmentStore).listAllowed(ref(found))
      const wanted = HistoryFixture.CONTENTS[said.content]
      return entries.some(({ fingerprint }) => fingerprint === wanted)
    })
    return this.#provided(work)
  }

  /** A new version as a crash leaves it: marks, and nothing that evaluates them. */
  #save(policy: number, text: number) {
    const work = Effect.gen(this, function* () {
      yield* this.list
      const { run } = yield* Transaction
      const store = yield* PolicyStore
      const name = HistoryFixture.POLICIES[policy] ?? HistoryFixture.POLICIES[0]!
      const policy_yaml = HistoryFixture.TEXTS[text] ?? ""
      const document = yield* PolicyDocument.parse(policy_yaml)
      const changed = yield* run(this.#org.id, (scope) =>
        Effect.gen(this, function* () {
          const key = { org: this.#org.id, name }
          const current = Option.getOrThrow(yield* store.findByName(key, { lock: true }))
          const draft = { name, description: "", comment: "", policy_yaml }
          const reads = PolicyDocument.readParts(document)
          const at = yield* scope.now
          const { isVersion, next } = Policy.revise(current, { ...draft, reads }, at)
          if (!isVersion) return undefined
          yield* store.update(next, {
            ...Fixture.policyVersion(next),
            dump: PolicyDocument.dump(document),
            timestamp: at
          })
          return next.id
        })
      )
      if (changed === undefined) return
      for (const environment of (yield* this.#environments).values())
        if (environment.policies.includes(changed)) this.#behind.add(environment.name)
    })
    return this.#provided(work)
  }
}
