/**
 * Where a person lets a command line on this computer sign in. Only a click offers the session: an address alone signs
 * nothing in.
 */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import { Page } from "../shared/Page.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Session from "./Session.js"
import { useWrite } from "./Writing.js"

interface Login {
  readonly port: number
  readonly challenge: string
  readonly state: string
}

const PORT = /^[1-9][0-9]{2,4}$/
const WORD = /^[A-Za-z0-9_-]{43}$/

/** The login in an address; undefined where it is none that a command line has made. */
export const loginOf = (route: Route.Route): Login | undefined => {
  const [port = "", challenge = "", state = ""] = ["port", "challenge", "state"].map(
    (name) => Route.parameter(route, name) ?? ""
  )
  const isLogin =
    PORT.test(port) && Number(port) <= 65_535 && WORD.test(challenge) && WORD.test(state)
  return isLogin ? { port: Number(port), challenge, state } : undefined
}

const Allow = ({ port, challenge, state }: Login) => {
  const write = useWrite()
  const problem = useSignal("")
  const isSending = useSignal(false)
  const allow = async () => {
    isSending.value = true
    const written = await write("session.offer", {}, { challenge })
    isSending.value = false
    problem.value = written._tag === "Refused" ? written.problem.message : ""
    if (written._tag !== "Done") return
    const query = new URLSearchParams({ code: written.value.code, state })
    location.assign(`http://127.0.0.1:${port}/?${query}`)
  }
  return (
    <>
      <p>
        A command line on this computer wants to sign in as{" "}
        <strong>
          <RevealedText text={Session.current()?.actor.name ?? ""} />
        </strong>
        . It may then do what you may do, until your session would end.
      </p>
      <p>
        Allow it only if you have just run <code>attestry login --browser</code> yourself.
      </p>
      <p class="field-problem" role="alert">
        {problem.value}
      </p>
      <p class="row-actions">
        <button
          type="button"
          class="button button-main"
          disabled={isSending.value}
          onClick={() => void allow()}
        >
          Allow
        </button>
      </p>
    </>
  )
}

/** The page of a login that a command line has begun. */
export const CommandLinePage = ({ route }: PageProps) => {
  const login = loginOf(route)
  const isDone = Route.parameter(route, "done") === "yes"
  return (
    <Page name="Command line">
      {isDone ? (
        <p role="status">The command line is signed in. You can close this tab.</p>
      ) : login === undefined ? (
        <p role="alert">
          This address is not complete. Run <code>attestry login --browser</code> again.
        </p>
      ) : (
        <Allow {...login} />
      )}
    </Page>
  )
}
