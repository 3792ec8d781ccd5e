/** Frame of every page: a title, which takes the focus, and the document's title. */
import type { ComponentChildren } from "preact"
import { useEffect, useRef } from "preact/hooks"
import { visits } from "./Navigation.js"
import * as Reveal from "./Reveal.js"

/** `name` is plain text for the document's title; `heading` is shown on the page. */
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
