/** A command for a terminal, with a button that copies it. */
import { CopyButton } from "./CopyButton.js"

/** `what` names the command if a page has several. */
export const Command = ({
  text,
  what = "command"
}: {
  readonly text: string
  readonly what?: string
}) => (
  <div class="command">
    <code>{text}</code>
    <CopyButton text={text} what={what} />
  </div>
)
