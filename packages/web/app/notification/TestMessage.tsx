/** Sends a test message to the targets of a subscription, and polls whether it arrived. */
import { useSignal } from "@preact/signals"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import { cache, useQuery } from "../shared/Query.js"
import { RevealedText } from "../shared/RevealedText.js"

/** The interval at which the results of a test message are polled. */
const POLL_MS = 1_000

/** The button and its result. The list of targets shows each outcome as soon as it is known. */
export const TestMessage = ({ org, number }: { readonly org: string; readonly number: string }) => {
  const params = { org, action_number: number }
  const write = useWrite()
  const isSending = useSignal(false)
  const problem = useSignal("")
  const isSent = useSignal(false)
  useQuery("action.get", params, isSent.value ? { poll: POLL_MS } : {})
  const send = async () => {
    if (isSending.value) return
    isSending.value = true
    const written = await write("action.test", params)
    isSending.value = false
    isSent.value = written._tag === "Done"
    problem.value = written._tag === "Refused" ? written.problem.message : ""
    void cache.refresh(callOf("action.get", params).path)
  }
  return (
    <div class="test-message">
      <button type="button" class="button" disabled={isSending.value} onClick={() => void send()}>
        Send a test message
      </button>
      <p role="status">
        {isSent.value ? "A test message is on its way; whether it arrives shows above." : ""}
      </p>
      <p class="field-problem" role="alert">
        <RevealedText text={problem.value} />
      </p>
    </div>
  )
}
