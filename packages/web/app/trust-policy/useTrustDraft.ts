/** The edited text of the trust policy, kept in this tab until it is saved or discarded. */
import { batch, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import * as PolicyDraft from "../policy/PolicyDraft.js"
import type { TrustPolicy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { starter } from "./TrustPolicyStarter.js"

/** WHY this name: no policy has a name that begins with `_`. */
const DRAFT = "_trust-policy"

export const useTrustDraft = (org: string, latest: TrustPolicy | undefined) => {
  const began: PolicyDraft.PolicyDraft = {
    text: latest?.trust_yaml ?? starter(location.origin + Navigation.base),
    base: latest?.version ?? 0
  }
  // WHY memoized: a newer version must not replace the text that a person is typing.
  const first = useMemo(() => PolicyDraft.load(sessionStorage, org, DRAFT) ?? began, [org])
  const draft = useSignal(first)
  const revision = useSignal(0)
  const set = (next: PolicyDraft.PolicyDraft) => {
    draft.value = next
    PolicyDraft.keep(sessionStorage, { org, policy: DRAFT }, next)
  }
  const forget = (next: PolicyDraft.PolicyDraft) => {
    PolicyDraft.forget(sessionStorage, org, DRAFT)
    draft.value = next
  }
  return {
    text: draft.value.text,
    /** The version that the text is based on; 0 without one. */
    base: draft.value.base,
    /** Whether it differs from the latest version, or from the example. */
    isEdited: draft.value.text !== began.text,
    /** Incremented when the text is replaced other than by typing. */
    revision: revision.value,
    setText: (text: string) => {
      if (text !== draft.value.text) set({ ...draft.value, text })
    },
    setBase: (base: number) => set({ ...draft.value, base }),
    /** The text is a version now. */
    saved: (base: number) => forget({ text: draft.value.text, base }),
    discard: () =>
      batch(() => {
        forget(began)
        revision.value += 1
      })
  }
}

/** The draft of a trust policy. */
export type TrustDraft = ReturnType<typeof useTrustDraft>
