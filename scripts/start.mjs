/** `pnpm start`: builds the workspace, then runs the server in this process. */
import { build } from "./build.mjs"

build()
await import("../packages/server/dist/main.js")
