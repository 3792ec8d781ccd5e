/** The header that makes a response a download. */

/** The `Content-Disposition` of a download; escapes four more characters than `encodeURIComponent`. */
export const disposition = (filename: string): string =>
  `attachment; filename*=UTF-8''${encodeURIComponent(filename).replaceAll(
    /['()*]/g,
    (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`
  )}`
