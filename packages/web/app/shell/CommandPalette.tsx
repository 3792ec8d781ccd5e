/**
 * Finds records and runs commands: a dialog with a field and a list of results.
 *
 * The field keeps the focus; arrow keys move through the list. Enter opens a result, with ⌘ or Ctrl in a new tab; ⌘C
 * or Ctrl+C copies the URL of the selected result unless text is selected.
 */
import { useSignal } from "@preact/signals"
import { useEffect, useId, useRef } from "preact/hooks"
import { ResultLine } from "../search/ResultLine.js"
import { grouped, type SearchResult } from "../search/SearchResult.js"
import { useSearch } from "../search/useSearch.js"
import { Icon } from "../shared/Icon.js"
import * as Navigation from "../shared/Navigation.js"
import { commandsOf } from "./Commands.js"
import { takeTyped } from "./Overlay.js"
import { visited } from "./Recent.js"

const SHOWN_MAX = 8

const recent = (): ReadonlyArray<SearchResult> =>
  visited.value.slice(1).map(({ name, to }) => ({
    kind: "command",
    key: Navigation.hrefOf(to),
    name,
    to
  }))

const open = (result: SearchResult, inTab: boolean, onClose: () => void): void => {
  if (result.to !== undefined && inTab) {
    window.open(Navigation.hrefOf(result.to), "_blank", "noopener")
    return
  }
  onClose()
  if (result.to === undefined) result.run?.()
  else Navigation.go(result.to)
}

const hasSelection = ({ selectionStart, selectionEnd }: HTMLInputElement): boolean =>
  selectionStart !== selectionEnd

/** The action of a key in the field; undefined if the field itself handles the key. */
const actionOf = (
  event: KeyboardEvent
): "next" | "previous" | "open" | "tab" | "copy" | undefined => {
  const isCommand = event.metaKey || event.ctrlKey
  switch (event.key) {
    case "ArrowDown":
      return "next"
    case "ArrowUp":
      return "previous"
    case "Enter":
      return isCommand ? "tab" : "open"
    case "c": {
      const field = event.currentTarget
      return isCommand && field instanceof HTMLInputElement && !hasSelection(field)
        ? "copy"
        : undefined
    }
    default:
      return undefined
  }
}

const Results = ({
  id,
  groups,
  chosen,
  onOpen
}: {
  readonly id: string
  readonly groups: ReadonlyArray<readonly [string, ReadonlyArray<SearchResult>]>
  readonly chosen: SearchResult | undefined
  readonly onOpen: (result: SearchResult, inTab: boolean) => void
}) => (
  <div id={`${id}-list`} role="listbox" aria-label="Results" class="palette-list">
    {groups.map(([title, results]) => (
      // biome-ignore lint/a11y/useSemanticElements: a fieldset cannot be in a list box.
      <div key={title} role="group" aria-label={title}>
        <div class="palette-title" aria-hidden="true">
          {title}
        </div>
        {results.map((result) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the focus and the keys.
          // biome-ignore lint/a11y/useFocusableInteractive: the field names the chosen one.
          <div
            key={result.key}
            id={`${id}-${result.key}`}
            role="option"
            class="palette-option"
            aria-selected={result === chosen}
            onClick={({ metaKey, ctrlKey }) => onOpen(result, metaKey || ctrlKey)}
          >
            <ResultLine result={result} />
          </div>
        ))}
      </div>
    ))}
  </div>
)

const statusText = ({
  isEmpty,
  isAsking,
  count
}: {
  readonly isEmpty: boolean
  readonly isAsking: boolean
  readonly count: number
}): string => {
  if (isEmpty) return "Names, the beginning of a fingerprint or commit, or a command."
  if (count > 0) return `${count} found${isAsking ? ", still looking" : ""}`
  return isAsking ? "Looking…" : "Nothing fits."
}

const SearchField = ({
  id,
  query,
  chosen,
  onInput,
  onKeyDown
}: {
  readonly id: string
  readonly query: string
  readonly chosen: SearchResult | undefined
  readonly onInput: (text: string) => void
  readonly onKeyDown: (event: KeyboardEvent) => void
}) => (
  <div class="palette-field">
    <Icon name="search" />
    <input
      type="text"
      role="combobox"
      aria-label="Search or jump"
      aria-expanded={chosen !== undefined}
      aria-controls={`${id}-list`}
      aria-autocomplete="list"
      aria-activedescendant={chosen === undefined ? undefined : `${id}-${chosen.key}`}
      autocomplete="off"
      spellcheck={false}
      placeholder="Search or jump"
      value={query}
      onInput={({ currentTarget }) => onInput(currentTarget.value)}
      onKeyDown={onKeyDown}
    />
  </div>
)

const Palette = ({ org, onClose }: { readonly org: string; readonly onClose: () => void }) => {
  const id = useId()
  const dialog = useRef<HTMLDialogElement>(null)
  const query = useSignal("")
  const index = useSignal(0)
  const { results, isAsking, problem } = useSearch(org, query.value, {
    commands: commandsOf(org),
    limit: SHOWN_MAX
  })
  useEffect(() => {
    const element = dialog.current
    element?.showModal()
    query.value = takeTyped()
    return () => element?.close()
  }, [query])
  const isEmpty = query.value.trim() === ""
  const groups: ReadonlyArray<readonly [string, ReadonlyArray<SearchResult>]> = isEmpty
    ? [["recent pages", recent()] as const].filter(([, pages]) => pages.length > 0)
    : grouped(results)
  const all = groups.flatMap(([, each]) => each)
  const chosen = all[Math.min(index.value, all.length - 1)]
  useEffect(() => {
    document.getElementById(`${id}-${chosen?.key}`)?.scrollIntoView({ block: "nearest" })
  }, [id, chosen?.key])
  const press = (event: KeyboardEvent) => {
    const action = actionOf(event)
    if (action === undefined) return
    event.preventDefault()
    if (action === "next") index.value = Math.min(index.value + 1, all.length - 1)
    else if (action === "previous") index.value = Math.max(index.value - 1, 0)
    else if (chosen === undefined) return
    else if (action !== "copy") open(chosen, action === "tab", onClose)
    else if (chosen.to !== undefined)
      void navigator.clipboard.writeText(location.origin + Navigation.hrefOf(chosen.to))
  }
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape does the same, by the dialog itself.
    <dialog
      ref={dialog}
      class="palette"
      aria-label="Search or jump"
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
      onClick={({ target }) => {
        if (target === dialog.current) onClose()
      }}
    >
      <SearchField
        id={id}
        query={query.value}
        chosen={chosen}
        onInput={(text) => {
          query.value = text
          index.value = 0
        }}
        onKeyDown={press}
      />
      <Results
        id={id}
        groups={groups}
        chosen={chosen}
        onOpen={(result, inTab) => open(result, inTab, onClose)}
      />
      <p class="palette-status" role="status">
        {problem === undefined
          ? statusText({ isEmpty, isAsking, count: all.length })
          : `The server could not be asked: ${problem.message}`}
      </p>
    </dialog>
  )
}

/** Renders nothing outside of an org. */
export const CommandPalette = ({
  org,
  onClose
}: {
  readonly org: string | undefined
  readonly onClose: () => void
}) => {
  useEffect(() => {
    if (org === undefined) onClose()
  }, [org, onClose])
  return org === undefined ? null : <Palette org={org} onClose={onClose} />
}
