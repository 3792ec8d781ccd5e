/** A real provider in process: it signs everybody in as one person, without asking. */
import Provider from "oidc-provider"
import * as Https from "./Https.js"

/** The secret of the client. */
export const SECRET = "a secret of the client that is long enough"

/** The claims of the person, by scope. */
const CLAIMS = {
  sub: "u-1",
  name: "Ann",
  preferred_username: "ann",
  email: "ann@example.com",
  email_verified: true,
  groups: ["devs"]
}

/** The options of the client at the provider. */
interface ClientOptions {
  readonly token_endpoint_auth_method?: string
  readonly jwks?: object
  readonly token_endpoint_auth_signing_alg?: string
}

/** A provider whose one client may return to the address. */
export const start = (redirectUri: string, client: ClientOptions = {}) =>
  Https.serve((origin) => {
    const provider = new Provider(origin, {
      clients: [
        {
          client_id: "attestry",
          ...(client.jwks === undefined ? { client_secret: SECRET } : {}),
          redirect_uris: [redirectUri],
          post_logout_redirect_uris: ["https://attestry.example.com/"],
          ...client
        }
      ],
      claims: {
        openid: ["sub", "groups"],
        profile: ["name", "preferred_username"],
        email: ["email", "email_verified"]
      },
      conformIdTokenClaims: false,
      cookies: { keys: ["a key of the cookies of this test"] },
      features: { devInteractions: { enabled: false }, rpInitiatedLogout: { enabled: true } },
      pkce: { required: () => true },
      findAccount: (_context: unknown, id: string) => ({ accountId: id, claims: () => CLAIMS }),
      interactions: { url: (_context: unknown, { uid }: { uid: string }) => `/interaction/${uid}` },
      loadExistingGrant: async ({ oidc }: { oidc: LoadedGrant }) => {
        const grant = new provider.Grant({
          accountId: oidc.session.accountId,
          clientId: oidc.client.clientId
        })
        grant.addOIDCScope("openid profile email")
        await grant.save()
        return grant
      }
    })
    const answer = provider.callback()
    return (request, response) => {
      if (request.url?.startsWith("/interaction/") === true) {
        provider
          .interactionFinished(request, response, { login: { accountId: "u-1" } })
          .catch((error: unknown) => response.end(String(error)))
      } else answer(request, response)
    }
  })

interface LoadedGrant {
  readonly session: { readonly accountId: string }
  readonly client: { readonly clientId: string }
}
