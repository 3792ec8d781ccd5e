/** `pnpm start`: builds the workspace, then runs the server in this process. */
import { build } from "./build.mjs"

await build()
// WHY: loading the server takes seconds on a busy machine, and the server shows itself how its start goes on.
const loading = setTimeout(() => process.stderr.write("attestry: loading the server\n"), 1_000)
await import("../packages/server/dist/main.js")
clearTimeout(loading)
