/**
 * Opens, resumes and ends sessions of browsers and of command lines.
 *
 * Sessions are not journalled. Each use reads the key or the person, so that a revocation also ends sessions. In which
 * orgs a session counts is decided at each use (`CountedSession`). An org can end the sessions of a member for itself;
 * they then have no membership in it.
 */

import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Redacted from "effect/Redacted"
import type { Actor, ActorMembership } from "../access/Actor.js"
import { CredentialLife } from "../access/CredentialLife.js"
import { AccessEpoch } from "../access/internal/AccessEpoch.js"
import * as CredentialCache from "../access/internal/CredentialCache.js"
import { InvalidCredential } from "../api-key/ApiKey.js"
import { ApiKeys } from "../api-key/ApiKeys.js"
import { CredentialStore, type SessionDraft } from "../api-key/CredentialStore.js"
import { displayName } from "../membership/Membership.js"
import * as CurrentOutcome from "../shared/CurrentOutcome.js"
import { ApiKeyId, OrgId, SessionId, type UserId } from "../shared/Identifier.js"
import { IdGenerator } from "../shared/IdGenerator.js"
import { Secrets } from "../shared/Secrets.js"
import type { StoreError } from "../shared/StoreError.js"
import * as Timestamp from "../shared/Timestamp.js"
import * as CountedSession from "../sign-in/CountedSession.js"
import type { IdentityClaims } from "../sign-in/IdentityClaims.js"
import * as Provider from "../sign-in/Provider.js"
import { Providers } from "../sign-in/Providers.js"
import { type Person, SignInStore } from "../sign-in/SignInStore.js"
import * as Session from "./Session.js"

/** A new session; its text belongs in the cookie only. */
export interface OpenedSession {
  readonly text: Redacted.Redacted<string>
  readonly csrfToken: Redacted.Redacted<string>
}

/** A session that a command line can claim; its code belongs in the address to which the browser goes on. */
export interface OfferedSession {
  readonly code: Redacted.Redacted<string>
  readonly claimUntil: Timestamp.Timestamp
}

/** A session that a command line has claimed; its text belongs in a file of the person only. */
export interface ClaimedSession {
  readonly text: Redacted.Redacted<string>
  readonly expiresAt: Timestamp.Timestamp
}

/** The session of a person who signed in. */
export interface PersonOpening extends Pick<IdentityClaims, "provider" | "authTime" | "acr"> {
  readonly user: UserId
  /** The longest time that an org of the person lets a sign-in count. */
  readonly lifetimeSeconds: number
}

/** The actor of a session's cookie, and the CSRF token of its writes. */
export interface ResumedSession {
  /** Its memberships are those that count in the session. */
  readonly actor: Actor
  /** When the session was opened. */
  readonly openedAt: Timestamp.Timestamp
  readonly csrfToken: Redacted.Redacted<string>
  /** When the session ends at the latest; its key may end before. */
  readonly expiresAt: Timestamp.Timestamp
}

/** A person with the count of changes before the query. */
interface FoundPerson extends Person {
  readonly epoch: number
}

/** The settings of the orgs of an actor, with the count of changes before the query. */
interface FoundSettings {
  readonly settings: CountedSession.SettingsByOrg
  readonly epoch: number
}

/** Use cases of browser sessions. */
export class Sessions extends Effect.Service<Sessions>()("@attestry/core/Sessions", {
  effect: Effect.gen(function* () {
    const store = yield* CredentialStore
    const keys = yield* ApiKeys
    const signIns = yield* SignInStore
    const providers = yield* Providers
    const epoch = yield* AccessEpoch
    const timeToLive = yield* CredentialLife
    const secrets = yield* Secrets
    const ids = yield* IdGenerator

    const csrfOf = (text: Redacted.Redacted<string>) =>
      Effect.map(secrets.digest(Session.csrfSource(text)), Redacted.make)

    const cached = <A extends { readonly epoch: number }, Id extends string>(
      find: CredentialCache.Find<A, Id>
    ) =>
      CredentialCache.make(find, {
        timeToLive,
        isCurrent: (found) => found.epoch === epoch.current()
      })

    const findPerson = cached((id: UserId) =>
      Effect.gen(function* () {
        const before = epoch.current()
        const person = yield* signIns.findPerson(id)
        return Option.map(person, (found): FoundPerson => ({ ...found, epoch: before }))
      })
    )

    const findSettings = cached((orgs: string) =>
      Effect.gen(function* () {
        const before = epoch.current()
        const settings = yield* signIns.findSettings(orgs.split(" ").map((id) => OrgId.make(id)))
        return Option.some<FoundSettings>({ settings, epoch: before })
      })
    )

    const settingsOf = (memberships: ReadonlyArray<ActorMembership>) =>
      memberships.length === 0
        ? Effect.succeed<CountedSession.SettingsByOrg>(new Map())
        : Effect.map(
            findSettings(memberships.map(({ org_id }) => org_id).join(" ")),
            Option.match({ onNone: () => new Map(), onSome: ({ settings }) => settings })
          )

    /** The actor with the memberships that count. */
    const counted = (actor: Actor, opening: CountedSession.Opening) =>
      Effect.gen(function* () {
        const settings = yield* settingsOf(actor.memberships)
        const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
        const facts = { opening, settings, providers, now }
        const { counted: memberships, uncounted } = CountedSession.partition(
          actor.memberships,
          facts
        )
        return uncounted.length === 0
          ? { ...actor, memberships }
          : { ...actor, memberships, uncounted: [...(actor.uncounted ?? []), ...uncounted] }
      })

    const begin = (
      make: (common: { readonly id: SessionId; readonly digest: string }) => SessionDraft
    ) =>
      Effect.gen(function* () {
        const id = SessionId.make(yield* ids.next)
        const text = Session.print(id, yield* secrets.randomBytes(Session.SECRET_BYTES))
        yield* store.insertSession(
          make({ id, digest: yield* secrets.digest(Redacted.value(text)) })
        )
        return { text, csrfToken: yield* csrfOf(text) } satisfies OpenedSession
      })

    /** Opens a session for an actor that a key authenticated; a session opens no other session. */
    const open = Effect.fn("Sessions.open")(function* (actor: Actor) {
      if (actor.signed_in !== undefined) return yield* new InvalidCredential()
      const key = ApiKeyId.make(actor.key_id)
      return yield* begin((common) => ({
        ...common,
        key_id: key,
        lifetimeSeconds: Session.LIFETIME_SECONDS
      }))
    })

    /** Opens a session for a person whose identity the provider has confirmed. */
    const openForPerson = Effect.fn("Sessions.openForPerson")((opening: PersonOpening) =>
      begin((common) => ({
        ...common,
        user_id: opening.user,
        provider: opening.provider,
        auth_time: opening.authTime,
        acr: opening.acr,
        lifetimeSeconds: opening.lifetimeSeconds
      }))
    )

    const find = (text: Redacted.Redacted<string>) =>
      Effect.gen(function* () {
        const id = Session.parse(Redacted.value(text))
        const session = Option.isNone(id) ? Option.none() : yield* store.findSession(id.value)
        if (Option.isNone(session)) return yield* new InvalidCredential()
        const digest = yield* secrets.digest(Redacted.value(text))
        return (yield* secrets.equals(digest, session.value.digest))
          ? session.value
          : yield* new InvalidCredential()
      })

    const resumeKey = ({ key_id, created_at }: Session.KeySession) =>
      Effect.flatMap(keys.resume(key_id, created_at), (actor) => counted(actor, { _tag: "Key" }))

    const resumePerson = (session: Session.PersonSession) =>
      Effect.gen(function* () {
        const person = yield* findPerson(session.user_id)
        const isKnown = Provider.find(providers, session.provider) !== undefined
        if (Option.isNone(person) || !isKnown) return yield* new InvalidCredential()
        const { user, memberships, sessionsAfter } = person.value
        const { provider, auth_time, created_at: startedAt } = session
        const actor: Actor = {
          kind: "user",
          id: session.user_id,
          name: displayName(user),
          key_id: session.id,
          memberships: Session.counting(memberships, sessionsAfter, startedAt),
          signed_in: { provider, auth_time }
        }
        return yield* counted(actor, { _tag: "Provider", provider, startedAt })
      })

    /** The actor of the text of a session, as long as the session, and its key or its person, are valid. */
    const resume = (
      text: Redacted.Redacted<string>
    ): Effect.Effect<ResumedSession, InvalidCredential | StoreError> =>
      Effect.gen(function* () {
        const session = yield* find(text)
        const actor = Session.isOfPerson(session)
          ? yield* resumePerson(session)
          : yield* resumeKey(session)
        const { created_at: openedAt, expires_at: expiresAt } = session
        return { actor, openedAt, csrfToken: yield* csrfOf(text), expiresAt }
      })

    /** Offers the session of a cookie to the command line that has made the challenge. */
    const offer = Effect.fn("Sessions.offer")(function* (
      text: Redacted.Redacted<string>,
      challenge: string
    ) {
      const { id: source } = yield* find(text)
      const id = SessionId.make(yield* ids.next)
      const code = Session.print(id, yield* secrets.randomBytes(Session.SECRET_BYTES))
      const digest = yield* secrets.digest(Redacted.value(code))
      const claimSeconds = Session.CLAIM_SECONDS
      const offered = yield* store.offerSession({ id, source, digest, challenge, claimSeconds })
      if (Option.isNone(offered)) return yield* new InvalidCredential()
      const now = Timestamp.fromMillis(yield* Clock.currentTimeMillis)
      const claimUntil = Timestamp.plusSeconds(now, claimSeconds)
      return { code, claimUntil } satisfies OfferedSession
    })

    /** Claims an offered session with its code and the verifier of its challenge, once. */
    const claim = Effect.fn("Sessions.claim")(function* (
      code: Redacted.Redacted<string>,
      verifier: Redacted.Redacted<string>
    ) {
      const id = Session.parse(Redacted.value(code))
      if (Option.isNone(id)) return yield* new Session.ClaimRefused()
      const text = Session.print(id.value, yield* secrets.randomBytes(Session.SECRET_BYTES))
      const claimed = yield* store.claimSession({
        id: id.value,
        digest: yield* secrets.digest(Redacted.value(code)),
        challenge: Session.challengeOf(yield* secrets.digest(Redacted.value(verifier))),
        newDigest: yield* secrets.digest(Redacted.value(text))
      })
      if (Option.isNone(claimed)) return yield* new Session.ClaimRefused()
      return { text, expiresAt: claimed.value.expires_at } satisfies ClaimedSession
    })

    /** Whether a token is the CSRF token of a session. */
    const isToken = (session: ResumedSession, token: string): Effect.Effect<boolean> =>
      secrets.equals(token, Redacted.value(session.csrfToken))

    /** Ends the session of a text; does nothing for a text that is none. */
    const close = Effect.fn("Sessions.close")(function* (text: Redacted.Redacted<string>) {
      yield* find(text).pipe(
        Effect.flatMap(({ id }) =>
          Effect.zipRight(
            store.removeSession(id),
            CurrentOutcome.setOutcome({ type: "session", id, name: null, result: "deleted" })
          )
        ),
        Effect.catchTag("InvalidCredential", () => Effect.void)
      )
    })

    return { open, openForPerson, resume, offer, claim, isToken, close } as const
  })
}) {}
