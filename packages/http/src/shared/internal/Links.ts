/** The addresses of pages and resources, below the public URL of the deployment. */

const segment = (text: string | number): string => encodeURIComponent(text)

/** The page of a flow. */
export const flowPage = (
  base: string,
  at: { readonly org: string; readonly flow: string }
): string => `${base}/${segment(at.org)}/flows/${segment(at.flow)}`

/** The page of a trail, or of one attestation on it. */
export const trailPage = (
  base: string,
  at: { readonly org: string; readonly flow: string; readonly trail: string },
  attestation?: string
): string =>
  `${flowPage(base, at)}/trails/${segment(at.trail)}` +
  (attestation === undefined ? "" : `?attestation_id=${segment(attestation)}`)

/** The page of an artifact. */
export const artifactPage = (
  base: string,
  at: { readonly org: string; readonly flow: string; readonly fingerprint: string },
  id: string
): string => `${flowPage(base, at)}/artifacts/${at.fingerprint}?artifact_id=${segment(id)}`

/** The page of an artifact in all flows and environments. */
export const contentPage = (
  base: string,
  at: { readonly org: string; readonly fingerprint: string }
): string => `${base}/${segment(at.org)}/artifacts/${at.fingerprint}`

/** The page of an environment, a policy or a control. */
export const namedPage = (
  base: string,
  at: {
    readonly org: string
    readonly list: "environments" | "policies" | "controls"
    readonly name: string
  }
): string => `${base}/${segment(at.org)}/${at.list}/${segment(at.name)}`

/** The page of what a commit or a fingerprint is found in. */
export const searchPage = (
  base: string,
  at: { readonly org: string; readonly text: string }
): string => `${base}/${segment(at.org)}/search?q=${segment(at.text)}`

/** The page of a snapshot. */
export const snapshotPage = (
  base: string,
  at: { readonly org: string; readonly environment: string; readonly index: number }
): string =>
  `${base}/${segment(at.org)}/environments/${segment(at.environment)}/snapshots/${at.index}`

/** The page of an invitation. WHY a fragment: it is in no request and in no log of a server on the way. */
export const invitationPage = (base: string, secret: string): string =>
  `${base}/_/invitation#${segment(secret)}`

/** Where a resource is read. */
export const api = (base: string, ...path: ReadonlyArray<string | number>): string =>
  `${base}/api/v2/${path.map(segment).join("/")}`
