/**
 * Links from a notification to pages and API resources of the deployment.
 *
 * Names are escaped as path segments; whether a page exists is not checked.
 */
import type { NotifiedSnapshot, Provenance } from "@attestry/core/Notification"

const segment = (text: string | number): string => encodeURIComponent(text)

/** The page of a resource and its API URL. */
export interface Links {
  readonly html_url: string
  readonly api_url: string
}

/** The links of a snapshot. */
export const snapshot = (
  base: string,
  at: { readonly org: string; readonly environment: string },
  { index }: Pick<NotifiedSnapshot, "index">
): Links => {
  const org = segment(at.org)
  const environment = segment(at.environment)
  return {
    html_url: `${base}/${org}/environments/${environment}/snapshots/${index}`,
    api_url: `${base}/api/v2/snapshots/${org}/${environment}/${index}`
  }
}

/** The links of an artifact in its flow. */
export const artifact = (
  base: string,
  at: { readonly org: string; readonly fingerprint: string },
  { flow }: Pick<Provenance, "flow">
): Links => {
  const org = segment(at.org)
  const name = segment(flow)
  return {
    html_url: `${base}/${org}/flows/${name}/artifacts/${at.fingerprint}`,
    api_url: `${base}/api/v2/artifacts/${org}/${name}/fingerprint/${at.fingerprint}`
  }
}

/** The links of a trail. */
export const trail = (
  base: string,
  at: { readonly org: string; readonly flow: string; readonly trail: string }
): Links => {
  const org = segment(at.org)
  const flow = segment(at.flow)
  const name = segment(at.trail)
  return {
    html_url: `${base}/${org}/flows/${flow}/trails/${name}`,
    api_url: `${base}/api/v2/trails/${org}/${flow}/${name}`
  }
}

/** The page of an attestation on a trail. */
export const attestationPage = (page: string, id: string): string =>
  `${page}?attestation_id=${segment(id)}`

/** A page of an org by its path. */
export const orgPage = (base: string, org: string, path: string): string =>
  `${base}/${segment(org)}/${path}`
