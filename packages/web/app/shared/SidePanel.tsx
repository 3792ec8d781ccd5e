/** A native dialog at the side of a page, for the details of one item. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"
import { Icon } from "./Icon.js"

/** The panel is open as long as it is rendered; Escape or a click outside closes it. */
export const SidePanel = ({
  title,
  children,
  onClose
}: {
  readonly title: ComponentChildren
  readonly children: ComponentChildren
  readonly onClose: () => void
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the dialog itself.
    <dialog
      ref={dialog}
      class="panel"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={(event) => {
        if (event.target === dialog.current) onClose()
      }}
    >
      <div class="panel-body">
        <div class="panel-head">
          <h2 id={id} class="panel-title">
            {title}
          </h2>
          <button type="button" class="button-icon" aria-label="Close" onClick={onClose}>
            <Icon name="close" />
          </button>
        </div>
        {children}
      </div>
    </dialog>
  )
}
