/**
 * The files in `deploy/kubernetes`: the chart, rendered for people who do not use Helm. Lines that only Helm needs are
 * left out, and each file keeps the comment at its beginning.
 */
import type { Release, Renderer } from "./ChartRenderer.js"

/** The files, each with the release that it is. */
export const RELEASES: { readonly [path: string]: Release } = {
  "deploy/kubernetes/attestry.yaml": {
    namespace: "attestry",
    values: {
      settings: { publicUrl: "https://attestry.example.com", trustedProxies: "10.0.0.0/8" }
    }
  },
  "deploy/kubernetes/reporter.yaml": {
    namespace: "attestry-reporter",
    files: ["deploy/chart/ci/reporter-values.yaml"]
  },
  "deploy/kubernetes/reporter-cronjob.yaml": {
    namespace: "attestry-reporter",
    files: ["deploy/chart/ci/reporter-values.yaml"],
    values: { reporter: { kind: "CronJob" } }
  },
  "deploy/kubernetes/admission.yaml": {
    namespace: "attestry-admission",
    files: ["deploy/chart/ci/admission-values.yaml"]
  }
}

/** Labels and annotations by which Helm knows its objects. */
const OF_HELM = /^ +(?:app\.kubernetes\.io\/managed-by|helm\.sh\/chart|checksum\/config): .*\n/gm

/** Templates in the order in which people read their objects. */
const ORDER = ["rbac", "serviceaccount", "configmap", "deployment", "cronjob", "service", "pod"]

const orderOf = (path: string): number => {
  const name = path.replace(/^.*\/(?:(?:reporter|admission)-)?/, "")
  const position = ORDER.findIndex((word) => name.startsWith(word))
  return position < 0 ? ORDER.length : position
}

/** Comments at the beginning of a file. */
const headerOf = (text: string): string => /^(?:#.*\n)*/.exec(text)?.[0] ?? ""

/** The text of a file, renewed. */
export const renewed = (renderer: Renderer, release: Release, text: string): string => {
  const { texts } = renderer.render(release)
  const parts = [...texts]
    .filter(([path]) => !/NOTES\.txt$|\/tests\//.test(path))
    .sort(([a], [b]) => orderOf(a) - orderOf(b))
    .map(([, part]) => part.replace(OF_HELM, "").replace(/^( +)annotations:\n(?!\1 )/gm, ""))
  return `${headerOf(text)}${parts.map((part) => `${part.trim()}\n`).join("---\n")}`
}
