/** Saves a capsule that proves the shown table: the same question, recomputed cell by cell by who holds it. */
import { useSignal } from "@preact/signals"
import { useEffect, useRef } from "preact/hooks"
import * as Asking from "../session/Asking.js"
import * as Navigation from "../shared/Navigation.js"
import * as SaveFile from "../shared/SaveFile.js"

/** The log has a new checkpoint within a second or so, and one capsule of an org is made at a time. */
const ATTEMPTS = 20

const later = (seconds: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, seconds * 1_000))

/** Asks for a capsule, again as long as the server is busy. */
const request = async (org: string, body: unknown, signal: AbortSignal) => {
  for (let attempt = 1; ; attempt++) {
    const outcome = await Asking.askForFile({ id: "capsule.create", params: { org }, body, signal })
    const isLater = outcome._tag === "Refused" && outcome.problem.kind === "busy"
    if (!isLater || attempt === ATTEMPTS || signal.aborted) return outcome
    await later(Math.max(1, outcome.problem.retryAfterSeconds ?? 1))
  }
}

/** The button, with its progress. */
export const CapsuleButton = ({
  org,
  question
}: {
  readonly org: string
  readonly question: { readonly environment: string | undefined }
}) => {
  const status = useSignal<"idle" | "making" | "saved" | { readonly problem: string }>("idle")
  const leaving = useRef(new AbortController())
  useEffect(() => () => leaving.current.abort(), [])
  const run = async () => {
    status.value = "making"
    const { environment, ...rest } = question
    const releases = {
      ...rest,
      ...(environment === undefined ? {} : { environments: [environment] })
    }
    const outcome = await request(org, { releases }, leaving.current.signal)
    if (outcome._tag === "Aborted") return
    if (outcome._tag === "Refused") {
      status.value = { problem: outcome.problem.message }
      return
    }
    SaveFile.save(outcome.content, `${org}-releases.capsule.zip`)
    status.value = "saved"
  }
  const { value } = status
  return (
    <>
      <button type="button" class="button" disabled={value === "making"} onClick={run}>
        Capsule
      </button>
      <span class="quiet" role="status">
        {value === "making" ? "Making a file that proves this table…" : null}
        {value === "saved" ? (
          <>
            Saved. <a href={`${Navigation.base}/verify`}>Verify it</a>
          </>
        ) : null}
        {typeof value === "object" ? `It was not made: ${value.problem}` : null}
      </span>
    </>
  )
}
