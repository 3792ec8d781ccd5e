/** The values files in `deploy/chart/ci`, and the parts of their renderings that tests compare. */
import { type Mapping, valuesOf } from "../deploy/DeployFiles.js"
import type { Rendering } from "./ChartRenderer.js"
import * as ManifestLinks from "./ManifestLinks.js"

/** The path of a values file. */
export const fileOf = (name: string): string => `deploy/chart/ci/${name}-values.yaml`

/** The values files, each with the objects that it expects the operator to create. */
export const CASES: { readonly [name: string]: ReadonlyArray<string> } = {
  "external-postgres": [
    "Secret attestry-rds",
    "Secret attestry-bootstrap",
    "Secret evidence-log",
    "PersistentVolumeClaim log-state"
  ],
  embedded: [],
  ingress: ["Secret attestry-database", "Secret attestry-bootstrap", "Secret attestry-log"],
  reporter: ["Secret attestry-reporter"],
  "reporter-cronjob": [],
  admission: ["Secret attestry-admission", "Secret attestry-admission-tls"],
  everything: [
    ...["database", "mail", "collector", "first-key", "evidence-log", "witness"].map(
      (name) => `Secret ${name}`
    ),
    "Secret reporter-key",
    "Secret attestry-admission-key",
    "Secret admission-tls",
    "Secret registry",
    "ConfigMap witnesses",
    "ConfigMap authorities",
    "ConfigMap proxies",
    "PersistentVolumeClaim log-state",
    "ServiceAccount reporter"
  ]
}

/** Values of secrets for the server to read, by a part of the variable's name. */
const SECRETS = {
  SMTP: "smtp://mail",
  OTLP: "http://collector",
  DATABASE: "postgres://db/attestry"
}

const secretFor = (variable: string): string =>
  Object.entries(SECRETS).find(([part]) => variable.includes(part))?.[1] ?? ""

const isWorkload = ({ kind }: Mapping): boolean => kind === "Deployment" || kind === "StatefulSet"

/** The variables of the server's container, with made-up values for secrets. */
export const variablesOf = ({ documents }: Rendering): { readonly [name: string]: string } => {
  const named = (name: string) => documents.filter((each) => ManifestLinks.nameOf(each) === name)
  const settings = named("ConfigMap attestry").flatMap((map) => valuesOf(map, "data"))
  const secrets = documents
    .filter((each) => isWorkload(each) && /attestry$/.test(ManifestLinks.nameOf(each)))
    .flatMap((workload) =>
      valuesOf(workload, "secretKeyRef").length > 0 ? valuesOf(workload, "env") : []
    )
    .flatMap((entries) => (Array.isArray(entries) ? entries : []))
    .flatMap((entry) => valuesOf(entry, "name").slice(0, 1).map(String))
    .filter((name) => name.startsWith("ATTESTRY_"))
  return {
    ...Object.fromEntries(settings.flatMap((data) => Object.entries(data ?? {}))),
    ...Object.fromEntries(secrets.map((name) => [name, secretFor(name)]))
  }
}

/** The kinds of a rendering's objects, sorted. */
export const kindsOf = ({ documents }: Rendering): ReadonlyArray<string> =>
  documents.map(({ kind }) => String(kind)).sort()
