/** The assembled server without the worker that makes leaves of what was written: everything else is the same. */
import { register } from "node:module"

const HOOKS = `export const load = async (url, context, next) =>
  url.endsWith("/server/dist/internal/LogWorker.js")
    ? {
        format: "module",
        shortCircuit: true,
        source: 'import { never } from "effect/Effect"; export const run = () => never'
      }
    : next(url, context)`

register(`data:text/javascript,${encodeURIComponent(HOOKS)}`)
await import("../../packages/server/dist/main.js")
