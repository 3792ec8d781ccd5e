/** The spaces of an org as a tree, with what is in each, and the grants of the chosen one. */
import * as Route from "@attestry/web/Route"
import { useSignal } from "@preact/signals"
import { AccessTabs } from "../membership/AccessTabs.js"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { Space } from "../shared/Contract.js"
import * as Damaged from "../shared/Damaged.js"
import { DamagedNote } from "../shared/DamagedNote.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { preferences } from "../shared/Preferences.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { RevealedText } from "../shared/RevealedText.js"
import * as Shorten from "../shared/Shorten.js"
import { type Column, VirtualTable } from "../shared/VirtualTable.js"
import { ChangeSpace, CreateSpace, DeleteSpace } from "./SpaceForms.js"
import { SpaceGrants } from "./SpaceGrants.js"
import { depthOf, isAdminOf, parentOf, ROOT } from "./SpaceTree.js"

type SpacesRoute = Route.RouteOf<"Spaces">

/** The open dialog. */
type Open = "create" | "change" | "delete" | undefined

const routeOf = (org: string, path: string): SpacesRoute =>
  Route.make("Spaces", { org }, { space: path === ROOT ? undefined : path })

const THINGS = [
  ["flows", "Flows"],
  ["environments", "Environments"],
  ["policies", "Policies"],
  ["controls", "Controls"],
  ["service_accounts", "Accounts"]
] as const

const columnsOf = (org: string, spaces: ReadonlyArray<Space>): ReadonlyArray<Column<Space>> => [
  {
    name: "name",
    title: "Space",
    isHeader: true,
    cell: ({ name, path }) => (
      <a
        href={Navigation.hrefOf(routeOf(org, path))}
        title={path}
        aria-label={path}
        style={{ paddingInlineStart: `${16 * depthOf(path, spaces)}px` }}
      >
        {depthOf(path, spaces) === 0 ? path : name}
      </a>
    )
  },
  ...THINGS.map(
    ([kind, title]): Column<Space> => ({
      name: kind,
      title,
      isNumber: true,
      cell: ({ things }) => Shorten.count(things[kind])
    })
  ),
  {
    name: "description",
    title: "Description",
    cell: ({ description }) => <RevealedText text={Shorten.middle(description, 60)} />
  }
]

const Tree = ({
  org,
  path,
  spaces
}: {
  readonly org: string
  readonly path: string
  readonly spaces: ReadonlyArray<Space>
}) => (
  <VirtualTable
    caption="Spaces"
    columns={columnsOf(org, spaces)}
    rows={spaces}
    keyOf={({ path: each }) => each}
    selected={path}
    rowHeight={preferences.value.density === "compact" ? 28 : 36}
    onOpen={({ path: each }) => Navigation.go(routeOf(org, each))}
  />
)

const NoSpaces = () => (
  <div class="note">
    <strong>No spaces yet</strong>
    <p>
      Everything is in the whole org, and every member sees it. Spaces divide the org: a role in a
      space counts there and below.
    </p>
  </div>
)

/** Whether the person is an admin of a space: by the base role, or by a grant there or above. */
const useAdminOf = (org: string): ((path: string) => boolean) => {
  const own = useQuery("access.effective", { org })
  const bindings = own._tag === "Ready" ? own.value.bindings : []
  return (path) => Session.isAdmin(org) || isAdminOf(bindings, path)
}

const Dialogs = ({
  org,
  path,
  space,
  open,
  close
}: {
  readonly org: string
  readonly path: string
  readonly space: Space | undefined
  readonly open: Open
  readonly close: () => void
}) => {
  const done = (next: string) => {
    cache.invalidate(callOf("space.list", { org }).path)
    cache.invalidate(callOf("grant.list", { org }).path)
    close()
    Navigation.go(routeOf(org, next))
  }
  if (open === "create")
    return <CreateSpace org={org} parent={path} onDone={done} onClose={close} />
  if (space === undefined || open === undefined) return null
  return open === "change" ? (
    <ChangeSpace org={org} space={space} onDone={done} onClose={close} />
  ) : (
    <DeleteSpace org={org} space={space} onDone={() => done(parentOf(path))} onClose={close} />
  )
}

const ACTIONS = [
  ["create", "New space…"],
  ["change", "Rename or move…"],
  ["delete", "Delete…"]
] as const

/** The chosen space, with what its admins may do. */
const Chosen = ({
  route,
  path,
  space
}: {
  readonly route: SpacesRoute
  readonly path: string
  readonly space: Space | undefined
}) => {
  const { org } = route.params
  const open = useSignal<Open>(undefined)
  const isAdmin = useAdminOf(org)
  const mayChange = space !== undefined && isAdmin(parentOf(path))
  return (
    <>
      <section class="block">
        <h2>{path === ROOT ? "The whole org" : <RevealedText text={path} />}</h2>
        <p class="row-actions">
          {path === ROOT ? null : <a href={Navigation.hrefOf(routeOf(org, ROOT))}>The whole org</a>}
          {ACTIONS.filter(([name]) => (name === "create" ? isAdmin(path) : mayChange)).map(
            ([name, text]) => (
              <button
                key={name}
                type="button"
                class="button"
                onClick={() => {
                  open.value = name
                }}
              >
                {text}
              </button>
            )
          )}
        </p>
        {isAdmin(path) ? null : <p class="quiet">Its admins see who has a role here.</p>}
      </section>
      {isAdmin(path) ? <SpaceGrants key={path} route={route} path={path} /> : null}
      <Dialogs
        org={org}
        path={path}
        space={space}
        open={open.value}
        close={() => {
          open.value = undefined
        }}
      />
    </>
  )
}

const Links = ({ org }: { readonly org: string }) => (
  <>
    {Session.may(org, "placement.write") ? (
      <a href={Navigation.href("MoveThings", { org })}>Move things</a>
    ) : null}
    {Session.isAdmin(org) ? (
      <a href={Navigation.href("PlacementRules", { org })}>Placement rules</a>
    ) : null}
  </>
)

export const SpacesPage = ({ route }: PageProps<SpacesRoute>) => {
  const { org } = route.params
  const path = Route.parameter(route, "space") ?? ROOT
  const state = useQuery("space.list", { org })
  return (
    <Page name="Spaces" org={org} aside={<Links org={org} />}>
      <AccessTabs org={org} current="Spaces" />
      <QueryView state={state} retry={() => void cache.refresh(callOf("space.list", { org }).path)}>
        {({ spaces }) => {
          const { items, damaged } = Damaged.readable(spaces)
          const space = items.find((each) => each.path === path)
          return (
            <>
              <DamagedNote count={damaged} />
              {items.length === 0 ? <NoSpaces /> : <Tree org={org} path={path} spaces={items} />}
              {space === undefined && path !== ROOT ? (
                <p class="quiet">There is no such space.</p>
              ) : (
                <Chosen route={route} path={path} space={space} />
              )}
            </>
          )
        }}
      </QueryView>
    </Page>
  )
}
