/**
 * Runs administration commands with the use cases.
 *
 * Results are JSON values. Only the result of `key issue` contains the secret of the new key.
 */
import { ApiKeyNotFound, type ExpiryNotInFuture } from "@attestry/core/ApiKey"
import { ApiKeys } from "@attestry/core/ApiKeys"
import { noting } from "@attestry/core/DamagedRecords"
import { DeadLetters } from "@attestry/core/DeadLetters"
import * as ErasedMembers from "@attestry/core/ErasedMembers"
import { Erasures, type NotPersonal } from "@attestry/core/Erasures"
import type { ApiKeyId, Login, OrgName } from "@attestry/core/Identifier"
import type { JournalActor } from "@attestry/core/JournalEntry"
import type { Journals } from "@attestry/core/Journals"
import { LogCheckpoints } from "@attestry/core/LogCheckpoints"
import { LogEpochs, type NothingLost } from "@attestry/core/LogEpochs"
import type { LogEntryNotFound } from "@attestry/core/LogProof"
import { LogStore } from "@attestry/core/LogStore"
import { LogVerification } from "@attestry/core/LogVerification"
import type { AlreadyMember, LastAdmin, NotAMember, UserNotFound } from "@attestry/core/Membership"
import { MembershipStore } from "@attestry/core/MembershipStore"
import { Memberships } from "@attestry/core/Memberships"
import { type OrgExists, OrgNotFound, Orgs } from "@attestry/core/Orgs"
import type { RecordVerification } from "@attestry/core/RecordVerification"
import type { StoreError } from "@attestry/core/StoreError"
import type * as Timestamp from "@attestry/core/Timestamp"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import type { AdminCommand } from "./AdminCommand.js"
import { iso } from "./IsoTime.js"
import * as ObservationCommands from "./ObservationCommands.js"
import * as SignInCommands from "./SignInCommands.js"
import * as Verification from "./Verification.js"

/** The actor of administration commands in the audit log. */
const administration: JournalActor = {
  kind: "system",
  id: "administration",
  name: "attestry-server"
}

/** No user has the login, or the user belongs to no org, so a key would give no access. */
export class UserWithoutOrg extends Schema.TaggedError<UserWithoutOrg>()("UserWithoutOrg", {
  login: Schema.String
}) {
  override get message(): string {
    return `there is no user \`${this.login}\` who belongs to an org`
  }
}

type Of<Tag extends AdminCommand["_tag"]> = Extract<AdminCommand, { readonly _tag: Tag }>

/** `null` means never. */
const isoOrNull = (at: Timestamp.Timestamp | null): string | null => (at === null ? null : iso(at))

const createOrg = ({ name }: Of<"org create">) =>
  Effect.map(
    Effect.flatMap(Orgs, (orgs) => orgs.create(name, administration)),
    (org) => ({ id: org.id, name: org.name, created_at: iso(org.created_at) })
  )

const listOrgs = Effect.map(
  Effect.flatMap(Orgs, (orgs) => orgs.list),
  (all) => all.map(({ id, name, created_at }) => ({ id, name, created_at: iso(created_at) }))
)

const memberOf = ({ login, org }: Pick<Of<"user remove">, "login" | "org">) =>
  Effect.map(
    Effect.flatMap(Orgs, (orgs) => orgs.get(org)),
    (found) => ({ org: found, login, by: administration, source: "script" }) as const
  )

const addUser = (command: Of<"user add">) =>
  Effect.gen(function* () {
    const user = yield* (yield* Memberships).add({
      ...(yield* memberOf(command)),
      role: command.role,
      email: command.email ?? null,
      displayName: command["display-name"] ?? null
    })
    const { id, login, display_name, email } = user
    return { id, login, display_name, email, org: command.org, role: command.role }
  })

const changeRole = (command: Of<"user role">) =>
  Effect.gen(function* () {
    const { login, org, role } = command
    yield* (yield* Memberships).changeRole({ ...(yield* memberOf(command)), role })
    return { login, org, role }
  })

const removeUser = (command: Of<"user remove">) =>
  Effect.gen(function* () {
    const { login, org } = command
    yield* (yield* Memberships).remove(yield* memberOf(command))
    return { login, org, removed: true }
  })

/** A user with the org that the user joined first, whose audit log records events of personal keys. */
const personOf = (login: Login) =>
  Effect.gen(function* () {
    const found = yield* (yield* Memberships).findUser(login)
    const org = Option.isSome(found) ? found.value.orgs[0] : undefined
    return Option.isSome(found) && org !== undefined
      ? { user: found.value.user, org: org.org_id }
      : yield* new UserWithoutOrg({ login })
  })

const issueKey = (command: Of<"key issue">) =>
  Effect.gen(function* () {
    const { user, org } = yield* personOf(command.user)
    const lifetimeSeconds = command["expires-in"] ?? null
    const { id, key, expiresAt } = yield* (yield* ApiKeys).issue({
      org,
      user: user.id,
      by: administration,
      description: command.description ?? "issued by an administration command",
      lifetimeSeconds
    })
    return { id, key: Redacted.value(key), user: user.login, expires_at: isoOrNull(expiresAt) }
  })

const listKeys = (command: Of<"key list">) =>
  Effect.gen(function* () {
    const { user, org } = yield* personOf(command.user)
    const keys = yield* (yield* ApiKeys).listPersonal(org, user.id)
    return keys.map(({ id, description, created_at, expires_at, last_used_at }) => ({
      id,
      description,
      created_at: iso(created_at),
      expires_at: isoOrNull(expires_at),
      last_used_at: isoOrNull(last_used_at)
    }))
  })

/** The org whose audit log records the revocation of a key: that of its account, or the first of its user. */
const placeOf = (id: ApiKeyId) =>
  Effect.gen(function* () {
    const owner = yield* (yield* ApiKeys).findOwner(id)
    if (Option.isNone(owner)) return yield* new ApiKeyNotFound({ id })
    if (owner.value.kind === "service-account") {
      return { owner: owner.value, org: owner.value.org_id }
    }
    const [first] = yield* (yield* MembershipStore).listOrgs(owner.value.user_id)
    return { owner: owner.value, org: first?.org_id ?? null }
  })

const revokeKey = ({ id }: Of<"key revoke">) =>
  Effect.gen(function* () {
    yield* (yield* ApiKeys).revoke({ ...(yield* placeOf(id)), id, by: administration })
    return { id, revoked: true }
  })

/** The most dead letters that are listed for each org. */
const FAILED_MAX = 1_000

/** The org that a command names, or all orgs. */
const orgsOf = ({ org }: { readonly org?: OrgName }) =>
  Effect.flatMap(Orgs, (orgs) =>
    org === undefined ? orgs.list : Effect.map(orgs.get(org), (found) => [found])
  )

const listUsers = (command: Of<"user list">) =>
  Effect.gen(function* () {
    const memberships = yield* Memberships
    const found = yield* Effect.forEach(yield* orgsOf(command), ({ id, name: org }) =>
      Effect.map(memberships.list(id), (members) =>
        members.map(({ login, role, created_at, suspended_at }) => ({
          login,
          org,
          role,
          since: iso(created_at),
          ...(suspended_at === null ? {} : { suspended: true })
        }))
      )
    )
    return found.flat()
  })

const listFailed = (command: Of<"notifications failed list">) =>
  Effect.gen(function* () {
    const letters = yield* DeadLetters
    const found = yield* Effect.forEach(yield* orgsOf(command), ({ id, name }) =>
      Effect.map(letters.list(id, { page: 1, perPage: FAILED_MAX }), (dead) =>
        // WHY only the type: the URL of a target is a secret of its org.
        dead.map((letter) => ({
          id: letter.id,
          org: name,
          target: letter.target.type,
          event_type: letter.notification.event_type,
          description: letter.notification.description,
          attempts: letter.attempts,
          created_at: iso(letter.created_at),
          failed_at: iso(letter.failed_at),
          error: letter.error
        }))
      )
    )
    return found.flat()
  })

const replayFailed = (command: Of<"notifications failed replay">) =>
  Effect.gen(function* () {
    const letters = yield* DeadLetters
    const ids = command.id === undefined ? "all" : [command.id]
    const replayed = yield* Effect.forEach(yield* orgsOf(command), ({ id: org }) =>
      letters.replay({ org, ids, by: administration })
    )
    return { replayed: replayed.flat() }
  })

/** WHY not found only where nothing is remembered: an org that was removed is what is looked for. */
const verify = ({ level, from, org }: Of<"verify">) =>
  Effect.gen(function* () {
    const [orgs, log] = [yield* Orgs, yield* LogVerification]
    const [all, unreadable] = yield* noting(orgs.list)
    // An org whose row cannot be read is verified under its id, and what is remembered of its name is lost.
    const there = Effect.map(noting(orgs.list), ([now]) => now.map(({ name }) => name))
    const lost = yield* log.lost(there, org)
    const chosen = all.filter(({ name }) => org === undefined || name === org)
    if (org !== undefined && chosen.length + lost.length === 0) {
      return yield* new OrgNotFound({ org })
    }
    return yield* Verification.verify(
      { orgs: chosen, lost, unreadable: org === undefined ? unreadable : [] },
      {
        ...(level === undefined ? {} : { level }),
        ...(from === undefined ? {} : { from })
      }
    )
  })

/** WHY `--yes`: what is erased cannot be had back. */
const erase = ({ org, value, reason, yes }: Of<"erase">) =>
  Effect.gen(function* () {
    const { id: orgId } = yield* (yield* Orgs).get(org)
    const preview = yes !== "true"
    const found = yield* (yield* Erasures).eraseValue(
      { org, orgId, by: administration },
      { value, reason, preview }
    )
    const { entries: erased, kept, searched } = found
    const members = [...ErasedMembers.PERSONAL]
    return {
      org,
      preview,
      entries: erased.length,
      erased,
      kept,
      searched: { ...searched, members }
    }
  })

/** WHY asked for: reads go on, and no write is accepted, until an operator decides that the loss is final. */
const acceptRollback = ({ org }: Of<"log accept-rollback">) =>
  Effect.gen(function* () {
    const { id } = yield* (yield* Orgs).get(org)
    const { epoch, origin, previous } = yield* (yield* LogEpochs).acceptRollback(id, administration)
    return { org, epoch, origin, previous_origin: previous.origin, lost: previous.lost }
  })

const logStatus = (command: Of<"log status">) =>
  Effect.gen(function* () {
    const [store, checkpoints] = [yield* LogStore, yield* LogCheckpoints]
    const found = yield* Effect.forEach(yield* orgsOf(command), ({ id, name }) =>
      Effect.gen(function* () {
        const tree = yield* store.find(id)
        if (Option.isNone(tree)) return []
        const signed = yield* store.findCheckpoint(tree.value)
        return [
          {
            org: name,
            origin: tree.value.origin,
            epoch: tree.value.epoch,
            size: tree.value.edge.size,
            signed: Option.getOrNull(Option.map(signed, ({ size }) => size)),
            stopped: yield* checkpoints.isFork(tree.value)
          }
        ]
      })
    )
    return found.flat()
  })

/** The errors of commands. */
export type AdminError =
  | LogEntryNotFound
  | NotPersonal
  | AlreadyMember
  | ApiKeyNotFound
  | ExpiryNotInFuture
  | LastAdmin
  | NotAMember
  | NothingLost
  | OrgExists
  | OrgNotFound
  | SignInCommands.SignInCommandError
  | StoreError
  | UserNotFound
  | UserWithoutOrg

/** The services that commands need. */
export type AdminServices =
  | ApiKeys
  | DeadLetters
  | Erasures
  | Journals
  | LogCheckpoints
  | LogEpochs
  | LogStore
  | LogVerification
  | Memberships
  | MembershipStore
  | ObservationCommands.ObservationServices
  | Orgs
  | RecordVerification
  | SignInCommands.SignInServices

type LogCommand = Of<"log accept-rollback" | "log status" | "erase" | "verify">

/** Runs a command about logs. */
const runOnLog = (command: LogCommand): Effect.Effect<unknown, AdminError, AdminServices> => {
  switch (command._tag) {
    case "log accept-rollback":
      return acceptRollback(command)
    case "log status":
      return logStatus(command)
    case "erase":
      return erase(command)
    case "verify":
      return verify(command)
  }
}

/** Runs a command. */
export const run = (command: AdminCommand): Effect.Effect<unknown, AdminError, AdminServices> => {
  switch (command._tag) {
    case "org create":
      return createOrg(command)
    case "org list":
      return listOrgs
    case "user add":
      return addUser(command)
    case "user list":
      return listUsers(command)
    case "user role":
      return changeRole(command)
    case "user remove":
      return removeUser(command)
    case "key issue":
      return issueKey(command)
    case "key list":
      return listKeys(command)
    case "key revoke":
      return revokeKey(command)
    case "denied list":
      return ObservationCommands.listDenied(command)
    case "processes":
      return ObservationCommands.listProcesses
    case "notifications failed list":
      return listFailed(command)
    case "notifications failed replay":
      return replayFailed(command)
    case "user link":
    case "user unlink":
    case "sign-in set":
    case "sign-in check":
      return SignInCommands.run(command, administration)
    // INVARIANT: `AdminClient` runs commands about files itself.
    case "org export":
    case "org import":
    case "log key add":
    case "log key retire":
      return Effect.dieMessage("the files are on the machine of the command")
    default:
      return runOnLog(command)
  }
}
