/**
 * Where can a reader of a notification look further?
 *
 * Links from the deployment's public address to its pages and its API. Names are escaped as segments;
 * whether a page exists is not known here. DECISION A-22
 */
import type { NotifiedSnapshot, Provenance } from "@attestry/core/Notification"

const segment = (text: string | number): string => encodeURIComponent(text)

/** A page for people and the same thing in the API. */
export interface Links {
  readonly html_url: string
  readonly api_url: string
}

/** The snapshot that a notification came from. */
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

/** The artifact in the flow that knows it. */
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

const HTTP = /^https?:\/\/[^\s/?#@"'<>\\|]+(?:[/?#][^\s"'<>\\|]*)?$/i

/** Whether a text of unknown origin may be shown as a link: `http` or `https`, and nothing that ends one. */
export const isWebLink = (text: string): boolean => text.length <= 2048 && HTTP.test(text)
