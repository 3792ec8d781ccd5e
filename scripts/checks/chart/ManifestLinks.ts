/** References within a set of Kubernetes manifests: each leads to an object, a pod, a port or a volume of the set. */
import { type Mapping, type Value, valuesOf } from "../deploy/DeployFiles.js"

const isMapping = (value: Value | undefined): value is Mapping =>
  typeof value === "object" && value !== null && !Array.isArray(value)

const at = (value: Value | undefined, ...path: ReadonlyArray<string>): Value | undefined =>
  path.reduce<Value | undefined>((inner, key) => (isMapping(inner) ? inner[key] : undefined), value)

const mappings = (value: Value | undefined): ReadonlyArray<Mapping> =>
  Array.isArray(value) ? value.filter(isMapping) : []

/** The kind and the name of a manifest. */
export const nameOf = (document: Mapping): string =>
  `${document.kind} ${String(at(document, "metadata", "name"))}`

/** The pods that a manifest describes: its template, or itself. */
export const podsOf = (document: Mapping): ReadonlyArray<Mapping> =>
  document.kind === "Pod" ? [document] : valuesOf(document, "template").filter(isMapping)

const containersOf = (pod: Mapping): ReadonlyArray<Mapping> => [
  ...mappings(at(pod, "spec", "initContainers")),
  ...mappings(at(pod, "spec", "containers"))
]

const isSelected = (labels: Value | undefined, pod: Mapping): boolean => {
  const actual = at(pod, "metadata", "labels")
  return (
    isMapping(labels) &&
    Object.entries(labels).length > 0 &&
    Object.entries(labels).every(([key, value]) => at(actual, key) === value)
  )
}

/** Volumes that are mounted and missing, or present and unused. */
const volumeProblems = (pod: Mapping): ReadonlyArray<string> => {
  const volumes = mappings(at(pod, "spec", "volumes")).map(({ name }) => String(name))
  const mounted = containersOf(pod)
    .flatMap((container) => mappings(container.volumeMounts))
    .map(({ name }) => String(name))
  return [
    ...mounted.filter((name) => !volumes.includes(name)).map((name) => `volume ${name} is missing`),
    ...volumes.filter((name) => !mounted.includes(name)).map((name) => `volume ${name} is unused`),
    ...(new Set(volumes).size === volumes.length ? [] : ["two volumes have one name"])
  ]
}

/** Settings of a pod that would let it run with more rights than it needs. */
const rightsProblems = (pod: Mapping): ReadonlyArray<string> => [
  ...(at(pod, "spec", "securityContext", "runAsNonRoot") === true ? [] : ["may run as root"]),
  ...(at(pod, "spec", "enableServiceLinks") === false ? [] : ["has service links"]),
  ...containersOf(pod).flatMap((container) => {
    const context = container.securityContext
    const isTight =
      at(context, "readOnlyRootFilesystem") === true &&
      at(context, "allowPrivilegeEscalation") === false &&
      JSON.stringify(at(context, "capabilities", "drop")) === '["ALL"]'
    return isTight ? [] : [`${String(container.name)} has more rights than it needs`]
  })
]

const SELECTORS: { readonly [kind: string]: ReadonlyArray<string> } = {
  Deployment: ["spec", "selector", "matchLabels"],
  StatefulSet: ["spec", "selector", "matchLabels"],
  PodDisruptionBudget: ["spec", "selector", "matchLabels"],
  NetworkPolicy: ["spec", "podSelector", "matchLabels"],
  Service: ["spec", "selector"]
}

/** Ports that a service or a policy names. */
const portsNamedBy = (document: Mapping): ReadonlyArray<string> => {
  if (document.kind === "Service")
    return mappings(at(document, "spec", "ports")).map(({ targetPort }) => String(targetPort))
  if (document.kind !== "NetworkPolicy") return []
  return mappings(at(document, "spec", "ingress"))
    .flatMap(({ ports }) => mappings(ports))
    .map(({ port }) => String(port))
}

const selectorProblems = (
  document: Mapping,
  pods: ReadonlyArray<Mapping>
): ReadonlyArray<string> => {
  const path = SELECTORS[String(document.kind)]
  if (path === undefined) return []
  const selected = pods.filter((pod) => isSelected(at(document, ...path), pod))
  if (selected.length === 0) return ["selects no pod"]
  const open = selected
    .flatMap(containersOf)
    .flatMap((container) => mappings(container.ports).map(({ name }) => String(name)))
  return portsNamedBy(document)
    .filter((port) => !open.includes(port))
    .map((port) => `no selected pod opens the port ${port}`)
}

/** Services that a webhook calls and that the set does not have, with that port. */
const webhookProblems = (
  document: Mapping,
  documents: ReadonlyArray<Mapping>
): ReadonlyArray<string> =>
  mappings(document.webhooks).flatMap((webhook) => {
    const called = at(webhook, "clientConfig", "service")
    const isCalled = (service: Mapping): boolean =>
      service.kind === "Service" &&
      at(service, "metadata", "name") === at(called, "name") &&
      at(service, "metadata", "namespace") === at(called, "namespace") &&
      mappings(at(service, "spec", "ports")).some(({ port }) => port === at(called, "port"))
    return documents.some(isCalled) ? [] : ["calls no service of the set"]
  })

/** Ports of services that a monitor names and that no selected service has. */
const monitorProblems = (
  document: Mapping,
  documents: ReadonlyArray<Mapping>
): ReadonlyArray<string> => {
  if (document.kind !== "ServiceMonitor") return []
  const selector = at(document, "spec", "selector", "matchLabels")
  const ports = documents
    .filter((each) => each.kind === "Service" && isSelected(selector, each))
    .flatMap((service) => mappings(at(service, "spec", "ports")).map(({ name }) => String(name)))
  return mappings(at(document, "spec", "endpoints"))
    .map(({ port }) => String(port))
    .filter((port) => !ports.includes(port))
    .map((port) => `no selected service has the port ${port}`)
}

/** The names of objects that a pod refers to, each with its kind. */
const referencesOf = (pod: Mapping): ReadonlyArray<string> => {
  const named = (kind: string, values: ReadonlyArray<Value>, key: string) =>
    values.flatMap((value) => (isMapping(value) ? [`${kind} ${String(value[key])}`] : []))
  return [
    ...named("ConfigMap", valuesOf(pod, "configMapRef"), "name"),
    ...named("ConfigMap", valuesOf(pod, "configMap"), "name"),
    ...named("Secret", valuesOf(pod, "secretKeyRef"), "name"),
    ...named("Secret", valuesOf(pod, "secret"), "secretName"),
    ...named("PersistentVolumeClaim", valuesOf(pod, "persistentVolumeClaim"), "claimName"),
    ...valuesOf(pod, "serviceAccountName").map((name) => `ServiceAccount ${String(name)}`)
  ]
}

const LABEL = /^(?:[A-Za-z0-9](?:[A-Za-z0-9._-]{0,61}[A-Za-z0-9])?)?$/
const NAME = /^[a-z0-9](?:[a-z0-9.-]{0,61}[a-z0-9])?$/

const textProblems = (document: Mapping): ReadonlyArray<string> => [
  ...(NAME.test(String(at(document, "metadata", "name"))) ? [] : ["its name is not valid"]),
  ...valuesOf(document, "labels")
    .filter(isMapping)
    .flatMap((labels) => Object.values(labels))
    .filter((value) => typeof value !== "string" || !LABEL.test(value))
    .map((value) => `the label ${String(value)} is not valid`)
]

/** The problems of a set; `existing` are the objects that the operator creates, as `Secret name`. */
export const problems = (
  documents: ReadonlyArray<Mapping>,
  existing: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const names = documents.map(nameOf)
  const pods = documents.flatMap(podsOf)
  return documents.flatMap((document, position) => [
    ...[
      ...textProblems(document),
      ...selectorProblems(document, pods),
      ...webhookProblems(document, documents),
      ...monitorProblems(document, documents),
      ...podsOf(document).flatMap((pod) => [
        ...volumeProblems(pod),
        ...rightsProblems(pod),
        ...referencesOf(pod)
          .filter((name) => !names.includes(name) && !existing.includes(name))
          .map((name) => `there is no ${name}`)
      ])
    ].map((problem) => `${nameOf(document)}: ${problem}`),
    ...(document.kind !== "Role" &&
    document.kind !== "RoleBinding" &&
    names.indexOf(nameOf(document)) !== position
      ? [`${nameOf(document)} is there twice`]
      : [])
  ])
}
