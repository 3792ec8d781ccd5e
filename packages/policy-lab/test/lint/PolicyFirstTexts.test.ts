// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the wrapper of expressions looks like one.
/**
 * First attempts of people who have not read the documentation: the messages they get, and the corrected text.
 *
 * Each text changes only as the messages say; the last one has neither problems nor warnings.
 */
import { assert, describe, it } from "@effect/vitest"
import { Either } from "effect"
import * as PolicyLint from "../../src/lint/PolicyLint.js"

const SCHEMA = "_schema: https://HOST/schemas/environment-policy/v1\n"

/** What lint says, one line for each problem or remark. */
const said = (text: string): ReadonlyArray<string> =>
  Either.match(PolicyLint.check(text), {
    onLeft: ({ problems }) =>
      problems.map(({ column, line, message }) => `${line}:${column} ${message}`),
    onRight: (remarks) =>
      remarks.map(({ code, column, line, message }) => `${line}:${column} [${code}] ${message}`)
  })

interface Attempt {
  readonly text: string
  readonly said: ReadonlyArray<string>
}

const STORIES: { readonly [what: string]: ReadonlyArray<Attempt> } = {
  "the signs of other languages, no wrapper, no schema": [
    {
      text: `artifacts:
  provenance:
    required: true
    exceptions:
      - if: artifact.name = 'datadog:7' || artifact.name = busybox
  attestations:
    - type: junit
      name: unit
      if: flow.tags.risk = high && flow.name != 'legacy'
`,
      said: [
        "1:1 `_schema` is missing: add `_schema:` with an address such as `https://HOST/schemas/environment-policy/v1`",
        "5:9 wrap the expression: write `${{ artifact.name == 'datadog:7' or artifact.name == \"busybox\" }}`, " +
          "not `artifact.name = 'datadog:7' || artifact.name = busybox`",
        "9:7 wrap the expression: write `${{ flow.tags.risk == \"high\" and flow.name != 'legacy' }}`, " +
          "not `flow.tags.risk = high && flow.name != 'legacy'`"
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ artifact.name == 'datadog:7' or artifact.name == "busybox" }}
  attestations:
    - type: junit
      name: unit
      if: \${{ flow.tags.risk == "high" and flow.name != 'legacy' }}
`,
      said: []
    }
  ],
  "an exception that never applies": [
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ artifact.name == "datadog:7" and artifact.name == "busybox:1" }}
`,
      said: [
        '6:9 [dead_exception] `artifact.name` cannot be both "datadog:7" and "busybox:1", so the exception never ' +
          'counts: join them with `or`: write `${{ artifact.name == "datadog:7" or artifact.name == "busybox:1" }}`'
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ artifact.name == "datadog:7" or artifact.name == "busybox:1" }}
`,
      said: []
    }
  ],
  "a tab, then misspelt keys": [
    {
      text: `${SCHEMA}artifacts:\n  provenance:\n\trequired: true\n`,
      said: ["4:1 tabs are not allowed as indentation: use spaces"]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    requierd: yes
    exception:
      - datadog
  attestation:
    - type: junitt
`,
      said: [
        "4:5 unknown key `requierd`: write `required`; expected `true` or `false`, not `yes`",
        "5:5 unknown key `exception`: write `exceptions`",
        '6:9 an exception needs `if`: write `if: ${{ artifact.name == "datadog" }}` with the condition, not `datadog`',
        "7:3 unknown key `attestation`: write `attestations`",
        "8:7 unknown type `junitt`: write `junit`"
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ artifact.name == "datadog" }}
  attestations:
    - type: junit
`,
      said: [
        "6:9 [exception_not_enough] this exception lifts one rule; the artifact still fails the rule on line 8: " +
          "add a condition to them that is false for it"
      ]
    }
  ],
  "wrong indentation": [
    {
      text: `${SCHEMA}artifacts:\nprovenance:\n  required: true\n`,
      said: [
        "2:1 expected a mapping with the keys `provenance`, `trail-compliance`, `attestations`, not `null`",
        "3:1 unknown key `provenance`: it belongs below `artifacts:`, two spaces further in"
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
     exceptions:
      - if: \${{ artifact.name == "a" }}
`,
      said: [
        "4:15 nested mappings are not allowed in compact mappings: indent the next line like this one, " +
          "start a new line, or put text that holds a colon in quotes"
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  provenance:
    required: true
    exceptions:
      - if: \${{ artifact.name == "a" }}
`,
      said: []
    }
  ],
  "double quotes in double quotes": [
    {
      text: `${SCHEMA}artifacts:
  trail-compliance:
    required: true
    exceptions:
      - if: "\${{ flow.name == "legacy" }}"
`,
      said: [
        "6:32 unexpected scalar at node end: the quotes before it end the text: " +
          "put a text that has double quotes inside in single quotes"
      ]
    },
    {
      text: `${SCHEMA}artifacts:
  trail-compliance:
    required: true
    exceptions:
      - if: '\${{ flow.name == "legacy" }}'
`,
      said: []
    }
  ]
}

describe("Policies of people who have not read the documentation", () => {
  for (const [what, attempts] of Object.entries(STORIES))
    it(`leads from ${what} to a policy`, () => {
      for (const attempt of attempts) assert.deepStrictEqual(said(attempt.text), [...attempt.said])
    })
})
