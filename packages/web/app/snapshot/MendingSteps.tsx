/** Remedies as items of a list. Each item is sufficient by itself, and needs all of its steps. */
import { CodedText } from "../shared/CodedText.js"
import { Command } from "../shared/Command.js"
import type { Remedy } from "../shared/Contract.js"
import { sayStep } from "./RemedyText.js"

export const MendingSteps = ({ remedies }: { readonly remedies: ReadonlyArray<Remedy> }) => (
  <>
    {remedies.map(({ complete, steps }, position) => (
      <li key={position}>
        <ul>
          {steps.map((step, place) => (
            <li key={place}>
              <CodedText text={sayStep(step)} />
              {"command" in step && step.command !== undefined ? (
                <Command
                  text={step.command}
                  what={
                    step.do === "waive"
                      ? "the command that requests the waiver"
                      : `the command that reports ${step.attestation_name}`
                  }
                />
              ) : null}
            </li>
          ))}
        </ul>
        {complete ? null : (
          <p class="quiet">The search was cut short: there may be a smaller way.</p>
        )}
      </li>
    ))}
  </>
)
