/** Common frame of the pages of one control: name, actions and tabs. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { ComponentChildren } from "preact"
import { GraphLink } from "../exposure/GraphLink.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { Control } from "../shared/Contract.js"
import { Dialog } from "../shared/Dialog.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { knownOf } from "../shared/QueryCache.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Tabs } from "../shared/Tabs.js"
import { MoveLink } from "../space/MoveLink.js"
import { ControlForm } from "./ControlForm.js"

export type ControlRoute =
  | Route.RouteOf<"Control">
  | Route.RouteOf<"ControlDecisions">
  | Route.RouteOf<"ControlCoverage">
  | Route.RouteOf<"ControlVersions">

const TABS = [
  ["Control", "Definition"],
  ["ControlDecisions", "Decisions"],
  ["ControlCoverage", "Coverage"],
  ["ControlVersions", "Versions"]
] as const

const ControlTabs = ({ route }: { readonly route: ControlRoute }) => (
  <Tabs
    label="Control"
    tabs={TABS.map(([tag, title]) => ({
      title,
      href: Navigation.href(tag, route.params),
      isCurrent: route._tag === tag
    }))}
  />
)

/** Asks for confirmation before archiving, and lists what archiving keeps. */
const ArchiveDialog = ({
  control,
  onClose,
  onConfirm
}: {
  readonly control: Control
  readonly onClose: () => void
  readonly onConfirm: () => Promise<string | undefined>
}) => {
  const problem = useSignal<string | undefined>(undefined)
  const isSending = useSignal(false)
  return (
    <Dialog title={`Archive ${control.identifier}`} onClose={onClose}>
      <p>
        Lists leave it out, and new policies cannot ask for it. Its versions and the decisions about
        it stay, and so do policies that ask for it today.
      </p>
      <p class="field-problem" role="alert">
        {problem.value}
      </p>
      <div class="form-actions">
        <button type="button" class="button" onClick={onClose}>
          Cancel
        </button>
        <button
          type="button"
          class="button button-main"
          disabled={isSending.value}
          onClick={async () => {
            isSending.value = true
            problem.value = await onConfirm()
            isSending.value = false
          }}
        >
          Archive control
        </button>
      </div>
    </Dialog>
  )
}

const Actions = ({ org, control }: { readonly org: string; readonly control: Control }) => {
  const write = useWrite()
  const opened = useSignal<"edit" | "archive" | undefined>(undefined)
  const { identifier } = control
  const close = () => {
    opened.value = undefined
  }
  const set = async (id: "control.archive" | "control.unarchive"): Promise<string | undefined> => {
    const written = await write(id, { org, identifier })
    if (written._tag === "Refused") return written.problem.message
    await cache.refresh(callOf("control.get", { org, identifier }).path)
    close()
    return undefined
  }
  if (!Session.may(org, "control.write")) return null
  return (
    <div class="editor-actions">
      <MoveLink org={org} type="control" name={identifier} />
      {control.archived ? (
        <button type="button" class="button" onClick={() => void set("control.unarchive")}>
          Unarchive
        </button>
      ) : (
        <>
          <button
            type="button"
            class="button"
            onClick={() => {
              opened.value = "edit"
            }}
          >
            Edit…
          </button>
          <button
            type="button"
            class="button"
            onClick={() => {
              opened.value = "archive"
            }}
          >
            Archive…
          </button>
        </>
      )}
      {opened.value === "edit" ? (
        <ControlForm org={org} control={control} onClose={close} onSaved={close} />
      ) : null}
      {opened.value === "archive" ? (
        <ArchiveDialog control={control} onClose={close} onConfirm={() => set("control.archive")} />
      ) : null}
    </div>
  )
}

export const ControlFrame = ({
  route,
  children
}: {
  readonly route: ControlRoute
  readonly children: (control: Control) => ComponentChildren
}) => {
  const { identifier, org } = route.params
  const state = useQuery("control.get", { org, identifier })
  const control = knownOf(state)?.value
  return (
    <Page
      name={identifier}
      org={org}
      heading={
        <>
          <RevealedText text={identifier} />{" "}
          {control === undefined ? null : (
            <span class="title-more">
              <RevealedText text={control.name} />
            </span>
          )}
          {control?.archived === true ? <span class="tag">archived</span> : null}
        </>
      }
      aside={
        control === undefined ? null : (
          <>
            <GraphLink org={org} root={`control:${identifier}`} />
            <Actions org={org} control={control} />
          </>
        )
      }
    >
      <ControlTabs route={route} />
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("control.get", { org, identifier }).path)}
      >
        {children}
      </QueryView>
    </Page>
  )
}
