/** `raw` is grey, `smooth` lies on top of it, `proxy` is dashed ink with squares, `gold` solid accent with dots. */
export type CurveLook = "raw" | "smooth" | "proxy" | "gold" | "plain";

export interface CurveLine {
  name: string;
  values: readonly (number | null)[];
  look: CurveLook;
}
