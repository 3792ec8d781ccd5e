/** The running server's side of administration commands: listens where the commands look for it. */

import * as Effect from "effect/Effect"
import type { ServerConfig } from "../../ServerConfig.js"
import type { AdminCommand } from "./AdminCommand.js"
import * as AdminCommands from "./AdminCommands.js"
import * as AdminPath from "./AdminPath.js"
import * as AdminSocket from "./AdminSocket.js"

const answer = (command: AdminCommand) =>
  AdminCommands.run(command).pipe(
    Effect.match({
      onSuccess: (value): AdminSocket.AdminAnswer => ({ ok: true, value }),
      onFailure: ({ _tag, message }): AdminSocket.AdminAnswer => ({
        ok: false,
        error: _tag,
        message
      })
    })
  )

/** Answers commands until the scope closes; a server that cannot do so serves its API all the same. */
export const make = (config: ServerConfig) => {
  const path = AdminPath.of(config)
  return path === undefined
    ? Effect.void
    : AdminSocket.serve(path, answer).pipe(
        Effect.catchTag("AdminSocketFailed", ({ message }) =>
          Effect.logWarning(`${message}; set ATTESTRY_ADMIN_SOCKET to use administration commands`)
        )
      )
}
