/** The form that requests a waiver, or extends one; a failing row fills in its rule and its artifact. */
import * as Route from "@attestry/web/Route"
import type { PageProps } from "../pages.js"
import * as Session from "../session/Session.js"
import { callOf } from "../shared/Api.js"
import type { WaiverSettings } from "../shared/Contract.js"
import * as Navigation from "../shared/Navigation.js"
import { Page } from "../shared/Page.js"
import { cache, useQuery } from "../shared/Query.js"
import { QueryView } from "../shared/QueryView.js"
import { WaiverForm } from "./WaiverForm.js"
import { MAY_REQUEST } from "./WaiverPermission.js"

const Extension = ({
  route,
  maxDays,
  number
}: {
  readonly route: Route.RouteOf<"NewWaiver">
  readonly maxDays: number
  readonly number: string
}) => {
  const { org } = route.params
  const params = { org, number }
  const state = useQuery("waiver.get", params)
  return (
    <QueryView state={state} retry={() => void cache.refresh(callOf("waiver.get", params).path)}>
      {(waiver) => (
        <>
          <p>
            Extends <a href={Navigation.href("Waiver", params)}>waiver {number}</a>. Nothing of it
            is changed: the extension is a waiver of its own, which is approved again.
          </p>
          <WaiverForm key={number} route={route} maxDays={maxDays} extended={waiver} />
        </>
      )}
    </QueryView>
  )
}

/** When a waiver counts, by the settings of the org. */
const approvalText = ({
  approvals_required: count,
  approver_role: role
}: Pick<WaiverSettings, "approvals_required" | "approver_role">): string => {
  if (count === 0) return "counts at once."
  const approvals = count === 1 ? "one approval" : `${count} approvals`
  return `counts after ${approvals} of ${role === "admin" ? "admins" : "members"}.`
}

const Form = ({ route }: { readonly route: Route.RouteOf<"NewWaiver"> }) => {
  const { org } = route.params
  const state = useQuery("waiver.settings", { org })
  const extended = Route.parameter(route, "extends")
  return (
    <QueryView
      state={state}
      retry={() => void cache.refresh(callOf("waiver.settings", { org }).path)}
    >
      {({ approvals_required, approver_role, max_days }) => (
        <>
          <p class="lead">
            A waiver accepts that a rule fails, until a day. It lasts at most {max_days} days, and{" "}
            {approvalText({ approvals_required, approver_role })}
          </p>
          {extended === undefined ? (
            <WaiverForm route={route} maxDays={max_days} extended={undefined} />
          ) : (
            <Extension route={route} maxDays={max_days} number={extended} />
          )}
        </>
      )}
    </QueryView>
  )
}

export const NewWaiverPage = ({ route }: PageProps<Route.RouteOf<"NewWaiver">>) => {
  const { org } = route.params
  return (
    <Page
      name={
        Route.parameter(route, "extends") === undefined ? "Request a waiver" : "Extend a waiver"
      }
      org={org}
    >
      {Session.may(org, MAY_REQUEST) ? (
        <Form route={route} />
      ) : (
        <p class="note">Only members and admins of the org request waivers.</p>
      )}
    </Page>
  )
}
