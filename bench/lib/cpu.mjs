/** CPU time of processes, read from /proc: what a server costs, whatever else the machine is doing. */
import { execFileSync } from "node:child_process"
import { readdirSync, readFileSync } from "node:fs"

const TICKS_PER_SECOND = Number(execFileSync("getconf", ["CLK_TCK"], { encoding: "utf8" }))

const fieldsOf = (pid) => {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, "utf8")
    return text.slice(text.lastIndexOf(")") + 2).split(" ")
  } catch {
    return undefined
  }
}

/** User and system time of a process in seconds; 0 when it is gone. */
export const cpuSeconds = (pid) => {
  const fields = fieldsOf(pid)
  return fields === undefined ? 0 : (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** A process and everything below it. */
export const familyOf = (root) => {
  const parents = new Map()
  for (const name of readdirSync("/proc")) {
    const fields = /^\d+$/.test(name) ? fieldsOf(name) : undefined
    if (fields !== undefined) parents.set(Number(name), Number(fields[1]))
  }
  const family = new Set([root])
  for (let grown = true; grown; ) {
    grown = false
    for (const [pid, parent] of parents) {
      if (family.has(parent) && !family.has(pid)) {
        family.add(pid)
        grown = true
      }
    }
  }
  return [...family]
}

/** CPU time of several processes and of their children, those that have ended included. */
export const familyCpuSeconds = (roots) => {
  let total = 0
  for (const root of roots) {
    for (const pid of familyOf(root)) {
      const fields = fieldsOf(pid)
      if (fields === undefined) continue
      total += fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0)
    }
  }
  return total / TICKS_PER_SECOND
}
