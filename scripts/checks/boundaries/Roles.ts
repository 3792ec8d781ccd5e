/**
 * What a file's role promises about its imports: a port has no implementation, vocabulary and decisions have
 * no effects, a contract has no handlers.
 */
import { at, type Exception, type Finding } from "../shared/Finding.js"
import { importsOf, resolve } from "../shared/Imports.js"
import { nameOf, type SourceFile } from "../shared/SourceFile.js"

/** Ports that import a value besides the one that makes a tag. */
export const implementedPorts = (file: SourceFile): ReadonlyArray<Finding> =>
  file.path.endsWith("Store.ts")
    ? importsOf(file)
        .filter(({ specifier, typeOnly }) => !typeOnly && specifier !== "effect/Context")
        .map(({ specifier, line }) => at(file, line, `is a port and imports \`${specifier}\``))
    : []

const SERVICES: ReadonlySet<string> = new Set(["Tag", "Reference", "Service"])

/** Whether a module declares a port or a use case: `Context.Tag`, `Effect.Service`. */
export const declaresService = (file: SourceFile): boolean =>
  file.nodes.some(
    (node) =>
      node.type === "MemberExpression" &&
      ["Context", "Effect"].includes(nameOf(node.object) ?? "") &&
      SERVICES.has(nameOf(node.property) ?? "")
  )

/** The modules at the root of a package put ports and use cases together. */
const isComposition = (path: string): boolean => /^packages\/[^/]+\/src\/[^/]+\.ts$/.test(path)

/** The modules that import each module. */
const importersIn = (
  files: ReadonlyArray<SourceFile>
): ((path: string) => ReadonlyArray<SourceFile>) => {
  const importers = new Map<string, Array<SourceFile>>()
  for (const file of files) {
    const imported = new Set(importsOf(file).map(({ specifier }) => resolve(file.path, specifier)))
    for (const path of imported) {
      if (path !== undefined) importers.set(path, [...(importers.get(path) ?? []), file])
    }
  }
  return (path) => importers.get(path) ?? []
}

/** Whether a hidden module is a part of use cases: nothing else imports it. */
const isPartOfUseCases = (file: SourceFile, importersOf: ReturnType<typeof importersIn>): boolean =>
  file.path.includes("/internal/") &&
  importersOf(file.path).every(
    (each) => declaresService(each) || isPartOfUseCases(each, importersOf)
  )

/** Vocabulary and decisions that know effects. */
export const effectfulDecisions = (files: ReadonlyArray<SourceFile>): ReadonlyArray<Finding> => {
  const importersOf = importersIn(files)
  return files
    .filter((file) => !isComposition(file.path) && !declaresService(file))
    .flatMap((file) =>
      importsOf(file)
        .filter(({ specifier }) =>
          /^effect\/(?:Effect|Layer|Runtime|ManagedRuntime)$/.test(specifier)
        )
        .filter(() => !isPartOfUseCases(file, importersOf))
        .map(({ specifier, line }) =>
          at(file, line, `declares no service and imports \`${specifier}\``)
        )
    )
}

/** Modules without a service that may know effects. */
export const EFFECTFUL: ReadonlyArray<Exception> = [
  {
    finding:
      "packages/core/src/proposal/ProposalEnds.ts declares no service and imports `effect/Effect`",
    reason: "background work over `Proposals`, which a process forks"
  },
  ...["Effect", "Layer"].map((module) => ({
    finding: `packages/core/src/report/FastReportReader.ts declares no service and imports \`effect/${module}\``,
    reason: "the second implementation of `ReportReader`, as a layer"
  })),
  {
    finding:
      "packages/core/src/report/internal/PlainReportReader.ts declares no service and imports `effect/Effect`",
    reason: "the default of `ReportReader`; large texts are read in slices"
  },
  {
    finding:
      "packages/core/src/report/ReportContent.ts declares no service and imports `effect/Effect`",
    reason:
      "the answer of `ReportReader`, whose parts are computed in slices when they are asked for"
  },
  {
    finding: "packages/core/src/shared/JsonText.ts declares no service and imports `effect/Effect`",
    reason: "reads large texts in slices"
  },
  {
    finding:
      "packages/core/src/environment-events/internal/EventReading.ts declares no service and imports `effect/Effect`",
    reason: "reads batch after batch for the event log and the audit log; it holds no decision"
  },
  {
    finding:
      "packages/core/src/environment-events/PrintedEnvironmentEvents.ts " +
      "declares no service and imports `effect/Effect`",
    reason: "provides the audit log of stores that print nothing themselves"
  },
  {
    finding:
      "packages/core/src/environment-events/PrintedEnvironmentEvents.ts declares no service and imports `effect/Layer`",
    reason: "provides the audit log of stores that print nothing themselves"
  },
  {
    finding: "packages/core/src/shared/Upsert.ts declares no service and imports `effect/Effect`",
    reason:
      "the order in which every idempotent PUT finds, inserts and updates; use cases hand it theirs"
  },
  {
    finding:
      "packages/core/src/notification/internal/FiringDeliveries.ts declares no service and imports `effect/Effect`",
    reason: "adds firings to the outbox for both notifiers; it holds no decision"
  },
  {
    finding:
      "packages/core/src/notification/internal/TrailNotifier.ts declares no service and imports `effect/Effect`",
    reason:
      "provides the port that trails, artifacts, attestations and approvals tell what is stored"
  },
  {
    finding:
      "packages/core/src/notification/internal/TrailNotifier.ts declares no service and imports `effect/Layer`",
    reason:
      "provides the port that trails, artifacts, attestations and approvals tell what is stored"
  },
  {
    finding:
      "packages/core/src/notification/internal/AccessNotifier.ts declares no service and imports `effect/Effect`",
    reason: "provides the port that proposals and break-glass tell what has changed"
  },
  {
    finding:
      "packages/core/src/notification/internal/AccessNotifier.ts declares no service and imports `effect/Layer`",
    reason: "provides the port that proposals and break-glass tell what has changed"
  },
  {
    finding:
      "packages/core/src/break-glass/BreakGlassEnds.ts declares no service and imports `effect/Effect`",
    reason: "runs a use case at intervals; it holds no decision"
  },
  {
    finding:
      "packages/core/src/waiver/WaiverEnds.ts declares no service and imports `effect/Effect`",
    reason: "runs a use case at intervals; it holds no decision"
  },
  {
    finding:
      "packages/core/src/snapshot/PendingWorker.ts declares no service and imports `effect/Effect`",
    reason: "the loop with which a host finishes what a crash left; it holds no decision"
  },
  {
    finding:
      "packages/core/src/environment/internal/ControlUses.ts declares no service and imports `effect/Effect`",
    reason: "provides the port that controls ask where they are used"
  },
  {
    finding:
      "packages/core/src/environment/internal/ControlUses.ts declares no service and imports `effect/Layer`",
    reason: "provides the port that controls ask where they are used"
  },
  ...[
    "control/ControlRefusal",
    "history/EnvironmentMoments",
    "history/FactTimelines",
    "history/NamesAsOf",
    "policy/PolicyVersions",
    "snapshot/SnapshotLookup"
  ].map((module) => ({
    finding: `packages/core/src/${module}.ts declares no service and imports \`effect/Effect\``,
    reason: "reads for use cases of core and of the policy lab; it holds no decision"
  })),
  {
    finding:
      "packages/policy-lab/src/solver/WeakerVersion.ts declares no service and imports `effect/Effect`",
    reason: "the check that a host hands to `Policies.put`; it compares in slices"
  },
  {
    finding: "packages/core/src/shared/Span.ts declares no service and imports `effect/Effect`",
    reason: "the one way in which use cases on the hot path open a span"
  },
  {
    finding: "packages/core/src/shared/Slices.ts declares no service and imports `effect/Effect`",
    reason: "the one way in which long computations let the event loop serve others"
  }
]

/** Contracts that import a handler, or anything that runs. */
export const servedContracts = (file: SourceFile): ReadonlyArray<Finding> =>
  file.path.endsWith("Api.ts")
    ? importsOf(file)
        .filter(({ specifier }) => /Handlers(?:\.js)?$|^effect\/(?:Effect|Layer)$/.test(specifier))
        .map(({ specifier, line }) => at(file, line, `is a contract and imports \`${specifier}\``))
    : []
