/**
 * The page that verifies audit capsules: one file, which is served at `/verify` and is inside of every capsule. It
 * sends nothing.
 */
import { REFUSALS } from "@attestry/core/CapsuleReport"
import { CapsuleVerifier } from "@attestry/core/CapsuleVerifier"
import * as SignaturesWebCrypto from "@attestry/transparency-log/webcrypto/SignaturesWebCrypto"
import * as Effect from "effect/Effect"
import * as Either from "effect/Either"
import * as Layer from "effect/Layer"
import * as CapsuleWords from "./CapsuleWords.js"

const layer = Layer.provide(CapsuleVerifier.Default, SignaturesWebCrypto.layer)

/** Unpacks bytes, which must be of this size; undefined for others. */
const inflate = async (packed: Uint8Array, size: number): Promise<Uint8Array | undefined> => {
  try {
    const unpacked = new Blob([new Uint8Array(packed)])
      .stream()
      .pipeThrough(new DecompressionStream("deflate-raw"))
      .getReader()
    const whole = new Uint8Array(size)
    let at = 0
    for (;;) {
      const { done, value } = await unpacked.read()
      if (done) return at === size ? whole : undefined
      if (at + value.byteLength > size) return undefined
      whole.set(value, at)
      at += value.byteLength
    }
  } catch {
    return undefined
  }
}

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

/** Verifies a file, and shows what it proves. */
const verify = async (file: File): Promise<void> => {
  show(element("p", `Verifying ${file.name}…`))
  // WHY: the words above are drawn first.
  await new Promise((drawn) => setTimeout(drawn, 20))
  const began = performance.now()
  const bytes = new Uint8Array(await file.arrayBuffer())
  const found = await Effect.runPromise(
    Effect.provide(
      Effect.flatMap(CapsuleVerifier, (verifier) => verifier.verify(bytes, inflate, { keys: [] })),
      layer
    )
  )
  const took = `Verified in ${((performance.now() - began) / 1_000).toFixed(2)} s, on this machine.`
  if (Either.isLeft(found)) {
    show(element("h2", "Refused", "wrong"), element("p", REFUSALS[found.left]), element("p", took))
    return
  }
  const { about, outcome, sections } = CapsuleWords.of(found.right)
  show(
    element("h2", outcome.text, outcome.kind),
    listOf(about),
    ...sections.map(({ lines, open, title }) => detailsOf(title, lines, open)),
    element("p", took, "took")
  )
}

const picked = (files: FileList | null | undefined): void => {
  const file = files?.[0]
  if (file === undefined) return
  verify(file).catch((error: unknown) => {
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
