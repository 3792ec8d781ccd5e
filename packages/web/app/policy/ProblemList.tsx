/** The problems of a text as a list, for people who do not see the editor's markers. Each links to its position. */
import { RevealedText } from "../shared/RevealedText.js"
import type { TextProblem } from "./PolicyWorkerMessages.js"

/** The list, or a sentence if it is empty. */
export const ProblemList = ({
  problems,
  onSelect
}: {
  /** Problems, or the remarks about a text without problems. */
  readonly problems: ReadonlyArray<TextProblem>
  readonly onSelect: (problem: TextProblem) => void
}) => (
  <div class="problem-list" role="status" aria-label="Problems of the text">
    {problems.length === 0 ? (
      <p class="quiet">No problems. Tab indents; press Esc, then Tab, to leave the text.</p>
    ) : (
      <ol>
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.message}`}>
            <button type="button" class="link-button" onClick={() => onSelect(problem)}>
              line {problem.line}, column {problem.column}
            </button>{" "}
            {problem.severity === undefined ? null : (
              <span class="quiet">{problem.severity}: </span>
            )}
            <RevealedText text={problem.message} />
          </li>
        ))}
      </ol>
    )}
  </div>
)
