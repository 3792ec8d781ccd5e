/** Mounts the application into the document that the server sent. */
import { render } from "preact"
import { App } from "./App.js"
import * as Session from "./session/Session.js"
import * as Clock from "./shared/Clock.js"
import * as Navigation from "./shared/Navigation.js"
import * as Preferences from "./shared/Preferences.js"
import * as Shortcuts from "./shell/Shortcuts.js"

Preferences.start()
Clock.start()
Navigation.start()
Shortcuts.start()
Session.start()

const root = document.getElementById("app")
if (root !== null) render(<App />, root)
