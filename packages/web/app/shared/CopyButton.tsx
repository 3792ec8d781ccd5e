/** Copies a text, and shows that it is copied. */
import { useSignal } from "@preact/signals"
import { Icon } from "./Icon.js"

const SAID_MS = 2_000

/** A button that copies; `what` names the text for those who cannot see where the button stands. */
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
