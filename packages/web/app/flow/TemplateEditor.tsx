/** Editor of a flow's template. Core's parser reports problems while a person types. */
import { type Signal, useSignal } from "@preact/signals"
import { useEffect } from "preact/hooks"
import { policyWorker } from "../policy/PolicyWorker.js"
import type { TextProblem } from "../policy/PolicyWorkerMessages.js"
import { ProblemList } from "../policy/ProblemList.js"
import { useEditor } from "../policy/useEditor.js"
import { Skeleton } from "../shared/QueryView.js"

/** WHY a delay: problems appear soon, but not while a word is half typed. */
const READ_AFTER_MS = 150

const NO_PROBLEMS: ReadonlyArray<TextProblem> = []

/** The problems of a template, debounced. */
const useProblems = (text: string): ReadonlyArray<TextProblem> => {
  const problems = useSignal(NO_PROBLEMS)
  useEffect(() => {
    let isWanted = true
    const timer = setTimeout(() => {
      policyWorker.ask("template", { text }).then(
        (found) => {
          if (isWanted) problems.value = found
        },
        () => {
          // WHY ignored: without the policy worker, the server still reports problems when the template is saved.
          if (isWanted) problems.value = NO_PROBLEMS
        }
      )
    }, READ_AFTER_MS)
    return () => {
      isWanted = false
      clearTimeout(timer)
    }
  }, [text, problems])
  return problems.value
}

/** `problem` is the server's message about the submitted text. */
export const TemplateEditor = ({
  text,
  problem
}: {
  readonly text: Signal<string>
  readonly problem: string | undefined
}) => {
  const Editor = useEditor()
  const problems = useProblems(text.value)
  const goTo = useSignal<TextProblem | undefined>(undefined)
  return (
    <div class="field template-editor">
      <span>Template in YAML</span>
      {Editor === undefined ? (
        <Skeleton />
      ) : (
        <Editor
          label="Template in YAML"
          value={text.value}
          revision={0}
          problems={problems}
          goTo={goTo.value}
          onChange={(changed) => {
            text.value = changed
          }}
        />
      )}
      <ProblemList
        problems={problems}
        onSelect={(selected) => {
          goTo.value = { ...selected }
        }}
      />
      <p class="field-problem" role="alert">
        {problem}
      </p>
    </div>
  )
}
