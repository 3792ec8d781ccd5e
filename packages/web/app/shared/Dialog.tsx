/** A native dialog: it traps the focus, Escape closes it if allowed, and the focus returns afterwards. */
import type { ComponentChildren } from "preact"
import { useEffect, useId, useRef } from "preact/hooks"

/** The dialog is open as long as it is rendered. */
export const Dialog = ({
  title,
  children,
  onClose,
  isWide = false
}: {
  readonly title: string
  readonly children: ComponentChildren
  /** Without it, Escape does not close the dialog. */
  readonly onClose?: () => void
  /** For dialogs that show texts side by side. */
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
