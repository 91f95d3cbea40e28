/** A version that is the harness's fingerprint: hex digits look like settings by chance. */
const FINGERPRINT = /^h-[0-9a-f]{12}$/i;

const SETTINGS: readonly RegExp[] = [
  // A number with an exponent: 5e-05
  /\d+e-?\d+/i,
  // A seed: -s17
  /(?:^|[-_])s\d{1,3}(?=[-_]|$)/i,
  // A number of steps: 180st, and not the ordinal 1st
  /(?<!\d)(?!1st)\d+st(?=[-_]|$)/i,
  // A learning rate: lr5
  /(?:^|[-_])lr\d/i,
];

/** Does a version's name hold settings that belong in its record? */
export function settingsName(version: string): boolean {
  return !FINGERPRINT.test(version) && SETTINGS.some((pattern) => pattern.test(version));
}
