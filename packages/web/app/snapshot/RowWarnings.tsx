/** The warnings about a row, from policies in mode `warn`. */
import { CodedText } from "../shared/CodedText.js"
import type { PolicyReason } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { RevealedText } from "../shared/RevealedText.js"

/** Renders nothing without a warning. */
export const RowWarnings = ({
  org,
  warnings = []
}: {
  readonly org: string
  readonly warnings: ReadonlyArray<PolicyReason> | undefined
}) =>
  warnings.length === 0 ? null : (
    <section aria-label="Warnings">
      <p class="quiet">Policies on trial say no. They count for nothing yet.</p>
      <ol class="why why-warning">
        {warnings.map(({ description, policy_name, policy_version }, position) => (
          <li key={position}>
            <a
              href={Navigation.href("PolicyVersion", {
                org,
                policy: policy_name,
                version: String(policy_version)
              })}
            >
              <RevealedText text={policy_name} /> v{policy_version}
            </a>
            <p>
              <CodedText text={description} />
            </p>
          </li>
        ))}
      </ol>
    </section>
  )
