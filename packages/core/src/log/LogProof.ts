/** Inclusion and consistency proofs from the tiles of a log, and the errors of reading them. */

import type * as MerkleTree from "@attestry/transparency-log/MerkleTree"
import * as Schema from "effect/Schema"
import { OrgName } from "../shared/Identifier.js"

/** A published tree: its size and root. */
export interface LogHead {
  readonly size: number
  readonly root: MerkleTree.Hash
}

/** The org has no entry with this id. */
export class LogEntryNotFound extends Schema.TaggedError<LogEntryNotFound>()("LogEntryNotFound", {
  org: OrgName,
  entry: Schema.String
}) {
  override get message(): string {
    return `there is no entry \`${this.entry}\` in org \`${this.org}\``
  }
}

/** The log does not have the tile, or not in this width. */
export class TileNotFound extends Schema.TaggedError<TileNotFound>()("TileNotFound", {
  org: OrgName
}) {
  override get message(): string {
    return `the log of org \`${this.org}\` does not reach this tile`
  }
}

/** A size or an index is beyond the published tree. */
export class OutsideLog extends Schema.TaggedError<OutsideLog>()("OutsideLog", {
  field: Schema.Literal("index", "size", "from", "to"),
  value: Schema.Int,
  /** The largest valid value. */
  max: Schema.Int
}) {
  override get message(): string {
    return `\`${this.field}\` is ${this.value}, and at most ${this.max} is there`
  }
}

/** A tree of this size does not contain the entry. */
export class EntryBeyondSize extends Schema.TaggedError<EntryBeyondSize>()("EntryBeyondSize", {
  entry: Schema.String,
  size: Schema.Int
}) {
  override get message(): string {
    return `the size ${this.size} does not include entry \`${this.entry}\``
  }
}

/** The log has no signed checkpoint, or cannot have one. */
export class LogUnsigned extends Schema.TaggedError<LogUnsigned>()("LogUnsigned", {
  org: OrgName,
  reason: Schema.Literal("no-key", "forked", "empty")
}) {
  override get message(): string {
    return `the log of org \`${this.org}\` has no checkpoint: ${this.reason}`
  }
}

/** Stored hashes do not match the root of the log. */
export class LogDamaged extends Schema.TaggedError<LogDamaged>()("LogDamaged", {
  org: OrgName,
  level: Schema.Int,
  index: Schema.Int
}) {
  override get message(): string {
    return `tile ${this.index} of level ${this.level} of org \`${this.org}\` does not fit the root of its log`
  }
}

/** The log has no such epoch. */
export class LogEpochNotFound extends Schema.TaggedError<LogEpochNotFound>()("LogEpochNotFound", {
  org: OrgName,
  epoch: Schema.Int
}) {
  override get message(): string {
    return `the log of org \`${this.org}\` has no epoch ${this.epoch}`
  }
}

/** Too many requests are waiting for logs. */
export class LogBusy extends Schema.TaggedError<LogBusy>()("LogBusy", { waiting: Schema.Int }) {
  override get message(): string {
    return `${this.waiting} requests wait already`
  }
}
