/** Finds whom grants are for, by name, and names them. */
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import { type GrantSubject, type SubjectKind, SubjectNotFound } from "../../grant/Grant.js"
import { MembershipStore } from "../../membership/MembershipStore.js"
import { ServiceAccountStore } from "../../service-account/ServiceAccountStore.js"
import {
  Login,
  type OrgId,
  type OrgName,
  ServiceAccountName,
  TeamId,
  TeamName,
  UserId
} from "../../shared/Identifier.js"
import type { StoreError } from "../../shared/StoreError.js"
import { TeamStore } from "../../team/TeamStore.js"

/** A subject as callers name it; the name of everyone is empty. */
export interface NamedSubject {
  readonly kind: SubjectKind
  readonly name: string
}

/** The form of a subject in maps. */
export const keyOf = ({ id, kind }: GrantSubject): string => `${kind} ${id}`

const isLogin = Schema.is(Login)
const isTeam = Schema.is(TeamName)
const isAccount = Schema.is(ServiceAccountName)

/** Finds and names whom grants are for. */
export class GrantSubjects extends Effect.Service<GrantSubjects>()("@attestry/core/GrantSubjects", {
  effect: Effect.gen(function* () {
    const members = yield* MembershipStore
    const teams = yield* TeamStore
    const accounts = yield* ServiceAccountStore

    const nobody: Effect.Effect<Option.Option<string>, StoreError> = Effect.succeedNone

    const findUser = (org: OrgId, name: string) =>
      Effect.gen(function* () {
        const user = isLogin(name) ? yield* members.findUser(name) : Option.none()
        if (Option.isNone(user)) return Option.none()
        const { id } = user.value
        const membership = yield* members.find({ org, user: id })
        return Option.map(membership, (): string => id)
      })

    const findId: {
      readonly [kind in SubjectKind]: (
        org: OrgId,
        name: string
      ) => Effect.Effect<Option.Option<string>, StoreError>
    } = {
      user: findUser,
      team: (org, name) =>
        isTeam(name)
          ? Effect.map(
              teams.find({ org, name }),
              Option.map(({ id }) => id)
            )
          : nobody,
      "service-account": (org, name) =>
        isAccount(name)
          ? Effect.map(
              accounts.findByName({ org, name }),
              Option.map(({ id }) => id)
            )
          : nobody,
      everyone: (_org, name) => (name === "" ? Effect.succeedSome("") : nobody)
    }

    /** The subject of that name in an org. */
    const find = (
      { id, name }: { readonly id: OrgId; readonly name: OrgName },
      subject: NamedSubject
    ): Effect.Effect<GrantSubject, SubjectNotFound | StoreError> =>
      Effect.flatMap(
        findId[subject.kind](id, subject.name),
        Option.match({
          onNone: () => new SubjectNotFound({ org: name, ...subject }),
          onSome: (found) => Effect.succeed({ kind: subject.kind, id: found })
        })
      )

    /** The name of a subject; its id where it has left the org or was deleted. */
    const nameOf = (
      org: OrgId,
      { id, kind }: GrantSubject,
      accountsById: ReadonlyMap<string, string>
    ): Effect.Effect<string, StoreError> => {
      switch (kind) {
        case "user":
          return Effect.map(
            members.findUserById(UserId.make(id)),
            Option.match({ onNone: () => id, onSome: ({ login }): string => login })
          )
        case "team":
          return Effect.map(
            teams.find({ org, id: TeamId.make(id) }),
            Option.match({ onNone: () => id, onSome: ({ name }): string => name })
          )
        case "service-account":
          return Effect.succeed(accountsById.get(id) ?? id)
        case "everyone":
          return Effect.succeed("")
      }
    }

    /** The names of some subjects, by their key. */
    const namesOf = (
      org: OrgId,
      subjects: ReadonlyArray<GrantSubject>
    ): Effect.Effect<ReadonlyMap<string, string>, StoreError> =>
      Effect.gen(function* () {
        const distinct = new Map(subjects.map((subject) => [keyOf(subject), subject]))
        const hasAccounts = subjects.some(({ kind }) => kind === "service-account")
        const all = hasAccounts ? yield* accounts.list(org) : []
        const byId = new Map(all.map(({ id, name }): [string, string] => [id, name]))
        const names = new Map<string, string>()
        for (const [key, subject] of distinct) names.set(key, yield* nameOf(org, subject, byId))
        return names
      })

    return { find, namesOf } as const
  })
}) {}
