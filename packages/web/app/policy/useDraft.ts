/** The draft of a page: what is typed, kept in this tab until it is saved or discarded. */
import { useSignal } from "@preact/signals"
import { useMemo } from "preact/hooks"
import type { Policy } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import * as PolicyDraft from "./PolicyDraft.js"

/** The text of an editor, kept in this tab until it is saved. */
export const useDraft = (org: string, name: string, policy: Policy | undefined) => {
  const latest = policy?.versions.at(-1)
  const first = useMemo((): PolicyDraft.PolicyDraft => {
    const stored = PolicyDraft.load(sessionStorage, org, name)
    const began = {
      text: latest?.policy_yaml ?? PolicyDraft.starter(location.origin + Navigation.base),
      base: latest?.version ?? 0
    }
    return stored ?? began
    // WHY: a newer version must not replace what is being typed.
  }, [org, name])
  const draft = useSignal(first)
  const set = (next: PolicyDraft.PolicyDraft) => {
    draft.value = next
    PolicyDraft.keep(sessionStorage, { org, policy: name }, next)
  }
  return {
    draft: draft.value,
    original: policy?.versions.find(({ version }) => version === draft.value.base)?.policy_yaml,
    setText: (text: string) => set({ ...draft.value, text }),
    setBase: (base: number) => set({ ...draft.value, base }),
    discard: () => {
      PolicyDraft.forget(sessionStorage, org, name)
      draft.value = {
        text: latest?.policy_yaml ?? PolicyDraft.starter(location.origin + Navigation.base),
        base: latest?.version ?? 0
      }
    }
  }
}
