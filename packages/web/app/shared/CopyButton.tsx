/** A button that copies a text and confirms it. */
import { useSignal } from "@preact/signals"
import { Icon } from "./Icon.js"

const SAID_MS = 2_000

/** `what` names the text for screen readers. */
export const CopyButton = ({ text, what }: { readonly text: string; readonly what: string }) => {
  const isCopied = useSignal(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    isCopied.value = true
    setTimeout(() => {
      isCopied.value = false
    }, SAID_MS)
  }
  return (
    <button
      type="button"
      class="button-icon"
      aria-label={`Copy ${what}`}
      title={`Copy ${what}`}
      onClick={copy}
    >
      <Icon name={isCopied.value ? "check" : "copy"} />
      <span class="visually-hidden" role="status">
        {isCopied.value ? "copied" : ""}
      </span>
    </button>
  )
}
