/** The signed-in person, shared by all tabs. The API key of a sign-in is sent in one request and stored nowhere. */
import { signal } from "@preact/signals"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type * as Contract from "../shared/Contract.js"
import { cache, onSignedOut } from "../shared/Query.js"
import { send } from "../shared/Transport.js"

export type SessionState =
  | { readonly _tag: "Unknown" }
  | { readonly _tag: "Unreachable"; readonly problem: ApiProblem }
  | { readonly _tag: "SignedOut" }
  | { readonly _tag: "SignedIn"; readonly session: Contract.Session }
  /** The session ended while a page was open: the page stays, and a dialog asks to sign in again. */
  | { readonly _tag: "Ended"; readonly session: Contract.Session }

export const session = signal<SessionState>({ _tag: "Unknown" })

/** The session for which pages are rendered. */
export const current = (): Contract.Session | undefined =>
  session.value._tag === "SignedIn" || session.value._tag === "Ended"
    ? session.value.session
    : undefined

/** The CSRF token for writes. */
export const csrfToken = (): string => current()?.csrf_token ?? ""

const inOrg = (org: string) => current()?.orgs.find(({ name }) => name === org)

/** Whether the person has a permission in the org, or in some space of it. */
export const may = (org: string, permission: string): boolean =>
  inOrg(org)?.permissions.some((each) => each === permission) === true

/** Whether the person administers the whole org. */
export const isAdmin = (org: string): boolean => inOrg(org)?.role === "admin"

const isSamePerson = (a: Contract.Session, b: Contract.Session): boolean =>
  a.actor.kind === b.actor.kind && a.actor.id === b.actor.id

const channel = new BroadcastChannel("attestry-session")

/** Fetches the current session. */
export const load = async (): Promise<void> => {
  const outcome = await send(callOf("session.get", {}))
  if (outcome._tag === "Answered") {
    const before = current()
    // WHY: the contract types the answer of this operation.
    const after = outcome.value as Contract.Session
    if (before !== undefined && !isSamePerson(before, after)) cache.clear()
    session.value = { _tag: "SignedIn", session: after }
    cache.retryFailed()
  } else if (outcome._tag === "Refused") {
    session.value =
      outcome.problem.kind === "signed-out"
        ? { _tag: "SignedOut" }
        : { _tag: "Unreachable", problem: outcome.problem }
  }
}

/** Whether the session has ended, so that the next request waits for another one. */
export const hasEnded = (): boolean => session.value._tag === "Ended"

/** Lets the other tabs know that this browser has another session. */
export const announce = (): void => channel.postMessage("changed")

/** Signs in with an API key; returns the problem if that fails. */
export const open = async (apiKey: string): Promise<ApiProblem | undefined> => {
  const outcome = await send(callOf("session.open", {}), { body: { api_key: apiKey } })
  if (outcome._tag === "Refused") return outcome.problem
  await load()
  announce()
  return undefined
}

const forget = (): void => {
  cache.clear()
  sessionStorage.clear()
  session.value = { _tag: "SignedOut" }
}

/** Signs out, in this tab and in the others. */
export const close = async (): Promise<void> => {
  const outcome = await send(callOf("session.close", {}), {
    headers: { "x-csrf-token": csrfToken() }
  })
  forget()
  channel.postMessage("ended")
  // WHY: the contract types the answer of this operation.
  const answer = (outcome._tag === "Answered" ? outcome.value : "OK") as Contract.SignedOut
  // The provider that opened the session signs out too, and sends the browser back.
  if (answer !== "OK") location.assign(answer.location)
}

/** A change that waits for a sign-in within so many seconds; `end` gives it up. */
export const waiting = signal<{ readonly within: number; readonly end: () => void } | undefined>(
  undefined
)

/** WHY an end: a change that a person has forgotten must not be sent by a later sign-in. */
const WAIT_MILLIS = 600_000

/**
 * Opens the sign-in dialog over the page, and waits at most ten minutes for a new session of the same person; false if
 * there is none. With `within` the session goes on, and only a sign-in that is recent enough is missing; an API key is
 * none.
 */
export const signInAgain = (within?: number): Promise<boolean> => {
  const before = current()
  if (within === undefined) onSignedOut.run()
  else if (before?.sign_in.length === 0) return Promise.resolve(false)
  return new Promise((resolve) => {
    const end = (isDone: boolean) => {
      clearTimeout(timer)
      // WHY deferred: the first call happens before `stop` is assigned.
      queueMicrotask(() => stop())
      waiting.value = undefined
      resolve(isDone)
    }
    const timer = setTimeout(() => end(false), WAIT_MILLIS)
    waiting.value?.end()
    if (within !== undefined) waiting.value = { within, end: () => end(false) }
    const stop = session.subscribe((state) => {
      const after = state._tag === "SignedIn" ? state.session : undefined
      const isOld = within !== undefined && after?.csrf_token === before?.csrf_token
      if (state._tag === "SignedOut" || (after !== undefined && !isOld))
        end(before !== undefined && after !== undefined && isSamePerson(before, after))
    })
  })
}

/** Fetches the session, and follows requests and other tabs. */
export const start = (): void => {
  onSignedOut.run = () => {
    const known = current()
    session.value = known === undefined ? { _tag: "SignedOut" } : { _tag: "Ended", session: known }
  }
  channel.onmessage = ({ data }) => {
    if (data === "ended") forget()
    else void load()
  }
  void load()
}
