/** A collapsible section that renders its content when it is opened. */
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"

export const Fold = ({
  title,
  children
}: {
  readonly title: string
  readonly children: () => ComponentChildren
}) => {
  const isOpen = useSignal(false)
  return (
    <details
      onToggle={({ currentTarget }) => {
        isOpen.value = currentTarget.open
      }}
    >
      <summary>{title}</summary>
      {isOpen.value ? children() : null}
    </details>
  )
}
