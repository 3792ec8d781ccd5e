/** The frame of every page: its title, which takes the focus, and the title of the document. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { visits } from "./Navigation.js"
import * as Reveal from "./Reveal.js"

/** A page. `name` is plain text for the document's title; `heading` is shown. */
export const Page = ({
  name,
  org,
  heading,
  aside,
  children
}: {
  readonly name: string
  readonly org?: string | undefined
  readonly heading?: ComponentChildren
  readonly aside?: ComponentChildren
  readonly children: ComponentChildren
}) => {
  const title = useRef<HTMLHeadingElement>(null)
  const visit = visits.value
  useEffect(() => {
    document.title = [Reveal.plain(name), ...(org === undefined ? [] : [org]), "Attestry"].join(
      " · "
    )
  }, [name, org])
  useEffect(() => {
    if (visit > 0) title.current?.focus({ preventScroll: true })
  }, [visit])
  return (
    <div class="page">
      <div class="page-head">
        <h1 ref={title} tabIndex={-1} class="page-title">
          {heading ?? name}
        </h1>
        {aside === undefined ? null : <div class="page-aside">{aside}</div>}
      </div>
      {children}
    </div>
  )
}
