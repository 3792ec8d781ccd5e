/** People of a deployment whom the command line cannot make: they accept an invitation. */
import type { Deployment } from "./TestDeployment.js"

const post = async (
  { url, keys }: Pick<Deployment, "url" | "keys">,
  path: string,
  body: object
): Promise<{ readonly secret: string; readonly id: string }> => {
  const response = await fetch(`${url}/api/v2/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${keys.admin}` },
    body: JSON.stringify(body)
  })
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
  return await response.json()
}

/** Invites a person as a reader; returns the id of the invitation. */
export const invite = async (deployment: Pick<Deployment, "url" | "keys">) =>
  await post(deployment, "invitations/acme", { role: "reader" })

/** Makes a person a member. */
export const join = async (
  deployment: Pick<Deployment, "url" | "keys">,
  login: string
): Promise<void> => {
  const { secret } = await invite(deployment)
  await post(deployment, "invitation/accept", { secret, login })
}
