/** A JSON value as a collapsible tree. A text is a link only if `WebLink` accepts it. */
import * as WebLink from "@attestry/core/WebLink"
import { useSignal } from "@preact/signals"
import { ExternalLink } from "./ExternalLink.js"
import { RevealedText } from "./RevealedText.js"
import * as Shorten from "./Shorten.js"

/** At most this many members of a level are shown at first. */
const SHOWN_MAX = 100

const Leaf = ({ value }: { readonly value: unknown }) => {
  if (typeof value !== "string") return <code class="json-word">{String(value)}</code>
  return WebLink.parse(value) === undefined ? (
    <code class="json-text">
      <RevealedText text={JSON.stringify(value)} />
    </code>
  ) : (
    <ExternalLink address={value} label={Shorten.middle(value, 60)} />
  )
}

const isBranch = (value: unknown): value is object => typeof value === "object" && value !== null

const sizeText = (value: object): string => {
  const size = Array.isArray(value) ? value.length : Object.keys(value).length
  if (Array.isArray(value)) return size === 1 ? "1 item" : `${Shorten.count(size)} items`
  return size === 1 ? "1 member" : `${Shorten.count(size)} members`
}

const Members = ({ value }: { readonly value: object }) => {
  const shown = useSignal(SHOWN_MAX)
  const all = Object.entries(value)
  return (
    <ul class="json-level">
      {all.slice(0, shown.value).map(([name, each]) => (
        <li key={name}>
          <JsonNode name={name} value={each} isOpen={false} />
        </li>
      ))}
      {all.length > shown.value ? (
        <li>
          <button
            type="button"
            class="button-plain"
            onClick={() => {
              shown.value += SHOWN_MAX
            }}
          >
            {Shorten.count(all.length - shown.value)} more
          </button>
        </li>
      ) : null}
    </ul>
  )
}

const JsonNode = ({
  name,
  value,
  isOpen
}: {
  readonly name: string | undefined
  readonly value: unknown
  readonly isOpen: boolean
}) => {
  const open = useSignal(isOpen)
  const label =
    name === undefined ? null : (
      <span class="json-name">
        <RevealedText text={name} />:{" "}
      </span>
    )
  if (!isBranch(value) || Object.keys(value).length === 0)
    return (
      <>
        {label}
        {isBranch(value) ? (
          <code class="json-word">{Array.isArray(value) ? "[]" : "{}"}</code>
        ) : (
          <Leaf value={value} />
        )}
      </>
    )
  return (
    <details
      open={open.value}
      onToggle={({ currentTarget }) => {
        open.value = currentTarget.open
      }}
    >
      <summary>
        {label}
        <span class="quiet">{sizeText(value)}</span>
      </summary>
      {open.value ? <Members value={value} /> : null}
    </details>
  )
}

/** The first level is open. */
export const JsonTree = ({ value }: { readonly value: unknown }) => (
  <div class="json">
    <JsonNode name={undefined} value={value} isOpen />
  </div>
)
