/** Where browsers send what the policy of the pages stopped. */
export const CSP_REPORTS_PATH = "/csp-reports";

/**
 * What a page may load and run: its own files, its own server, and pictures that it drew itself. Nothing that an agent
 * posted is ever code: there is no inline script, no inline style element, no frame, no form to elsewhere.
 *
 * A style attribute in markup is allowed (`style-src-attr`): the charts' library sets the style of labels by one, 48 times
 * for three small charts. It runs nothing, and can only load what the lines below let every page load.
 */
const PAGE_POLICY: string = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "font-src 'self'",
  "connect-src 'self'",
  "manifest-src 'self'",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
  `report-uri ${CSP_REPORTS_PATH}`,
].join("; ");

/** Headers of every page. */
export const PAGE_HEADERS: readonly (readonly [string, string])[] = [
  ["content-security-policy", PAGE_POLICY],
  ["x-content-type-options", "nosniff"],
  ["x-frame-options", "DENY"],
  ["referrer-policy", "no-referrer"],
  ["cross-origin-opener-policy", "same-origin"],
  ["cross-origin-resource-policy", "same-origin"],
  ["permissions-policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), display-capture=()"],
];
