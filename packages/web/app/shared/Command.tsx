/** A command for a terminal, with a button that copies it. */
import { CopyButton } from "./CopyButton.js"

/** The command. */
export const Command = ({ text }: { readonly text: string }) => (
  <div class="command">
    <code>{text}</code>
    <CopyButton text={text} what="command" />
  </div>
)
