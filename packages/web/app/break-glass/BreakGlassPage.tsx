/** Break-glass of an org: what is open, the form that opens it, and what waits for its review. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import type { PageProps } from "../pages.js"
import { ProposalTabs } from "../proposal/ProposalParts.js"
import * as Session from "../session/Session.js"
import { useWrite } from "../session/Writing.js"
import { callOf } from "../shared/Api.js"
import type { BreakGlass } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import { FormDialog } from "../shared/FormDialog.js"
import { Page } from "../shared/Page.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Field, TextField } from "../shared/SettingsForm.js"
import { Timestamp } from "../shared/Timestamp.js"
import { LinesField } from "../waiver/WaiverActions.js"

const PER_PAGE = 50

const ROLES = ["admin", "member", "snapshotter", "reader"] as const

const paramsOf = (route: Route.RouteOf<"BreakGlass">) => ({
  org: route.params.org,
  query: { page: pageOf(route), per_page: PER_PAGE }
})

interface DialogProps {
  readonly org: string
  readonly renew: () => void
  readonly onClose: () => void
}

const OpenDialog = ({ org, renew, onClose }: DialogProps) => {
  const write = useWrite()
  const space = useSignal("/")
  const role = useSignal<string>("admin")
  const minutes = useSignal("60")
  const reason = useSignal("")
  return (
    <FormDialog
      title="Open break-glass"
      action="Open"
      fields={["space", "role", "minutes", "reason"]}
      write={() =>
        write(
          "breakGlass.open",
          { org },
          {
            space: space.value,
            role: role.value,
            minutes: Number(minutes.value),
            reason: reason.value
          }
        )
      }
      onDone={() => {
        renew()
        onClose()
      }}
      onClose={onClose}
    >
      {(problemOf) => (
        <>
          <p>
            You take a role at once, for a while. All admins are told, and every entry that you
            write says so.
          </p>
          <TextField label="Space" problem={problemOf("space")} text={space} />
          <Field
            label="Role"
            problem={problemOf("role")}
            control={(attributes) => (
              <select
                {...attributes}
                value={role.value}
                onChange={({ currentTarget }) => {
                  role.value = currentTarget.value
                }}
              >
                {ROLES.map((each) => (
                  <option key={each}>{each}</option>
                ))}
              </select>
            )}
          />
          <TextField label="Minutes, 15 to 240" problem={problemOf("minutes")} text={minutes} />
          <LinesField label="Reason" problem={problemOf("reason")} text={reason} />
        </>
      )}
    </FormDialog>
  )
}

const ChangeDialog = ({
  org,
  number,
  change,
  renew,
  onClose
}: DialogProps & { readonly number: number; readonly change: "close" | "review" }) => {
  const write = useWrite()
  const note = useSignal("")
  const params = { org, number: String(number) }
  return (
    <FormDialog
      title={`${change === "close" ? "Close" : "Review"} break-glass ${number}`}
      action={change === "close" ? "Close it" : "Review"}
      fields={["note"]}
      write={() =>
        change === "close"
          ? write("breakGlass.close", params)
          : write("breakGlass.review", params, { note: note.value })
      }
      onDone={() => {
        renew()
        onClose()
      }}
      onClose={onClose}
    >
      {(problemOf) =>
        change === "close" ? (
          <p>Its role ends at once. It is then reviewed by another admin.</p>
        ) : (
          <LinesField label="What you have found" problem={problemOf("note")} text={note} />
        )
      }
    </FormDialog>
  )
}

const Facts = ({ opening }: { readonly opening: BreakGlass }) => (
  <>
    <p>
      <strong>Break-glass {opening.number}</strong> is {opening.state}:{" "}
      <RevealedText text={opening.opened_by} /> as {opening.role} in{" "}
      <RevealedText text={opening.space} />
    </p>
    <p>
      <q>
        <RevealedText text={opening.reason} />
      </q>
    </p>
    <p class="quiet">
      opened <Timestamp seconds={opening.opened_at} />,{" "}
      {opening.state === "open" ? (
        <Countdown seconds={opening.ends_at} event="ends" />
      ) : (
        <>
          over <Timestamp seconds={opening.closed_at ?? opening.ends_at} />
        </>
      )}
    </p>
    {opening.note === null ? null : (
      <p>
        reviewed by <RevealedText text={opening.reviewed_by ?? ""} />:{" "}
        <q>
          <RevealedText text={opening.note} />
        </q>
      </p>
    )}
  </>
)

const Card = ({
  org,
  opening,
  renew
}: Pick<DialogProps, "org" | "renew"> & { readonly opening: BreakGlass }) => {
  const shown = useSignal<"close" | "review" | undefined>(undefined)
  const { number, state } = opening
  const isOpen = state === "open"
  // WHY: admins of the whole org alone review, and only they change protections.
  const mayReview = state !== "reviewed" && !isOpen && Session.may(org, "protection.write")
  return (
    <li class="rule-card">
      <Facts opening={opening} />
      {isOpen || mayReview ? (
        <div class="row-actions">
          <button
            type="button"
            class="button"
            onClick={() => {
              shown.value = isOpen ? "close" : "review"
            }}
          >
            {isOpen ? "Close" : "Review"}…<span class="visually-hidden"> break-glass {number}</span>
          </button>
        </div>
      ) : null}
      {shown.value === undefined ? null : (
        <ChangeDialog
          org={org}
          number={number}
          change={shown.value}
          renew={renew}
          onClose={() => {
            shown.value = undefined
          }}
        />
      )}
    </li>
  )
}

export const BreakGlassPage = ({ route }: PageProps<Route.RouteOf<"BreakGlass">>) => {
  const { org } = route.params
  const params = paramsOf(route)
  const state = useQuery("breakGlass.list", params)
  const isOpening = useSignal(false)
  const renew = () => void cache.refresh(callOf("breakGlass.list", params).path)
  return (
    <Page name="Break-glass" org={org}>
      <ProposalTabs org={org} current="Break-glass" />
      <p>
        <button
          type="button"
          class="button"
          onClick={() => {
            isOpening.value = true
          }}
        >
          Open break-glass…
        </button>
      </p>
      <QueryView state={state} retry={renew}>
        {({ openings, total_count }) =>
          total_count === 0 ? (
            <div class="note">
              <strong>Nobody has opened break-glass</strong>
              <p>
                A person with an eligible grant, or an admin with a key for emergencies, takes a
                role here for 15 to 240 minutes when nobody else is there.
              </p>
            </div>
          ) : (
            <>
              <ul class="rule-cards">
                {openings.map((opening) =>
                  "number" in opening ? (
                    <Card key={opening.number} org={org} opening={opening} renew={renew} />
                  ) : null
                )}
              </ul>
              <Pager route={route} perPage={PER_PAGE} total={total_count} what="openings" />
            </>
          )
        }
      </QueryView>
      {isOpening.value ? (
        <OpenDialog
          org={org}
          renew={renew}
          onClose={() => {
            isOpening.value = false
          }}
        />
      ) : null}
    </Page>
  )
}
