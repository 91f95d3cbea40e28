/** What the pages call of the plotting library, which brings no types of its own. */
declare module "plotly.js-basic-dist-min" {
  interface Plotly {
    react(
      place: HTMLElement,
      data: readonly object[],
      layout: object,
      config: Readonly<Record<string, unknown>>,
    ): Promise<HTMLElement>;
    purge(place: HTMLElement): void;
    toImage(
      place: HTMLElement,
      options: { format: "png"; width: number; height: number; scale: number },
    ): Promise<string>;
  }
  const plotly: Plotly;
  export default plotly;
}
