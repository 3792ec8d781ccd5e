/** A problem, shown in the part of the page that failed: the server's message, the request id, and a retry button. */
import { useEffect } from "preact/hooks"
import type { ApiProblem } from "./ApiProblem.js"
import { RevealedText } from "./RevealedText.js"

const TITLES: { readonly [kind in ApiProblem["kind"]]: string } = {
  "signed-out": "You are signed out",
  denied: "No access",
  missing: "Not found",
  invalid: "The request was refused",
  conflict: "Something changed meanwhile",
  busy: "The server is busy",
  offline: "No connection",
  broken: "The server failed"
}

/** WHY a minimum: `Retry-After: 0` would cause requests without a pause. */
const RETRY_SECONDS_MIN = 1

/** A problem with a retry button. After `busy`, it retries automatically after the time that the server gives. */
export const ProblemNote = ({
  problem,
  retry
}: {
  readonly problem: ApiProblem
  readonly retry: () => void
}) => {
  const { kind, message, requestId, retryAfterSeconds } = problem
  useEffect(() => {
    if (kind !== "busy") return
    const seconds = Math.max(RETRY_SECONDS_MIN, retryAfterSeconds ?? 5)
    const timer = setTimeout(retry, seconds * 1_000)
    return () => clearTimeout(timer)
  }, [kind, retryAfterSeconds, retry])
  return (
    <div class="note note-problem" role="alert">
      <strong>{TITLES[kind]}</strong>
      <p>
        <RevealedText text={message} />
        {kind === "busy" ? ` Trying again in ${retryAfterSeconds ?? 5} s.` : ""}
      </p>
      <p class="note-actions">
        <button type="button" class="button" onClick={retry}>
          Try again
        </button>
        {requestId === undefined ? null : (
          <span class="quiet">
            request <code>{requestId}</code>
          </span>
        )}
      </p>
    </div>
  )
}
