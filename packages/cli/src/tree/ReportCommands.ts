/** The commands that report environments. */
import * as Products from "../environment/cloud/Products.js"
import type { CommandSpec, FlagSpec, PositionalSpec } from "../shared/CommandSpec.js"
import { DRY_RUN, KIND } from "./Flags.js"

const ENV: PositionalSpec = { name: "ENV", brief: "the environment", required: true }

const WATCH: ReadonlyArray<FlagSpec> = [
  { name: "watch", kind: "boolean", brief: "report again and again until the process ends" },
  { name: "every", kind: "duration", value: "60s", brief: "the interval of --watch" },
  {
    name: "max-failures",
    kind: "number",
    value: "N",
    brief: "end after this many failures in a row; by default never"
  },
  {
    name: "health-port",
    kind: "number",
    value: "PORT",
    brief: "serve /live, /ready and /metrics with --watch"
  }
]

const ON_CHANGE: FlagSpec = {
  name: "on-change",
  kind: "boolean",
  brief: "with --watch: also report when the runtime sends a change"
}

const STRICT: FlagSpec = {
  name: "strict",
  kind: "boolean",
  brief: "send nothing and end with 8 if something cannot be read"
}

const CREATE: FlagSpec = {
  name: "create",
  kind: "boolean",
  brief: "create the environment if it is missing"
}

/** The flags that every report of one environment has. */
const REPORT: ReadonlyArray<FlagSpec> = [CREATE, STRICT, DRY_RUN, ...WATCH]

/** The flags that include and exclude a noun. */
const filter = (noun: string, plural: string): ReadonlyArray<FlagSpec> => [
  { name: noun, kind: "texts", value: "NAME", brief: `only these ${plural}; /…/ is a pattern` },
  {
    name: `exclude-${noun}`,
    kind: "texts",
    value: "NAME",
    brief: `all ${plural} but these; /…/ is a pattern`
  }
]

const REGION: FlagSpec = {
  name: "region",
  kind: "texts",
  value: "REGION",
  brief: "the region; by default that of the cloud's own settings"
}

const ENDPOINT: FlagSpec = {
  name: "endpoint",
  kind: "text",
  value: "URL",
  brief: "the address of the service, if it is not the default one"
}

/** A flag that selects objects by their keys. */
const keys = (name: string, brief: string): FlagSpec => ({
  name,
  kind: "texts",
  value: "KEY",
  isList: true,
  brief: `${brief}: the beginning of a key, a pattern with * ? [] or **, or /…/`
})

const LOCAL: ReadonlyArray<CommandSpec> = [
  {
    words: ["report", "docker"],
    keywords: ["compose", "containers"],
    brief: "Report the running containers of this machine",
    positionals: [ENV],
    flags: [
      ...REPORT,
      ON_CHANGE,
      {
        name: "label",
        kind: "texts",
        value: "KEY=VALUE",
        brief: "only containers with this label"
      },
      { name: "skip-local", kind: "boolean", brief: "leave out images that no registry knows" }
    ],
    load: () => import("../environment/DockerReporter.js")
  },
  {
    words: ["report", "kubernetes"],
    aliases: ["k8s"],
    keywords: ["kube", "eks", "aks", "gke", "openshift", "helm"],
    brief: "Report what runs in the pods of a Kubernetes cluster",
    positionals: [ENV],
    flags: [
      ...REPORT,
      ON_CHANGE,
      { name: "context", kind: "text", value: "NAME", brief: "the context of the kubeconfig" },
      ...filter("namespace", "namespaces"),
      { name: "selector", kind: "text", value: "LABELS", brief: "only pods with these labels" },
      { name: "include-failed", kind: "boolean", brief: "also pods that have failed" }
    ],
    load: () => import("../environment/KubernetesReporter.js")
  },
  {
    words: ["report", "paths"],
    brief: "Report files and folders of this machine as the artifacts of a server",
    positionals: [ENV],
    flags: [
      ...REPORT,
      ON_CHANGE,
      { name: "path", kind: "texts", value: "NAME=PATH", brief: "a file or folder" },
      {
        name: "file",
        kind: "text",
        value: "FILE",
        brief: "YAML with artifacts: {NAME: {path, exclude}}, or a list of patterns"
      },
      {
        name: "exclude",
        short: "x",
        kind: "texts",
        value: "PATTERN",
        isList: true,
        brief: "leave out paths of folders; several are separated by commas"
      },
      { name: "tree", kind: "boolean", brief: "fingerprints of the type tree" }
    ],
    load: () => import("../environment/PathsReporter.js")
  }
]

const CLOUD: ReadonlyArray<CommandSpec> = [
  {
    words: ["report", "ecs"],
    aliases: ["container-tasks"],
    keywords: ["aws", "amazon", "fargate", "elastic-container-service"],
    brief: "Report the running tasks of clusters of Amazon ECS",
    positionals: [ENV],
    flags: [
      ...REPORT,
      ...filter("cluster", "clusters"),
      ...filter("service", "services"),
      REGION,
      ENDPOINT
    ],
    load: () => import("../environment/cloud/EcsReporter.js")
  },
  {
    words: ["report", "lambda"],
    aliases: ["functions"],
    keywords: ["aws", "amazon", "serverless"],
    brief: "Report the code of functions of AWS Lambda",
    positionals: [ENV],
    flags: [...REPORT, ...filter("function", "functions"), REGION, ENDPOINT],
    load: () => import("../environment/cloud/LambdaReporter.js")
  },
  {
    words: ["report", "s3"],
    aliases: ["object-store"],
    keywords: ["aws", "amazon", "bucket", "minio"],
    brief: "Report the objects of a bucket of Amazon S3 or a compatible store",
    positionals: [ENV],
    flags: [
      ...REPORT,
      { name: "bucket", kind: "texts", value: "NAME", brief: "the bucket" },
      { name: "prefix", kind: "texts", value: "PREFIX", brief: "only objects below it" },
      keys("include", "only objects with these keys"),
      { ...keys("exclude", "all objects but those with these keys"), short: "x" },
      {
        name: "each-prefix",
        kind: "boolean",
        brief: "one artifact for each prefix, or for each top folder"
      },
      {
        name: "max-bytes",
        kind: "text",
        value: "1GiB",
        brief: "the size above which an object is reported with an unknown digest"
      },
      REGION,
      ENDPOINT
    ],
    load: () => import("../environment/cloud/S3Reporter.js")
  },
  {
    words: ["report", "azure-apps"],
    aliases: ["cloudx-apps"],
    keywords: ["azure", "microsoft", "app-service", "azure-functions", "web-apps"],
    brief: "Report the web and function apps of Azure App Service",
    positionals: [ENV],
    flags: [
      ...REPORT,
      { name: "subscription", kind: "text", value: "ID", brief: "the subscription" },
      { name: "resource-group", kind: "texts", value: "NAME", brief: "only these groups" },
      ...filter("app", "apps"),
      {
        name: "digests-source",
        kind: "text",
        choices: ["registry", "logs"],
        brief: "the source of image digests; by default registry"
      },
      ENDPOINT
    ],
    load: () => import("../environment/cloud/AzureAppsReporter.js")
  },
  {
    words: ["report", "cloud-run"],
    aliases: ["serverless-run"],
    keywords: ["google", "gcp", "gcloud", "google-cloud", "cloudrun", "serverless"],
    brief: "Report the services and jobs of Google Cloud Run",
    positionals: [ENV],
    flags: [
      ...REPORT,
      { name: "project", kind: "texts", value: "ID", brief: "the project" },
      { name: "region", kind: "texts", value: "REGION", brief: "only these regions" },
      ...filter("service", "services and jobs"),
      ENDPOINT
    ],
    load: () => import("../environment/cloud/CloudRunReporter.js")
  }
]

const JSON_COMMAND: CommandSpec = {
  words: ["report", "json"],
  brief: "Report a list that another program has made",
  positionals: [
    ENV,
    { name: "FILE", brief: "JSON with a list artifacts; - is stdin", required: true }
  ],
  flags: [
    CREATE,
    STRICT,
    DRY_RUN,
    { ...KIND, choices: Products.WORDS.filter((word) => word !== "logical") }
  ],
  load: () => import("../environment/JsonReporter.js")
}

const ALL_COMMAND: CommandSpec = {
  words: ["report", "all"],
  brief: "Report every environment of a file",
  positionals: [{ name: "FILE", brief: "YAML with environments", required: true }],
  flags: [CREATE, STRICT, ...WATCH, ON_CHANGE],
  load: () => import("../environment/ReportAllCommand.js")
}

/** The `report` commands. */
export const REPORT_COMMANDS: ReadonlyArray<CommandSpec> = [
  ...LOCAL,
  ...CLOUD,
  JSON_COMMAND,
  ALL_COMMAND
]
