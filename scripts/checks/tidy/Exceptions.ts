/** Places that may break a rule of the tidy check, each with its reason; one that is not needed fails. */
import type { Exception } from "../shared/Finding.js"

/** Regular expressions whose text the check cannot follow back to a constant. */
export const REGULAR_EXPRESSIONS: ReadonlyArray<Exception> = [
  {
    finding:
      "packages/http/src/meta/internal/Example.ts builds a regular expression from `schema.pattern`",
    reason: "the patterns are those of the contract's own schemas, and meet only our own examples"
  },
  {
    finding: "packages/core/src/shared/Identifier.ts builds a regular expression from `pattern`",
    reason:
      "a function of the module; its callers, all in this file, pass the patterns declared there"
  },
  {
    finding: "packages/core/src/flow/FlowTemplate.ts builds a regular expression from `pattern`",
    reason: "a function of the module; its two callers, right below it, pass constants"
  }
]

/** SQL whose text the check cannot follow back to a constant. */
export const STATEMENTS: ReadonlyArray<Exception> = [
  {
    finding: "packages/sql-store/src/schema/internal/SchemaUpgrade.ts builds SQL from `text`",
    reason: "the text of a file of `schema/`, which is part of the package"
  },
  {
    finding:
      "packages/sql-store/src/schema/internal/SchemaUpgrade.ts builds SQL from `migration.sql`",
    reason: "the text of a file of `schema/migrations/`, which is part of the package"
  },
  {
    finding: "packages/sql-store/src/pg/internal/PoolRole.ts builds SQL from `password`",
    reason: "hexadecimal digits that the module draws itself; a role's password cannot be bound"
  },
  {
    finding:
      "packages/sql-store/src/internal/verification/AuditedRecordsSql.ts " +
      // biome-ignore lint/suspicious/noTemplateCurlyInString: it is the text of a finding.
      'builds SQL from ``(${shape.key}) collate "C"``',
    reason: "one of the constant expressions of `SHAPES`"
  },
  {
    finding:
      "packages/sql-store/src/internal/verification/AuditedRecordsSql.ts builds SQL from `SHAPES[kind].key`",
    reason: "one of the constant expressions of `SHAPES`"
  },
  {
    finding:
      "packages/sql-store/src/internal/verification/AuditedRecordsSql.ts builds SQL from `columnsOf(shape)`",
    reason: "one of the constant expressions of `SHAPES`"
  },
  {
    finding:
      "packages/sql-store/src/internal/verification/AuditedRecordsSql.ts " +
      "builds SQL from `shape.from ?? tableOf(kind)`",
    reason: "one of the constant expressions of `SHAPES`"
  },
  {
    finding: "packages/sql-store/src/pg/internal/WatchedClient.ts builds SQL from `statements`",
    reason: "the statements that set up a connection; callers in `PgStore` pass constants"
  },
  {
    finding: "packages/sql-store/src/pg/internal/CopyOut.ts builds SQL from `copyTo(statement)`",
    reason: "COPY takes a query as text: one that a store wrote, without any value in it"
  },
  {
    finding:
      "packages/sql-store/src/pg/internal/org-archive/ArchiveClient.ts builds SQL from `text`",
    reason: "names of tables and columns cannot be bound; those of archives are of the catalog"
  },
  {
    finding:
      "packages/sql-store/src/pg/internal/org-archive/ArchiveClient.ts builds SQL from `copyTo(text)`",
    reason:
      "COPY takes a query as text; its names are of the catalog, and the id of the org is quoted"
  },
  {
    finding:
      "packages/sql-store/src/pg/internal/org-archive/ArchiveClient.ts builds SQL from `copyFrom(text)`",
    reason: "names of columns cannot be bound; those of archives are of the catalog"
  },
  {
    finding: "packages/sql-store/src/pg/internal/PgConnection.ts builds SQL from `text`",
    reason: "passes on what the client compiled"
  },
  {
    finding: "packages/sql-store/src/pg/internal/PgConnection.ts builds SQL from `config`",
    reason: "passes on what the client compiled, under a name where it has one"
  },
  {
    finding: "packages/sql-store/src/pg/internal/PgConnection.ts builds SQL from `pipelined`",
    reason: "passes on statements that were prepared under a name"
  },
  {
    finding: "packages/sql-store/src/internal/transaction/GroupCommit.ts builds SQL from `text`",
    reason: "runs a statement that was compiled just before"
  },
  {
    finding:
      "packages/sql-store/src/internal/transaction/TransactionHandle.ts builds SQL from `...call`",
    reason: "passes on what the client compiled, after the transaction has begun"
  }
]

/** State that a module keeps for the whole process. */
export const MODULE_STATE: ReadonlyArray<Exception> = [
  {
    finding: "packages/core/src/shared/Slices.ts keeps state in `waiting`",
    reason: "the event loop that computations take turns at is one for the process"
  },
  {
    finding:
      "packages/evidence-rules/src/internal/schema/SchemaEngine.ts keeps state in `validators`",
    reason: "compiled schemas by their text, inside a worker thread that runs one task at a time"
  },
  {
    finding: "packages/sql-store/src/internal/shared/DamagedRows.ts keeps state in `logged`",
    reason: "a damaged row is logged once per process"
  },
  {
    finding: "packages/sql-store/src/internal/shared/TenantQueries.ts keeps state in `decoders`",
    reason: "decoders by their schemas; a pure function, remembered"
  }
]
