/**
 * The page that verifies audit capsules: one file, which is served at `/verify` and is inside of every capsule. It
 * sends nothing.
 */
import * as CapsuleWorker from "./CapsuleWorker.js"

const MILLIS = 1_000

const element = (name: string, text: string, kind = ""): HTMLElement => {
  const made = document.createElement(name)
  made.textContent = text
  if (kind !== "") made.className = kind
  return made
}

const listOf = (lines: ReadonlyArray<string>): HTMLElement => {
  const list = document.createElement("ul")
  list.append(...lines.map((line) => element("li", line)))
  return list
}

const detailsOf = (title: string, lines: ReadonlyArray<string>, open: boolean): HTMLElement => {
  const details = document.createElement("details")
  details.open = open
  details.append(element("summary", title), listOf(lines))
  return details
}

const show = (...parts: ReadonlyArray<HTMLElement>): void => {
  document.getElementById("result")?.replaceChildren(...parts)
}

/** Shows how many entries were opened, and then that the answers are decided. */
const showProgress = (name: string): ((done: number, of: number) => void) => {
  const [text, bar] = [element("p", `Verifying ${name}…`), document.createElement("progress")]
  bar.setAttribute("aria-label", "Entries that were opened")
  text.append(bar)
  show(text)
  return (done, of) => {
    bar.max = of
    bar.value = done
    const [first] = text.childNodes
    if (first !== undefined)
      first.textContent =
        done < of
          ? `Verifying ${name}: ${done} of ${of} entries… `
          : `Verifying ${name}: deciding every answer again… `
  }
}

/** Verifies a file, and shows what it proves. */
const verify = async (file: File, check: CapsuleWorker.Checking): Promise<void> => {
  const progress = showProgress(file.name)
  // WHY: the words above are drawn first.
  await new Promise((drawn) => setTimeout(drawn, 20))
  const began = performance.now()
  const checked = await check(file, progress)
  const took = `Verified in ${((performance.now() - began) / MILLIS).toFixed(2)} s, on this machine.`
  if ("refusal" in checked) {
    show(element("h2", "Refused", "wrong"), element("p", checked.refusal), element("p", took))
    return
  }
  const { about, outcome, sections } = checked
  show(
    element("h2", outcome.text, outcome.kind),
    listOf(about),
    ...sections.map(({ lines, open, title }) => detailsOf(title, lines, open)),
    element("p", took, "took")
  )
}

/** Shows the page; `script` is its own text, which the worker runs. */
const begin = (script: string): void => {
  const check = CapsuleWorker.start(script)
  const picked = (files: FileList | null | undefined): void => {
    const file = files?.[0]
    if (file === undefined) return
    verify(file, check).catch((error: unknown) => {
      show(element("h2", "It could not be verified", "wrong"), element("p", String(error)))
    })
  }
  const input = document.querySelector("input")
  input?.addEventListener("change", () => picked(input.files))
  document.addEventListener("dragover", (event) => event.preventDefault())
  document.addEventListener("drop", (event) => {
    event.preventDefault()
    picked(event.dataTransfer?.files)
  })
}

if (CapsuleWorker.isWorker) CapsuleWorker.serve()
else begin(document.currentScript?.textContent ?? "")
