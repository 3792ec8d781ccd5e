/** A real provider in process: it signs everybody in as one person without asking, or lets a browser choose who. */
import type { IncomingMessage, ServerResponse } from "node:http"
import Provider from "oidc-provider"
import * as Https from "./Https.js"

/** The secret of the client. */
export const SECRET = "a secret of the client that is long enough"

/** The claims of a person. */
export interface Person {
  readonly sub: string
  readonly name: string
  readonly preferred_username: string
  readonly email: string
  readonly email_verified: boolean
  readonly groups: ReadonlyArray<string>
}

/** The person who is signed in where nobody is asked. */
export const ANN: Person = {
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
  readonly post_logout_redirect_uris?: ReadonlyArray<string>
}

interface LoadedGrant {
  readonly session: { readonly accountId: string }
  readonly client: { readonly clientId: string }
}

/** How long ago a person signed in, who says so on the page. */
export const OLD_SECONDS = 3_600

/** A page with a link for each person, for a sign-in of an hour ago, and for going back. */
const choiceOf = (people: ReadonlyArray<Person>, uid: string): string => {
  const link = (query: string, text: string) =>
    `<p><a href="/interaction/${uid}/end?${query}">${text}</a></p>`
  return [
    "<!doctype html><title>Provider</title><link rel=icon href=data:,><h1>Who are you?</h1>",
    ...people.flatMap(({ sub, name }) => [
      link(`as=${sub}`, name),
      link(`as=${sub}&ago=${OLD_SECONDS}`, `${name}, an hour ago`)
    ]),
    link("", "Cancel")
  ].join("\n")
}

const resultOf = (chosen: URLSearchParams) => {
  const as = chosen.get("as")
  if (as === null) return { error: "access_denied", error_description: "the person went back" }
  const ts = Math.floor(Date.now() / 1_000) - Number(chosen.get("ago") ?? 0)
  return { login: { accountId: as, ts } }
}

/** Answers `/interaction/{uid}`, where the provider sends a browser that has to sign in. */
const interact =
  (provider: Provider, people: ReadonlyArray<Person>) =>
  ({ pathname, searchParams }: URL, request: IncomingMessage, response: ServerResponse) => {
    const [, , uid = "", end] = pathname.split("/")
    if (people.length > 1 && end === undefined) {
      response.setHeader("content-type", "text/html; charset=utf-8")
      response.end(choiceOf(people, uid))
      return
    }
    const [first = ANN] = people
    const result = resultOf(
      people.length > 1 ? searchParams : new URLSearchParams({ as: first.sub })
    )
    provider
      .interactionFinished(request, response, result)
      .catch((error: unknown) => response.end(String(error)))
  }

/** A provider whose one client may return to the address. With several people a page asks which of them one is. */
export const start = (
  redirectUri: string,
  client: ClientOptions = {},
  people: ReadonlyArray<Person> = [ANN]
) =>
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
      features: {
        devInteractions: { enabled: false },
        rpInitiatedLogout: {
          enabled: true,
          logoutSource: (context: { body: string }, form: string) => {
            context.body = `<!doctype html><title>Provider</title><link rel=icon href=data:,>${form}
              <button form="op.logoutForm" name="logout" value="yes">Sign me out</button>`
          }
        }
      },
      pkce: { required: () => true },
      findAccount: (_context: unknown, id: string) => ({
        accountId: id,
        claims: () => people.find(({ sub }) => sub === id)
      }),
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
    const interaction = interact(provider, people)
    return (request, response) => {
      const url = new URL(request.url ?? "/", origin)
      if (url.pathname.startsWith("/interaction/")) interaction(url, request, response)
      else answer(request, response)
    }
  })
