/** The text of an editor, kept in this tab until it is saved or discarded. */
import { batch, useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as PolicyDraft from "./PolicyDraft.js"

export const useDraft = (org: string, name: string, policy: Policy | undefined) => {
  const latest = policy?.versions.at(-1)
  const began: PolicyDraft.PolicyDraft = {
    text: latest?.policy_yaml ?? PolicyDraft.starter(location.origin + Navigation.base),
    base: latest?.version ?? 0
  }
  // WHY memoized: a newer version must not replace the text that a person is typing.
  const first = useMemo(() => PolicyDraft.load(sessionStorage, org, name) ?? began, [org, name])
  const draft = useSignal(first)
  const revision = useSignal(0)
  const set = (next: PolicyDraft.PolicyDraft) => {
    draft.value = next
    PolicyDraft.keep(sessionStorage, { org, policy: name }, next)
  }
  return {
    draft: draft.value,
    /** Incremented when the text is replaced other than by typing. */
    revision: revision.value,
    original: policy?.versions.find(({ version }) => version === draft.value.base)?.policy_yaml,
    setText: (text: string) => {
      if (text !== draft.value.text) set({ ...draft.value, text })
    },
    setName: (given: string) => set({ ...draft.value, name: given }),
    setBase: (base: number) => set({ ...draft.value, base }),
    discard: () => {
      PolicyDraft.forget(sessionStorage, org, name)
      batch(() => {
        draft.value = began
        revision.value += 1
      })
    }
  }
}
