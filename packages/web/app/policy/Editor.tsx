/**
 * A YAML editor: CodeMirror inside a shadow root, where its styles are adopted style sheets, which the page's content
 * security policy allows. Problems and completions are props; the editor sends no requests.
 */
import {
  autocompletion,
  type CompletionContext,
  type CompletionResult,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap
} from "@codemirror/autocomplete"
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands"
import { yaml } from "@codemirror/lang-yaml"
import {
  bracketMatching,
  HighlightStyle,
  indentUnit,
  syntaxHighlighting
} from "@codemirror/language"
import { type Diagnostic, linter, lintKeymap, setDiagnostics } from "@codemirror/lint"
import { EditorState, type Extension } from "@codemirror/state"
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  lineNumbers
} from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { useEffect, useRef } from "preact/hooks"
import type { Completions } from "./PolicyCompletion.js"
import type { TextProblem } from "./PolicyWorkerMessages.js"

export interface EditorProps {
  readonly label: string
  /** The initial text, and the new text after each change of `revision`. */
  readonly value: string
  /** WHY: typed text comes back as `value` after further keys were typed, and must not replace them. */
  readonly revision: number
  readonly problems: ReadonlyArray<TextProblem>
  readonly onChange: (text: string) => void
  readonly completionsAt?: (textBeforeCursor: string) => Completions | undefined
  /** Where to put the cursor; a new object moves it again. */
  readonly goTo?: { readonly line: number; readonly column: number } | undefined
}

const theme = EditorView.theme({
  "&": {
    height: "100%",
    fontSize: "0.8125rem",
    color: "var(--text)",
    backgroundColor: "var(--surface)"
  },
  "&.cm-focused": { outline: "2px solid var(--link)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--mono)", lineHeight: "1.5" },
  ".cm-content": { caretColor: "var(--text)", padding: "8px 0" },
  ".cm-cursor": { borderLeftColor: "var(--text)" },
  ".cm-gutters": {
    backgroundColor: "var(--raised)",
    color: "var(--quiet)",
    borderRight: "1px solid var(--hairline)"
  },
  ".cm-activeLine, .cm-activeLineGutter": { backgroundColor: "var(--hover)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground":
    { background: "color-mix(in srgb, var(--link) 28%, transparent)" },
  // WHY no image: the library's markers are `data:` images, which the content security policy refuses.
  ".cm-lintRange-error": {
    backgroundImage: "none",
    borderBottom: "2px solid var(--bad)",
    paddingBottom: "1px"
  },
  ".cm-lintRange-warning, .cm-lintRange-info": {
    backgroundImage: "none",
    borderBottom: "2px dotted var(--quiet)",
    paddingBottom: "1px"
  },
  ".cm-diagnostic-warning, .cm-diagnostic-info": {
    borderLeft: "3px solid var(--quiet)",
    fontFamily: "var(--font)"
  },
  ".cm-lintPoint-error:after": { borderBottomColor: "var(--bad)" },
  ".cm-tooltip": {
    backgroundColor: "var(--surface)",
    color: "var(--text)",
    border: "1px solid var(--line)",
    borderRadius: "var(--radius)",
    maxWidth: "min(480px, 90vw)"
  },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li": { padding: "3px 8px", color: "var(--text)" },
  ".cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]": {
    backgroundColor: "var(--link)",
    color: "var(--on-link)"
  },
  ".cm-tooltip-autocomplete > ul > li[aria-selected] .cm-completionDetail": {
    color: "var(--on-link)"
  },
  ".cm-completionDetail": { color: "var(--quiet)", fontStyle: "normal", marginLeft: "12px" },
  ".cm-completionMatchedText": { textDecoration: "none", fontWeight: "700" },
  ".cm-diagnostic-error": { borderLeft: "3px solid var(--bad)", fontFamily: "var(--font)" },
  ".cm-matchingBracket": { backgroundColor: "var(--hover)", outline: "1px solid var(--line)" }
})

/** WHY few colours: colour is reserved for verdicts, links and focus. */
const highlight = HighlightStyle.define([
  { tag: tags.propertyName, fontWeight: "600" },
  { tag: tags.definition(tags.propertyName), fontWeight: "600" },
  { tag: tags.comment, color: "var(--quiet)", fontStyle: "italic" },
  { tag: tags.string, color: "var(--text)" }
])

/** Converts problems to diagnostics; each marks the word at its position. */
const diagnosticsOf = (
  { doc }: EditorState,
  problems: ReadonlyArray<TextProblem>
): ReadonlyArray<Diagnostic> =>
  problems.map(({ column, line, message, severity }): Diagnostic => {
    const at = doc.line(Math.min(Math.max(1, line), doc.lines))
    const from = Math.min(at.from + Math.max(0, column - 1), at.to)
    const word = /^[^\s:,}\]]+/.exec(at.text.slice(from - at.from))?.[0].length ?? 0
    return {
      from,
      to: Math.min(at.to, from + Math.max(1, word)),
      severity: severity ?? "error",
      message
    }
  })

interface Given {
  current: EditorProps
}

const completing =
  (given: Given) =>
  (context: CompletionContext): CompletionResult | null => {
    const before = context.state.sliceDoc(0, context.pos)
    const found = given.current.completionsAt?.(before)
    if (found === undefined) return null
    // WHY: an empty line suggests nothing; after `key: `, `{` or a comma there is a value to choose.
    if (found.length === 0 && !context.explicit && !/(: |\{ ?|, )$/.test(before)) return null
    return {
      from: context.pos - found.length,
      options: found.options.map(({ detail, kind, label }) => ({
        label,
        ...(detail === undefined ? {} : { detail }),
        type: kind === "key" ? "property" : "constant",
        ...(kind === "key" ? { apply: `${label}: ` } : {})
      }))
    }
  }

const extensionsOf = (given: Given): ReadonlyArray<Extension> => [
  lineNumbers(),
  highlightActiveLine(),
  highlightActiveLineGutter(),
  drawSelection(),
  EditorView.lineWrapping,
  history(),
  bracketMatching(),
  closeBrackets(),
  yaml(),
  indentUnit.of("  "),
  syntaxHighlighting(highlight),
  autocompletion({ override: [completing(given)], icons: false }),
  linter(null),
  keymap.of([
    ...closeBracketsKeymap,
    ...completionKeymap,
    ...lintKeymap,
    ...historyKeymap,
    ...defaultKeymap,
    indentWithTab
  ]),
  // WHY a tab index: tools for accessibility do not count an edited text as an element that takes the focus.
  EditorView.contentAttributes.of({ "aria-label": given.current.label, tabindex: "0" }),
  EditorView.updateListener.of((update) => {
    if (update.docChanged) given.current.onChange(update.state.doc.toString())
  }),
  theme
]

export const Editor = (props: EditorProps) => {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const given = useRef(props)
  given.current = props
  const { goTo, problems, revision } = props
  useEffect(() => {
    const element = host.current
    if (element === null) return
    const root = element.shadowRoot ?? element.attachShadow({ mode: "open" })
    const made = new EditorView({
      root,
      parent: root,
      state: EditorState.create({
        doc: given.current.value,
        extensions: [...extensionsOf(given)]
      })
    })
    view.current = made
    return () => made.destroy()
  }, [])
  useEffect(() => {
    const current = view.current
    if (current === undefined || revision === 0) return
    const to = current.state.doc.length
    current.dispatch({ changes: { from: 0, to, insert: given.current.value } })
  }, [revision])
  useEffect(() => {
    const current = view.current
    if (current === undefined) return
    current.dispatch(setDiagnostics(current.state, diagnosticsOf(current.state, problems)))
  }, [problems])
  useEffect(() => {
    const current = view.current
    if (current === undefined || goTo === undefined) return
    const line = current.state.doc.line(Math.min(goTo.line, current.state.doc.lines))
    const anchor = Math.min(line.to, line.from + goTo.column - 1)
    current.dispatch({ selection: { anchor }, scrollIntoView: true })
    current.focus()
  }, [goTo])
  return <div ref={host} class="editor" />
}
