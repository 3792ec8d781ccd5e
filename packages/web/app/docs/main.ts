/**
 * The script of documentation pages: theme, search, copies of code, and anchors of documents that are split.
 *
 * Pages are complete without it; it adds what HTML alone cannot do.
 */
import * as DocSearch from "./DocSearch.js"

const RESULTS_MAX = 12

const metaOf = (name: string): string =>
  document.querySelector<HTMLMetaElement>(`meta[name="${name}"]`)?.content ?? ""

const root = metaOf("docs-root")

const made = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  text: string,
  attributes: { readonly [name: string]: string } = {}
): HTMLElementTagNameMap[K] => {
  const element = document.createElement(tag)
  element.textContent = text
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  return element
}

/** Uses the theme that the person has chosen in the pages (`shared/Preferences.ts`). */
const applyTheme = (): void => {
  try {
    const { theme } = JSON.parse(localStorage.getItem("attestry.preferences") ?? "{}")
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme
  } catch {
    // WHY: without a readable choice the theme of the system stays.
  }
}

let loading: Promise<ReadonlyArray<DocSearch.DocSection>> | undefined

/** The index, which is loaded once it is needed; a failure is tried again by the next call. */
const sections = (): Promise<ReadonlyArray<DocSearch.DocSection>> => {
  loading ??= fetch(metaOf("docs-search"))
    .then((response) => response.json())
    .catch((error: unknown) => {
      loading = undefined
      throw error
    })
  return loading
}

const marked = (text: string, words: ReadonlyArray<string>): ReadonlyArray<Node> =>
  DocSearch.piecesOf(text, words).map(({ text: piece, isMatch }) =>
    isMatch ? made("mark", piece) : document.createTextNode(piece)
  )

const optionOf = (
  { section, excerpt }: DocSearch.DocResult,
  words: ReadonlyArray<string>,
  index: number
): HTMLAnchorElement => {
  const anchor = section.anchor === "" ? "" : `#${section.anchor}`
  const option = made("a", "", {
    role: "option",
    id: `result-${index}`,
    href: `${root}docs/${section.path}${anchor}`,
    tabindex: "-1",
    "aria-selected": "false"
  })
  const title = made("strong", "")
  const heading = section.heading === "" ? section.page : section.heading
  title.append(...marked(heading, words))
  option.append(title)
  if (section.heading !== "") option.append(made("span", section.page, { class: "where" }))
  const text = made("span", "", { class: "excerpt" })
  text.append(...marked(excerpt, words))
  option.append(text)
  return option
}

const startSearch = (): void => {
  const form = document.querySelector<HTMLFormElement>("form.search")
  const input = document.querySelector<HTMLInputElement>("#search")
  const list = document.querySelector<HTMLElement>("#results")
  const status = document.querySelector<HTMLElement>(".status")
  if (form === null || input === null || list === null || status === null) return
  form.hidden = false
  let chosen = -1
  const options = () => [...list.querySelectorAll<HTMLAnchorElement>("[role=option]")]
  const choose = (index: number): void => {
    const all = options()
    chosen = all.length === 0 ? -1 : (index + all.length) % all.length
    for (const [at, option] of all.entries())
      option.setAttribute("aria-selected", String(at === chosen))
    all[chosen]?.scrollIntoView({ block: "nearest" })
    if (chosen < 0) input.removeAttribute("aria-activedescendant")
    else input.setAttribute("aria-activedescendant", `result-${chosen}`)
  }
  const open = (isOpen: boolean): void => {
    list.hidden = !isOpen
    input.setAttribute("aria-expanded", String(isOpen))
  }
  const show = async (): Promise<void> => {
    const query = input.value
    if (query.trim() === "") {
      list.replaceChildren()
      status.textContent = ""
      return open(false)
    }
    try {
      const results = DocSearch.search(await sections(), query, RESULTS_MAX)
      if (input.value !== query) return
      const words = DocSearch.wordsOf(query)
      list.replaceChildren(...results.map((result, at) => optionOf(result, words, at)))
      status.textContent =
        results.length === 0 ? `Nothing has all of these words.` : `${results.length} results`
      open(results.length > 0)
      choose(0)
    } catch {
      status.textContent = "The search could not be loaded. Try again."
    }
  }
  input.addEventListener("input", () => void show())
  input.addEventListener("focus", () => void show())
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") choose(chosen + 1)
    else if (event.key === "ArrowUp") choose(chosen - 1)
    else if (event.key === "Escape") {
      input.value = ""
      void show()
    } else return
    event.preventDefault()
  })
  form.addEventListener("submit", (event) => {
    event.preventDefault()
    options()[chosen]?.click()
  })
  document.addEventListener("click", ({ target }) => {
    if (!(target instanceof Node) || !form.contains(target) || list.contains(target)) open(false)
  })
  document.addEventListener("keydown", (event) => {
    const isTyping =
      event.target instanceof HTMLElement && event.target.matches("input, textarea, select")
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    input.focus()
    input.select()
  })
}

const COPIED_MS = 2_000

const addCopies = (): void => {
  for (const block of document.querySelectorAll<HTMLPreElement>("pre[data-copy]")) {
    const button = made("button", "Copy", { type: "button", class: "copy" })
    button.addEventListener("click", async () => {
      try {
        await navigator.clipboard.writeText(block.textContent ?? "")
        button.textContent = "Copied"
      } catch {
        button.textContent = "Not copied"
      }
      setTimeout(() => {
        button.textContent = "Copy"
      }, COPIED_MS)
    })
    block.before(button)
  }
}

/** Goes to the page that has an anchor of a split document: `cli/#begin` is on `cli/every-command/begin/`. */
const followAnchor = async (): Promise<void> => {
  const anchor = decodeURIComponent(location.hash.slice(1))
  if (anchor === "" || document.getElementById(anchor) !== null) return
  if (document.querySelector(".sections") === null) return
  const here = location.pathname.slice(new URL(`${root}docs/`, location.href).pathname.length)
  const found = (await sections()).find(
    ({ path, anchor: own }) =>
      path.startsWith(here) && (own === anchor || path.endsWith(`/${anchor}/`))
  )
  if (found !== undefined) location.replace(`${root}docs/${found.path}#${anchor}`)
}

applyTheme()
startSearch()
addCopies()
void followAnchor()
addEventListener("hashchange", () => void followAnchor())
