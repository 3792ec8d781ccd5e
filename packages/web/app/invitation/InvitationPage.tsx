/**
 * The page of an invited person, who may be signed in or not: what the invitation gives, and its acceptance.
 *
 * The secret is the fragment of the address, so that no server on the way sees it. It leaves the address once it is
 * used.
 */
import * as Route from "@attestry/web/Route"
import { type Signal, useSignal } from "@preact/signals"
import { useEffect, useMemo } from "preact/hooks"
import * as Session from "../session/Session.js"
import { SignInForm } from "../session/SignInForm.js"
import { callOf } from "../shared/Api.js"
import type { ApiProblem } from "../shared/ApiProblem.js"
import type { AcceptedInvitation, OpenInvitation } from "../shared/Contract.js"
import { CopyButton } from "../shared/CopyButton.js"
import * as FormErrors from "../shared/FormErrors.js"
import * as Navigation from "../shared/Navigation.js"
import { Skeleton } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { TextField } from "../shared/SettingsForm.js"
import { Timestamp } from "../shared/Timestamp.js"
import { send } from "../shared/Transport.js"
import { decodeSecret } from "./InvitationSecret.js"

type Looked =
  | { readonly _tag: "Looking" }
  | { readonly _tag: "Open"; readonly invitation: OpenInvitation }
  | { readonly _tag: "Problem"; readonly problem: ApiProblem }

/** Takes the secret out of the address, so that it stays in no history. */
const forgetSecret = (): void => history.replaceState(history.state, "", location.pathname)

const enter = async (org: string): Promise<void> => {
  forgetSecret()
  await Session.load()
  Navigation.go(Route.make("Overview", { org }), { replace: true })
}

const Gives = ({ invitation }: { readonly invitation: OpenInvitation }) => (
  <>
    <p>
      <RevealedText text={invitation.created_by} /> invites you to <strong>{invitation.org}</strong>{" "}
      as <strong>{invitation.role}</strong>.
    </p>
    <p class="quiet">
      The invitation works once, and ends <Timestamp seconds={invitation.expires_at} />.
    </p>
  </>
)

/** The first API key of a new person, shown once. */
const FirstKey = ({ accepted }: { readonly accepted: AcceptedInvitation }) => {
  const isSure = useSignal(false)
  return (
    <>
      <p>
        You are <strong>{accepted.role}</strong> of <strong>{accepted.org}</strong>, with the login{" "}
        <strong>
          <RevealedText text={accepted.login} />
        </strong>
        . This is your API key: you sign in with it. It is shown this once.
      </p>
      <div class="secret">
        <code>{accepted.api_key}</code>
        <CopyButton text={accepted.api_key} what="key" />
      </div>
      <label class="radio">
        <input
          type="checkbox"
          checked={isSure.value}
          onChange={({ currentTarget }) => {
            isSure.value = currentTarget.checked
          }}
        />
        I have stored it
      </label>
      <div class="form-actions">
        <button
          type="button"
          class="button button-main"
          disabled={!isSure.value}
          onClick={() => void enter(accepted.org)}
        >
          Go to {accepted.org}
        </button>
      </div>
    </>
  )
}

interface Props {
  readonly secret: string
  readonly invitation: OpenInvitation
}

const FIELDS = ["login", "display_name"]

/** The form of a person without an account. */
const NewPerson = ({
  secret,
  invitation,
  accepted
}: Props & { readonly accepted: Signal<AcceptedInvitation | undefined> }) => {
  const login = useSignal(invitation.login ?? "")
  const name = useSignal(invitation.display_name ?? "")
  const errors = useSignal(FormErrors.none)
  const isSending = useSignal(false)
  const submit = async (event: SubmitEvent) => {
    event.preventDefault()
    if (isSending.value) return
    isSending.value = true
    const display_name = name.value.trim()
    const outcome = await send(callOf("invitation.accept", {}), {
      body: {
        secret,
        login: login.value.trim(),
        ...(display_name === "" ? {} : { display_name })
      }
    })
    isSending.value = false
    if (outcome._tag === "Refused") errors.value = FormErrors.make(outcome.problem, FIELDS)
    // WHY: the contract types the answer of this operation.
    if (outcome._tag === "Answered") accepted.value = outcome.value as AcceptedInvitation
  }
  return (
    <form class="form" onSubmit={submit} noValidate>
      {invitation.login === null ? (
        <TextField
          label="Login"
          problem={errors.value.byField.get("login")}
          hint="Lower-case letters, digits and . _ @ + -"
          text={login}
        />
      ) : (
        <p>
          Your login is{" "}
          <strong>
            <RevealedText text={invitation.login} />
          </strong>
          .
        </p>
      )}
      <TextField
        label="Name (optional)"
        problem={errors.value.byField.get("display_name")}
        text={name}
      />
      <p class="field-problem" role="alert">
        {errors.value.others.join(" ")}
      </p>
      <div class="form-actions">
        <button type="submit" class="button button-main" disabled={isSending.value}>
          Accept
        </button>
      </div>
    </form>
  )
}

/** The button of a person who is signed in. */
const Join = ({ secret, invitation }: Props) => {
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  const join = async () => {
    isSending.value = true
    const outcome = await send(callOf("invitation.join", {}), {
      body: { secret },
      headers: { "x-csrf-token": Session.csrfToken() }
    })
    isSending.value = false
    if (outcome._tag === "Refused") problem.value = outcome.problem.message
    if (outcome._tag === "Answered") await enter(invitation.org)
  }
  return (
    <>
      <p>
        You are signed in as{" "}
        <strong>
          <RevealedText text={Session.current()?.actor.name ?? ""} />
        </strong>
        .
      </p>
      <p class="field-problem" role="alert">
        {problem.value}
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={() => void Session.close()}>
          Sign out
        </button>
        <button
          type="button"
          class="button button-main"
          disabled={isSending.value}
          onClick={() => void join()}
        >
          Join {invitation.org}
        </button>
      </div>
    </>
  )
}

/** What a person who is not signed in does: make an account, or sign in. */
const Newcomer = (props: Props & { readonly accepted: Signal<AcceptedInvitation | undefined> }) => {
  const hasAccount = useSignal(false)
  return (
    <>
      {hasAccount.value ? <SignInForm /> : <NewPerson {...props} />}
      <p>
        <button
          type="button"
          class="button-text"
          onClick={() => {
            hasAccount.value = !hasAccount.value
          }}
        >
          {hasAccount.value ? "I have no account here" : "I have an account here"}
        </button>
      </p>
    </>
  )
}

const Answer = ({ secret, looked }: { readonly secret: string; readonly looked: Looked }) => {
  const accepted = useSignal<AcceptedInvitation | undefined>(undefined)
  if (accepted.value !== undefined) return <FirstKey accepted={accepted.value} />
  if (looked._tag === "Looking") return <Skeleton />
  if (looked._tag === "Problem")
    return (
      <>
        <p role="alert">
          <RevealedText text={looked.problem.message} />
        </p>
        <p class="quiet">Ask the person who invited you for a new link.</p>
      </>
    )
  const { invitation } = looked
  const isSignedIn = Session.session.value._tag === "SignedIn"
  return (
    <>
      <Gives invitation={invitation} />
      {isSignedIn ? (
        <Join secret={secret} invitation={invitation} />
      ) : (
        <Newcomer secret={secret} invitation={invitation} accepted={accepted} />
      )}
    </>
  )
}

/** The page of an invited person. */
export const InvitationPage = () => {
  const secret = useMemo(() => decodeSecret(location.hash), [])
  const looked = useSignal<Looked>({ _tag: "Looking" })
  useEffect(() => {
    document.title = "Invitation · Attestry"
    const look = async () => {
      const outcome = await send(callOf("invitation.look", {}), { body: { secret } })
      if (outcome._tag === "Refused") looked.value = { _tag: "Problem", problem: outcome.problem }
      // WHY: the contract types the answer of this operation.
      if (outcome._tag === "Answered")
        looked.value = { _tag: "Open", invitation: outcome.value as OpenInvitation }
    }
    void look()
  }, [secret, looked])
  return (
    <main class="sign-in" id="main">
      <div class="sign-in-card">
        <div class="sign-in-mark" aria-hidden="true" />
        <h1 class="sign-in-title">Invitation to {location.host}</h1>
        <Answer secret={secret} looked={looked.value} />
      </div>
    </main>
  )
}
