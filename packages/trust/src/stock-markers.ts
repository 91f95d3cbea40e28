// Deprecated: markers of presence, as the Python SDK stamped them (1 is present, higher is worse)

export type { MarkRowsOptions, StockMarkerOptions } from "./markers/stock/stock-markers.ts";
export {
  behavioralMarkers,
  detect,
  formatMarkers,
  markRows,
  rowMarkers,
  STOCK_MARKERS,
} from "./markers/stock/stock-markers.ts";
