/** The exit codes of the program, which scripts rely on. `attestry help exit-codes` prints the table. */

/** The exit codes by name. */
export const EXIT_CODES = {
  done: { code: 0, means: "done; the answer is yes" },
  no: { code: 1, means: "the answer is no: not compliant, a problem was found, something differs" },
  usage: { code: 2, means: "the command line or a file of settings is wrong; nothing was sent" },
  missing: { code: 3, means: "what was asked about does not exist (404)" },
  denied: { code: 4, means: "no usable credential, or not allowed (401, 403)" },
  unanswered: {
    code: 5,
    means:
      "no answer: unreachable, TLS, timeout, 429 or 5xx after retries, or an answer that is none"
  },
  refused: { code: 6, means: "the server understood and refused (400, 409, 413, 415, 422)" },
  unreadable: { code: 7, means: "evidence or a runtime on this side cannot be read" },
  partial: { code: 8, means: "done in part" },
  defect: { code: 70, means: "a bug of this program; never 1" },
  interrupted: { code: 130, means: "interrupted" },
  terminated: { code: 143, means: "terminated" }
} as const

/** The name of an exit code. */
export type ExitWord = keyof typeof EXIT_CODES

/** The number of an exit code. */
export const codeOf = (word: ExitWord): number => EXIT_CODES[word].code
