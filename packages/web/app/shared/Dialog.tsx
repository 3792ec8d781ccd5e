/** A native dialog: focus stays inside, Escape closes it where that is allowed, and focus returns afterwards. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

/** A dialog that is open as long as it is drawn. */
export const Dialog = ({
  title,
  children,
  onClose,
  isWide = false
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** Without it the dialog cannot be closed by Escape. */
  readonly onClose?: () => void
  /** For dialogs that show texts beside each other. */
  readonly isWide?: boolean
}) => {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      class={isWide ? "dialog dialog-wide" : "dialog"}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose?.()
      }}
    >
      <h2 id={id} class="dialog-title">
        {title}
      </h2>
      {children}
    </dialog>
  )
}
