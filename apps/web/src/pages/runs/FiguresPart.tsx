import { fillPath, listFigures, putFigure } from "@while/platform-client/contract";
import { memo, type ReactNode } from "react";
import { useAnswer } from "../../api/use-answer.ts";
import { Answered } from "../../parts/Answered.tsx";
import { Empty } from "../../parts/Empty.tsx";
import { Part } from "../../parts/Part.tsx";
import { PlotlyFigure } from "../../parts/PlotlyFigure.tsx";
import styles from "./FiguresPart.module.css";

/** The figures that the agent's runs posted. They illustrate: no number of this page is read from one. */
export const FiguresPart = memo(function FiguresPart({ agent }: { agent: string }): ReactNode {
  const figures = useAnswer(listFigures, { params: { id: agent } });
  return (
    <Part
      id="figures"
      full
      title="Figures"
      note="Posted with the runs. They illustrate: no number on this page is read from one."
    >
      <Answered of={figures} what="the figures">
        {(answer) =>
          answer.figures.length === 0 ? (
            <Empty
              title="No figure is posted"
              code={{
                TypeScript:
                  'await tracked.figure("reward-by-step", { data: [{ x: steps, y: reward }] }, { run: run.id, caption: "Mean of eight replies." })',
                Python: 'tracked.figure("reward-by-step", fig, run=run.id, caption="Mean of eight replies.")',
                curl: `curl -X PUT "$WHILEAI_API_URL${fillPath(putFigure.path, { id: agent, name: "reward-by-step" })}" \\\n  -H "X-Api-Key: $WHILEAI_API_KEY" -H "Content-Type: application/json" \\\n  -d '{"figure": {"data": [{"x": [1, 2], "y": [0.1, 0.4]}]}, "caption": "Mean of eight replies."}'`,
              }}
            >
              <p>
                A Plotly figure that a run posts stands here with its caption, its table and its numbers to take along.
              </p>
            </Empty>
          ) : (
            <div className={styles.figures}>
              {answer.figures.map((figure) => (
                <PlotlyFigure key={figure.name} figure={figure} />
              ))}
            </div>
          )
        }
      </Answered>
    </Part>
  );
});
