/** The claims that a rule asks for, exactly as id tokens have them. */
import { RevealedText } from "../shared/RevealedText.js"
import type { IdentityRuleInput } from "./IdentityRuleDraft.js"
import * as IdentityRuleText from "./IdentityRuleText.js"

export const RuleClaims = ({ rule }: { readonly rule: IdentityRuleInput }) => (
  <dl class="claims">
    {IdentityRuleText.claimsOf(rule).map(([claim, pattern]) => (
      <div key={claim}>
        <dt>
          <code>
            <RevealedText text={claim} />
          </code>
        </dt>
        <dd>
          <code>
            <RevealedText text={pattern} />
          </code>
        </dd>
      </div>
    ))}
  </dl>
)
