/**
 * The address under which clients reach the deployment: the base of every link in a response. Behind a proxy a server
 * does not know its own name.
 */
import * as Context from "effect/Context"

/** The public address of the deployment, without a slash at the end. */
export class PublicUrl extends Context.Reference<PublicUrl>()("@attestry/http/PublicUrl", {
  defaultValue: () => "http://127.0.0.1:8080"
}) {}
