/** The commands about records of an org: audit packages, erasures, the journal, its feed, and statistics. */
import type { CommandSpec, FlagSpec } from "../shared/CommandSpec.js"
import { FLOW, LIMIT, PAGES, SINCE, UNTIL } from "./Flags.js"

const ENTRY_KIND: FlagSpec = {
  name: "kind",
  kind: "texts",
  value: "KIND",
  brief: "only of this kind, such as trail_reported"
}

const SUBJECT: FlagSpec = {
  name: "subject",
  kind: "texts",
  value: "TYPE",
  brief: "only about this type of subject, such as environment"
}

const statistics = () => import("../reading/StatisticsCommands.js")

/** The commands about records. */
export const RECORD_COMMANDS: ReadonlyArray<CommandSpec> = [
  {
    words: ["audit", "package"],
    brief:
      "Save everything about a trail, an artifact or a snapshot, with its evidence files, as a tar file",
    positionals: [
      {
        name: "THING",
        brief:
          "FLOW/TRAIL, FLOW@FINGERPRINT, a snapshot such as ENV#12, ENV~0 (the latest) or 'ENV@{2.days.ago}', or " +
          "a trail or a fingerprint with --flow",
        required: true
      }
    ],
    flags: [
      FLOW,
      {
        name: "save",
        kind: "text",
        value: "FILE",
        brief: "the file, which must not exist; - is stdout; by default NAME-audit-package.tar"
      },
      {
        name: "no-verify",
        kind: "boolean",
        brief: "do not compare the files with the digests of the manifest"
      }
    ],
    load: () => import("../audit-package/PackageCommand.js")
  },
  {
    words: ["erase"],
    brief: "Erase personal data from the evidence log and its records, for good",
    positionals: [
      { name: "TEXT", brief: "a name or an address to erase; - is stdin", required: false }
    ],
    flags: [
      {
        name: "entry",
        kind: "pairs",
        value: "ENTRY=/POINTER",
        brief: "a member of an entry of the log, instead of TEXT"
      },
      {
        name: "reason",
        kind: "text",
        value: "TEXT",
        brief: "why; the log keeps it",
        isProse: true
      },
      {
        name: "files",
        kind: "boolean",
        brief: "also attached files that contain the text"
      },
      { name: "dry-run", kind: "boolean", brief: "show what would be erased, and erase nothing" }
    ],
    load: () => import("../writing/ErasureCommand.js")
  },
  {
    words: ["list", "journal"],
    brief: "List every accepted write of the org, newest first",
    positionals: [],
    flags: [
      ENTRY_KIND,
      { name: "actor", kind: "texts", value: "NAME", brief: "only by this actor" },
      SUBJECT,
      SINCE,
      UNTIL,
      ...PAGES
    ],
    load: () => import("../reading/JournalCommand.js")
  },
  {
    words: ["events"],
    brief: "Show or follow the accepted writes of the org, in the order of the evidence log",
    positionals: [],
    flags: [
      {
        name: "after",
        kind: "number",
        value: "INDEX",
        brief: "only after this index; by default the newest"
      },
      { name: "follow", kind: "boolean", brief: "follow new writes, every 5 s" },
      LIMIT,
      ENTRY_KIND,
      SUBJECT
    ],
    load: () => import("../reading/FeedCommand.js")
  },
  {
    words: ["get", "previous-commit"],
    brief: "Show the commit of the artifact that came before another one in its flow",
    positionals: [
      {
        name: "ARTIFACT",
        brief: "FLOW@FINGERPRINT, or a fingerprint with --flow",
        required: true
      }
    ],
    flags: [
      FLOW,
      { name: "branch", kind: "text", value: "NAME", brief: "only artifacts of this branch" }
    ],
    load: () => import("../reading/PreviousCommitCommand.js")
  },
  {
    words: ["get", "build-statistics"],
    brief: "Show how many builds there were, and how often",
    positionals: [],
    flags: [
      { name: "repo", kind: "text", value: "NAME", brief: "only of this repository" },
      SINCE,
      UNTIL
    ],
    load: async () => (await statistics()).builds
  },
  {
    words: ["get", "deployment-statistics"],
    brief: "Show how often a repository was deployed, and the lead times",
    positionals: [{ name: "REPO", brief: "the repository, such as acme/shop", required: true }],
    flags: [
      { name: "environment", kind: "texts", value: "ENV", brief: "only to this environment" },
      SINCE,
      UNTIL
    ],
    load: async () => (await statistics()).deployments
  },
  {
    words: ["get", "release-evidence"],
    brief: "Show which releases of a period had their tests, review and scan",
    keywords: ["audit", "quarter"],
    positionals: [],
    flags: [
      { name: "environment", kind: "texts", value: "ENV", brief: "only to this environment" },
      FLOW,
      {
        name: "policy",
        kind: "text",
        value: "NAME",
        brief: "what its rules require, not the templates of flows"
      },
      SINCE,
      UNTIL,
      LIMIT,
      { name: "csv", kind: "boolean", brief: "all of them as CSV" },
      {
        name: "capsule",
        kind: "text",
        value: "FILE",
        brief: "save a capsule that proves all of it, a new file, instead of showing it"
      }
    ],
    load: () => import("../release-evidence/ReleaseEvidenceCommand.js")
  }
]
