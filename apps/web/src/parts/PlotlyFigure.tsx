import type { Figure } from "@while/platform-client/contract";
import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import { useNear, useWidth } from "../marks/Chart.tsx";
import { announce } from "../shell/announce.tsx";
import { csvOf, download } from "./csv.ts";
import { Dialog } from "./Dialog.tsx";
import { type Ink, plotlyLayout, plotlyTable } from "./plotly-layout.ts";
import { preparePlotlyStyles } from "./plotly-styles.ts";
import { plotlyTexts } from "./plotly-text.ts";

/** Rows of a figure's table that are shown; the CSV has them all. */
const TABLE_ROWS = 200;

export interface PlotlyFigureProps {
  figure: Figure;
  /** Under its name, beside what the caller says. */
  height?: number;
}

/** A figure that an agent posted: drawn once it is near what is read, its texts cleaned, its numbers as a table. */
export function PlotlyFigure({ figure, height = 280 }: PlotlyFigureProps): ReactNode {
  const [large, setLarge] = useState(false);
  const table = useMemo(() => plotlyTable(figure.figure), [figure]);
  const place = useRef<HTMLDivElement>(null);
  const onPng = async (): Promise<void> => {
    const { default: plotly } = await import("plotly.js-basic-dist-min");
    if (place.current === null) return;
    try {
      const size = { width: Math.max(1, place.current.clientWidth), height };
      download(`${figure.name}.png`, await plotly.toImage(place.current, { format: "png", ...size, scale: 2 }));
    } catch (error) {
      announce(`This figure cannot be saved: ${error instanceof Error ? error.message : String(error)}`);
    }
  };
  return (
    <figure className="posted">
      <Plot figure={figure} height={height} place={place} />
      <figcaption>
        <b>
          <bdi>{figure.name}</bdi>.
        </b>{" "}
        {figure.caption && <bdi>{figure.caption}</bdi>}
      </figcaption>
      <p className="choices note">
        <button type="button" className="plain" onClick={() => setLarge(true)} aria-label={`Enlarge ${figure.name}`}>
          enlarge
        </button>
        <button type="button" className="plain" onClick={() => void onPng()} aria-label={`${figure.name} as PNG`}>
          PNG
        </button>
        <button
          type="button"
          className="plain"
          aria-label={`${figure.name} as CSV`}
          onClick={() => download(`${figure.name}.csv`, csvOf(table.heads, table.rows))}
        >
          CSV
        </button>
      </p>
      <details>
        <summary>Table</summary>
        <table>
          <caption className="sr">Numbers of {figure.name}</caption>
          <thead>
            <tr>
              {table.heads.map((head, column) => (
                <th key={column} scope="col">
                  <bdi>{head}</bdi>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.rows.slice(0, TABLE_ROWS).map((row, index) => (
              <tr key={index}>
                {row.map((value, column) => (
                  <td key={column} className={typeof value === "number" ? "num" : undefined}>
                    <bdi>{value}</bdi>
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
        {table.rows.length > TABLE_ROWS && (
          <p className="note">{table.rows.length - TABLE_ROWS} more rows: take the CSV.</p>
        )}
      </details>
      <Dialog open={large} onClose={() => setLarge(false)} title={<bdi>{figure.name}</bdi>}>
        <Plot figure={figure} height={Math.max(320, Math.floor(window.innerHeight * 0.6))} zooms />
        {figure.caption && (
          <p className="note">
            <bdi>{figure.caption}</bdi> Drag to zoom, click twice to see all again.
          </p>
        )}
      </Dialog>
    </figure>
  );
}

interface PlotProps extends PlotlyFigureProps {
  height: number;
  zooms?: boolean;
  place?: React.RefObject<HTMLDivElement | null>;
}

function Plot({ figure, height, zooms = false, place }: PlotProps): ReactNode {
  const box = useRef<HTMLDivElement>(null);
  const own = useRef<HTMLDivElement>(null);
  const target = place ?? own;
  const near = useNear(box);
  const width = useWidth(box);
  const theme = useTheme();
  const [failed, setFailed] = useState<string | null>(null);
  const drawn = useRef(false);
  const data = useMemo(() => plotlyTexts(figure.figure.data), [figure]);
  useEffect(() => {
    const element = target.current;
    if (element === null || !near || width === 0) return;
    let gone = false;
    const draw = async (): Promise<void> => {
      preparePlotlyStyles();
      const { default: plotly } = await import("plotly.js-basic-dist-min");
      if (gone) return;
      const layout = plotlyLayout(figure.figure.layout, inkOf(element), { width, height, zooms });
      drawn.current = true;
      await plotly.react(element, data, layout, { displayModeBar: false, showTips: false, doubleClick: "reset" });
    };
    draw().then(
      () => setFailed(null),
      (error: unknown) => setFailed(error instanceof Error ? error.message : String(error)),
    );
    return () => {
      gone = true;
    };
    // The theme is read from the page: another one is a reason to draw again.
  }, [near, width, height, zooms, data, figure, target, theme]);
  useEffect(() => {
    const element = target.current;
    return () => {
      if (element !== null && drawn.current)
        void import("plotly.js-basic-dist-min").then(({ default: plotly }) => plotly.purge(element));
    };
  }, [target]);
  return (
    <div ref={box} className="plot-box" style={{ minHeight: height }}>
      <div ref={target} role="img" aria-label={figure.caption ?? figure.name} />
      {failed !== null && <p className="none">This figure cannot be drawn ({failed}). Its numbers are in the table.</p>}
    </div>
  );
}

/** Changes when the page's colours do. */
function useTheme(): string {
  const [theme, setTheme] = useState("");
  useEffect(() => {
    const dark = window.matchMedia("(prefers-color-scheme: dark)");
    const read = (): void => setTheme(`${document.documentElement.dataset.theme ?? ""} ${dark.matches}`);
    read();
    dark.addEventListener("change", read);
    const observer = new MutationObserver(read);
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ["data-theme"] });
    return () => {
      dark.removeEventListener("change", read);
      observer.disconnect();
    };
  }, []);
  return theme;
}

/** The tokens as colours: a custom property is text until something is drawn with it. */
function inkOf(near: HTMLElement): Ink {
  const probe = document.createElement("span");
  near.append(probe);
  const colour = (token: string): string => {
    probe.style.color = `var(${token})`;
    return getComputedStyle(probe).color;
  };
  const ink: Ink = {
    ink: colour("--ink"),
    ink2: colour("--ink-2"),
    hair: colour("--hair"),
    face: getComputedStyle(probe).fontFamily,
    colours: Array.from({ length: 8 }, (_, place) => colour(`--v${place + 1}`)),
  };
  probe.remove();
  return ink;
}
