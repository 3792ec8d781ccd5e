/** Registry credentials for Azure Container Registry, from an Azure access token. */
import * as Json from "../../shared/Json.js"
import type { CloudRequests } from "./CloudRequests.js"
import type { RegistryLogin } from "./RegistryDigest.js"

const OWN_REGISTRY = /\.azurecr\.(?:io|cn|us)$/
/** The user name that the registry's documentation prescribes for tokens. */
const TOKEN_USER = "00000000-0000-0000-0000-000000000000"

/** The credentials; undefined for other registries, and if the registry refuses the token. */
export const loginOf = async (
  requests: CloudRequests,
  registry: string,
  token: string
): Promise<RegistryLogin | undefined> => {
  if (!OWN_REGISTRY.test(registry)) return undefined
  try {
    const answer = await requests.send(() => ({
      method: "POST",
      url: `https://${registry}/oauth2/exchange`,
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: new URLSearchParams({
        grant_type: "access_token",
        service: registry,
        access_token: token
      }).toString()
    }))
    const password = Json.text(Json.object(JSON.parse(answer.text)).refresh_token)
    return answer.status === 200 && password !== undefined
      ? { username: TOKEN_USER, password }
      : undefined
  } catch {
    // WHY: other credentials on this machine may still work.
    return undefined
  }
}
