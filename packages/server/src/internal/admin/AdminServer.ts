/** Serves administration commands in a running server. */
import * as Effect from "effect/Effect"
import type { ServerConfig } from "../../ServerConfig.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"
import * as AdminPath from "./AdminPath.js"
import * as AdminSocket from "./AdminSocket.js"

const reply = (command: AdminCommand) =>
  AdminCommands.run(command).pipe(
    Effect.match({
      onSuccess: (value): AdminSocket.AdminReply => ({ ok: true, value }),
      onFailure: ({ _tag, message }): AdminSocket.AdminReply => ({
        ok: false,
        error: _tag,
        message
      })
    })
  )

/** Serves commands until the scope closes; when the socket fails, the server serves its API without it. */
export const make = (config: ServerConfig) => {
  const path = AdminPath.of(config)
  return path === undefined
    ? Effect.void
    : AdminSocket.serve(path, reply).pipe(
        Effect.catchTag("AdminSocketFailed", ({ message }) =>
          Effect.logWarning(`${message}; set ATTESTRY_ADMIN_SOCKET to use administration commands`)
        )
      )
}
