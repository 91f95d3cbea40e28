import { isObject, type Row } from "@while/schema";

/** The row with these markers beside its own; the row itself, changed, with `inPlace`. */
export function withMarkers(row: Row, markers: Readonly<Record<string, number>>, inPlace = false): Row {
  const all = { ...(isObject(row.markers) ? row.markers : {}), ...markers };
  if (!inPlace) return { ...row, markers: all };
  row.markers = all;
  return row;
}
