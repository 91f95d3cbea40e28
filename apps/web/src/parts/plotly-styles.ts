/** Where the plotting library looks for its own rules, and for those of a map that the pages do not draw. */
const RULES_ID = "plotly.js-style-global";
const MAP_RULES_ID = "9f215cf04c5486422605d13261cb87401f4e7763b6296af81e98efbc0130da53";

/**
 * Gives the plotting library a place for its rules that the policy of the pages allows. It writes them into a style
 * element it makes, which that policy stops; a sheet made by script is none, so it finds one there already.
 */
export function preparePlotlyStyles(): void {
  if (document.getElementById(RULES_ID) !== null) return;
  const sheet = new CSSStyleSheet();
  document.adoptedStyleSheets.push(sheet);
  const place = document.createElement("meta");
  place.id = RULES_ID;
  Object.defineProperty(place, "sheet", { value: sheet });
  const noMap = document.createElement("meta");
  noMap.id = MAP_RULES_ID;
  document.head.append(place, noMap);
}
