/** Frame of every page: sidebar, header, footer, and dialogs. */
import type { ComponentChildren } from "preact"
import { now } from "../shared/Clock.js"
import * as Navigation from "../shared/Navigation.js"
import { preferences } from "../shared/Preferences.js"
import * as TimeText from "../shared/TimeText.js"
import { Footer } from "./Footer.js"
import { Header } from "./Header.js"
import { OfflineBar } from "./OfflineBar.js"
import { Overlays } from "./Overlays.js"
import { PartialBar } from "./PartialBar.js"
import { Sidebar } from "./Sidebar.js"
import { SignInDialog } from "./SignInDialog.js"

/** The URL and the time of printing; only visible on paper. */
const PrintHead = () => {
  // WHY read the signal: the URL changes with the page.
  const address = location.origin + Navigation.hrefOf(Navigation.route.value)
  return (
    <p class="print-head">
      {address} · {TimeText.absolute(now.value, preferences.value.zone)}
    </p>
  )
}

/** Without an org there is no sidebar. */
export const Shell = ({
  org,
  children
}: {
  readonly org: string | undefined
  readonly children: ComponentChildren
}) => (
  <div class={org === undefined ? "shell shell-bare" : "shell"}>
    <a class="skip-link" href="#main">
      Skip to content
    </a>
    {org === undefined ? null : <Sidebar org={org} />}
    <div class="shell-main">
      <Header org={org} />
      <OfflineBar />
      <PartialBar org={org} />
      <PrintHead />
      <main id="main" class="main">
        {children}
      </main>
      <Footer />
    </div>
    <Overlays org={org} />
    <SignInDialog />
  </div>
)
