/** Tabs of a record: each is a page of its own with an address. */
import type { ComponentChildren } from "preact"

/** A tab. */
export interface Tab {
  readonly title: ComponentChildren
  readonly href: string
  readonly isCurrent: boolean
}

/** The tabs. */
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
