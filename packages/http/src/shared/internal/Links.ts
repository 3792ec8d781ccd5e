/** The addresses of pages and resources, below the public URL of the deployment. DECISION A-22 */

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

/** The page of a snapshot. */
export const snapshotPage = (
  base: string,
  at: { readonly org: string; readonly environment: string; readonly index: number }
): string =>
  `${base}/${segment(at.org)}/environments/${segment(at.environment)}/snapshots/${at.index}`

/** Where a resource is read. */
export const api = (base: string, ...path: ReadonlyArray<string | number>): string =>
  `${base}/api/v2/${path.map(segment).join("/")}`
