/** The erasures of an org, newest first, and the form that makes one. */
import type * as Route from "@attestry/web/Route"
import { AuditTabs } from "../journal/AuditTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { MadeErasure } from "../shared/Contract.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import { Timestamp } from "../shared/Timestamp.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { EraseForm } from "./EraseForm.js"
import { namesText, sizeText } from "./ErasureText.js"

const COLUMNS: ReadonlyArray<Column<MadeErasure>> = [
  { name: "at", title: "When", cell: ({ at }) => <Timestamp seconds={at} always="absolute" /> },
  { name: "by", title: "Who", cell: ({ by }) => <RevealedText text={by} /> },
  {
    name: "reason",
    title: "Why",
    isHeader: true,
    isFlexible: true,
    cell: ({ reason }) => <RevealedText text={reason} />
  },
  { name: "size", title: "Erased", cell: ({ entries }) => sizeText(entries) },
  {
    name: "members",
    title: "Members",
    isFlexible: true,
    cell: (erasure) => <RevealedText text={namesText(erasure)} />
  }
]

const List = ({ org }: { readonly org: string }) => {
  const state = useQuery("log.listErasures", { org })
  return (
    <section class="block">
      <h2>Made so far</h2>
      <QueryView
        state={state}
        retry={() => void cache.refresh(callOf("log.listErasures", { org }).path)}
      >
        {(erasures) =>
          erasures.length === 0 ? (
            <p class="quiet">Nothing was erased.</p>
          ) : (
            <VirtualTable
              caption="Erasures"
              columns={COLUMNS}
              rows={erasures}
              keyOf={({ at, entries }) => `${at} ${entries[0]?.entry}`}
              rowHeight={preferences.value.density === "compact" ? 28 : 36}
            />
          )
        }
      </QueryView>
    </section>
  )
}

export const ErasuresPage = ({ route }: PageProps<Route.RouteOf<"Erasures">>) => {
  const { org } = route.params
  return (
    <Page name="Erasures" org={org}>
      {Session.may(org, "erasure.write") ? (
        <>
          <AuditTabs org={org} current="Erasures" />
          <List org={org} />
          <EraseForm org={org} />
        </>
      ) : (
        <div class="note">
          <strong>Erasures are for administrators</strong>
          <p>An administrator of the org erases personal data, for good.</p>
        </div>
      )}
    </Page>
  )
}
