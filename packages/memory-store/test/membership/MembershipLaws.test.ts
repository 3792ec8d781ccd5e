/**
 * The laws of memberships (KEY-6, KEY-7) on whole histories: generated sequences of adding, changing and
 * removing people, by several at once.
 */
import { Login } from "@attestry/core/Identifier"
import { JournalStore } from "@attestry/core/JournalStore"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { Memberships } from "@attestry/core/Memberships"
import type { Org } from "@attestry/core/Org"
import { BaseRole } from "@attestry/core/Role"
import * as Fixture from "@attestry/core/testing/Fixture"
import * as UseCases from "@attestry/core/UseCases"
import * as SecretsWebCrypto from "@attestry/core/webcrypto/SecretsWebCrypto"
import { assert, it } from "@effect/vitest"
import { Effect, FastCheck, Layer, Schema } from "effect"
import { lengthForRun } from "../../../core/test/shared/Effort.js"
import * as MemoryStore from "../../src/MemoryStore.js"

const Store = UseCases.layer.pipe(
  Layer.provideMerge(MemoryStore.layer),
  Layer.provideMerge(SecretsWebCrypto.layer)
)

const login = FastCheck.constantFrom("ada", "bob", "cleo").map((name) => Login.make(name))
const role = FastCheck.constantFrom(...BaseRole.literals)
const commands = FastCheck.array(
  FastCheck.record({ what: FastCheck.constantFrom("add", "change", "remove"), login, role }),
  { maxLength: 15 }
)

const by = { kind: "system", id: "s", name: "s" } as const

const apply = (org: Org) => (command: { what: string; login: Login; role: BaseRole }) =>
  Effect.gen(function* () {
    const members = yield* Memberships
    const change = { org, login: command.login, by, source: "script" } as const
    const { role } = command
    const work: Effect.Effect<unknown, { readonly _tag: string }> =
      command.what === "add"
        ? members.add({ ...change, role, displayName: null, email: null })
        : command.what === "change"
          ? members.changeRole({ ...change, role })
          : members.remove(change)
    yield* Effect.either(work)
  })

const decodeChange = Schema.decodeSync(
  Schema.parseJson(
    Schema.Struct({ role: Schema.NullOr(BaseRole), previous_role: Schema.NullOr(BaseRole) })
  )
)

const query = { sort: "when", direction: "asc" } as const

it.effect.prop(
  "there is always an admin, and each event goes on from the one before (KEY-6, KEY-7)",
  { commands },
  ({ commands }) =>
    Effect.gen(function* () {
      const store = yield* MembershipStore
      const org = yield* Fixture.org
      yield* apply(org)({ what: "add", login: Login.make("ada"), role: "admin" })
      yield* Effect.forEach(commands, apply(org), { concurrency: 3 })
      assert.isAtLeast((yield* store.lockAdmins(org.id)).length, 1)
      const journal = yield* JournalStore
      const { events } = yield* store.listEvents(org.id, query, { offset: 0, limit: 1000 })
      for (const user of new Set(events.map(({ user_id }) => user_id))) {
        const entries = yield* journal.listBySubject(org.id, { type: "user", id: user })
        const changes = entries.map(({ content }) => decodeChange(content))
        let before: string | null = null
        for (const { previous_role, role } of changes) {
          assert.strictEqual(previous_role, before)
          assert.notStrictEqual(role, previous_role)
          before = role
        }
        const own = events.filter(({ user_id }) => user_id === user)
        assert.deepStrictEqual(
          own.map(({ role, previous_role }) => `${previous_role} ${role}`).sort(),
          changes.map(({ role, previous_role }) => `${previous_role} ${role}`).sort()
        )
      }
    }).pipe(Effect.provide(Store)),
  { fastCheck: { numRuns: lengthForRun({ quick: 8, full: 50, deep: 2_000 }) } }
)
