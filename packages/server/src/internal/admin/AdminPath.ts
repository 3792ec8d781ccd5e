/** The path of the socket for administration commands. */
import * as EmbeddedPostgres from "@attestry/embedded-postgres/EmbeddedPostgres"
import type { ServerConfig } from "../../ServerConfig.js"

/** The path; `undefined` when commands use the store directly. */
export const of = (
  config: Pick<ServerConfig, "ATTESTRY_ADMIN_SOCKET" | "ATTESTRY_STORE" | "ATTESTRY_DATA_DIR">
): string | undefined =>
  config.ATTESTRY_ADMIN_SOCKET ??
  (config.ATTESTRY_STORE === "embedded"
    ? EmbeddedPostgres.adminSocket(config.ATTESTRY_DATA_DIR)
    : undefined)
