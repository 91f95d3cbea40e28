type Given<T> = { [K in keyof T]: Exclude<T[K], undefined> };

/** The fields that were given: an option left out is not sent, and null is, as it clears. */
export function given<T extends object>(fields: T): Given<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Given<T>;
}
