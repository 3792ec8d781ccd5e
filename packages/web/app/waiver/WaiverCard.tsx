/** The waivers of a row: which rule each waives, who owns and approved it, and until when. */
import type { SnapshotRow } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Navigation from "../shared/Navigation.js"
import { useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { RevealedText } from "../shared/RevealedText.js"

type Waived = NonNullable<SnapshotRow["waived"]>[number]

/** The owner, the approvers and the reason; renders nothing while they load. */
const People = ({ org, number }: { readonly org: string; readonly number: string }) => {
  const waiver = knownOf(useQuery("waiver.get", { org, number }))?.value
  if (waiver === undefined) return null
  const approvers = waiver.approvals.map(({ user }) => user).join(", ")
  return (
    <p>
      <q>
        <RevealedText text={waiver.reason} />
      </q>{" "}
      <span class="quiet">
        owner <RevealedText text={waiver.owner} />
        {approvers === "" ? null : (
          <>
            , approved by <RevealedText text={approvers} />
          </>
        )}
      </span>
    </p>
  )
}

/** Renders nothing for a row without a waived result. */
export const WaiverCards = ({
  org,
  waived = [],
  titleOf
}: {
  readonly org: string
  readonly waived: ReadonlyArray<Waived> | undefined
  /** The requirement of the rule of a result. */
  readonly titleOf: (result: Waived) => string
}) => {
  const numbers = [...new Set(waived.map(({ waiver }) => waiver))]
  return numbers.map((number) => {
    const results = waived.filter(({ waiver }) => waiver === number)
    const rules = new Set(results.map((each) => `${titleOf(each)} of ${each.policy_name}`))
    return (
      <section key={number} class="preview" aria-label={`Waiver ${number}`}>
        <p>
          <RevealedText text={[...rules].join(", ")} /> waived by{" "}
          <a href={Navigation.href("Waiver", { org, number: String(number) })}>waiver {number}</a>{" "}
          <Countdown seconds={results[0]?.expires_at ?? 0} event="ends" />
        </p>
        <People org={org} number={String(number)} />
      </section>
    )
  })
}
