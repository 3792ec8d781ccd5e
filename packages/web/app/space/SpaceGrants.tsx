/** The grants of a space and of those below it, for its admins. */
import type * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { callOf } from "../shared/Api.js"
import type { Grant } from "../shared/Contract.js"
import { Countdown } from "../shared/Countdown.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import { Pager, pageOf } from "../shared/Pager.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { EndGrant, GiveGrant } from "./GrantForms.js"
import { kindText, subjectText } from "./GrantText.js"

const PER_PAGE = 50

const columnsOf = (end: (grant: Grant) => void): ReadonlyArray<Column<Grant>> => [
  {
    name: "subject",
    title: "Who",
    isHeader: true,
    cell: ({ subject }) => (
      <>
        <strong>
          <RevealedText text={Shorten.middle(subjectText(subject), 48)} />
        </strong>{" "}
        <span class="quiet">{kindText(subject)}</span>
      </>
    )
  },
  {
    name: "role",
    title: "Role",
    cell: ({ role, eligible }) => (eligible ? `${role}, eligible` : role)
  },
  { name: "space", title: "Space", cell: ({ space }) => <RevealedText text={space} /> },
  {
    name: "ends",
    title: "Ends",
    cell: ({ expires_at }) =>
      expires_at === null ? (
        <span class="quiet">when it is ended</span>
      ) : (
        <Countdown seconds={expires_at} event="ends" />
      )
  },
  {
    name: "reason",
    title: "Reason",
    cell: ({ reason }) => <RevealedText text={Shorten.middle(reason, 60)} />
  },
  {
    name: "end",
    title: "End",
    cell: (grant) => (
      <button
        type="button"
        class="button"
        aria-label={`End grant ${grant.number}`}
        onClick={() => end(grant)}
      >
        End…
      </button>
    )
  }
]

interface Props {
  readonly route: Route.RouteOf<"Spaces">
  readonly path: string
}

const Grants = ({ route, path, end }: Props & { readonly end: (grant: Grant) => void }) => {
  const query = { space: path, page: pageOf(route), per_page: PER_PAGE }
  const params = { org: route.params.org, query }
  const state = useQuery("grant.list", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("grant.list", params).path)}>
      {({ grants, total_count }) => {
        const { items, damaged } = Damaged.readable(grants)
        return (
          <>
            <DamagedNote count={damaged} />
            {total_count === 0 ? (
              <p class="quiet">No grants. Base roles of members count in the whole org.</p>
            ) : (
              <VirtualTable
                caption="Grants"
                columns={columnsOf(end)}
                rows={items}
                keyOf={({ number }) => String(number)}
                rowHeight={preferences.value.density === "compact" ? 28 : 36}
              />
            )}
            <Pager route={route} perPage={PER_PAGE} total={total_count} what="grants" />
          </>
        )
      }}
    </QueryView>
  )
}

export const SpaceGrants = ({ route, path }: Props) => {
  const { org } = route.params
  const isGiving = useSignal(false)
  const ending = useSignal<Grant | undefined>(undefined)
  const close = () => {
    isGiving.value = false
    ending.value = undefined
  }
  const done = () => {
    cache.invalidate(callOf("grant.list", { org }).path)
    cache.invalidate(callOf("access.effective", { org }).path)
    close()
  }
  return (
    <section class="block">
      <h2>Grants here and below</h2>
      <Grants
        route={route}
        path={path}
        end={(grant) => {
          ending.value = grant
        }}
      />
      <p class="below">
        <button
          type="button"
          class="button"
          onClick={() => {
            isGiving.value = true
          }}
        >
          Give a role…
        </button>
      </p>
      {isGiving.value ? <GiveGrant org={org} space={path} onDone={done} onClose={close} /> : null}
      {ending.value === undefined ? null : (
        <EndGrant org={org} grant={ending.value} onDone={done} onClose={close} />
      )}
    </section>
  )
}
