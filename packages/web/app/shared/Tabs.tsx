/** Tabs of a record. Each tab is a page with its own URL. */
import type { ComponentChildren } from "preact"

export interface Tab {
  readonly title: ComponentChildren
  readonly href: string
  readonly isCurrent: boolean
}

export const Tabs = ({
  label,
  tabs
}: {
  readonly label: string
  readonly tabs: ReadonlyArray<Tab>
}) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ title, href, isCurrent }) => (
      <a key={href} href={href} aria-current={isCurrent ? "page" : undefined}>
        {title}
      </a>
    ))}
  </nav>
)
