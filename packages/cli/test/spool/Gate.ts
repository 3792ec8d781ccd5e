/** A way to a server that a test can close: while it is closed, connections are broken off. */

import type { AddressInfo } from "node:net"
import { connect, createServer, type Socket } from "node:net"

/** A gate before a server. */
export interface Gate {
  readonly url: string
  isOpen: boolean
  readonly stop: () => Promise<void>
}

/** Starts a gate before the server at an address. */
export const start = async (target: string): Promise<Gate> => {
  const { hostname, port } = new URL(target)
  const sockets = new Set<Socket>()
  const state = { isOpen: false }
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on("error", () => socket.destroy())
    if (!state.isOpen) return void socket.destroy()
    const inner = connect(Number(port), hostname)
    sockets.add(inner)
    inner.on("error", () => socket.destroy())
    socket.pipe(inner)
    inner.pipe(socket)
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  const gate = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () =>
      new Promise<void>((resolve) => {
        for (const socket of sockets) socket.destroy()
        server.close(() => resolve())
      })
  }
  return Object.defineProperty(Object.assign(gate, { isOpen: false }), "isOpen", {
    get: () => state.isOpen,
    set: (isOpen: boolean) => {
      state.isOpen = isOpen
      if (!isOpen) for (const socket of sockets) socket.destroy()
    }
  })
}
