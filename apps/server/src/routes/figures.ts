import {
  deleteFigure,
  FIGURE_DROPPED_LAYOUT_KEYS,
  FIGURE_MAX_BYTES,
  type Figure,
  figureName,
  listFigures,
  type PlotlyFigure,
  putFigure,
} from "@while/platform-client/contract";
import type { FigureTable } from "../db/tables.ts";
import { checkAgent } from "../http/caller.ts";
import { HttpError, notFound } from "../http/http-error.ts";
import { type Mounting, mount } from "../http/mount.ts";
import { slugOfAgent } from "../queries/agents.ts";
import { isoTime } from "../services.ts";

function figureWire(row: FigureTable): Figure {
  return {
    name: row.name,
    caption: row.caption,
    run: row.run_id,
    figure: JSON.parse(row.figure) as PlotlyFigure,
    updatedAt: row.updated_at,
  };
}

export function figureRoutes(mounting: Mounting): void {
  mount(mounting, putFigure, async ({ services, caller, params, body }) => {
    const { db, now } = services;
    checkAgent(caller, params.id as string);
    const checked = figureName.safeParse(params.name);
    if (!checked.success)
      throw new HttpError("invalid_field", `The name of a figure ${checked.error.issues[0]?.message}.`, {
        field: "name",
      });
    const slug = await slugOfAgent(db, caller.accountId, params.id as string);
    const layout = Object.fromEntries(
      Object.entries(body.figure.layout).filter(([key]) => !FIGURE_DROPPED_LAYOUT_KEYS.includes(key)),
    );
    const figure = JSON.stringify({ data: body.figure.data, layout });
    const bytes = Buffer.byteLength(figure);
    if (bytes > FIGURE_MAX_BYTES) {
      throw new HttpError(
        "too_large",
        `The figure has ${bytes} bytes and may have ${FIGURE_MAX_BYTES}. Downsample or split it.`,
        { field: "figure" },
      );
    }
    if (body.run != null) {
      const run = await db
        .selectFrom("runs")
        .select("slug")
        .where("account_id", "=", caller.accountId)
        .where("id", "=", body.run)
        .executeTakeFirst();
      if (run?.slug !== slug)
        throw new HttpError("invalid_field", `run ${body.run} is none of this agent.`, { field: "run" });
    }
    const entry = { caption: body.caption ?? null, run_id: body.run ?? null, figure, updated_at: isoTime(now()) };
    const key = { account_id: caller.accountId, slug, name: checked.data };
    await db
      .insertInto("figures")
      .values({ ...key, ...entry })
      .onConflict((conflict) => conflict.columns(["account_id", "slug", "name"]).doUpdateSet(entry))
      .execute();
    return figureWire({ ...key, ...entry });
  });

  mount(mounting, listFigures, async ({ services, caller, params }) => {
    checkAgent(caller, params.id as string);
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    const rows = await services.db
      .selectFrom("figures")
      .selectAll()
      .where("account_id", "=", caller.accountId)
      .where("slug", "=", slug)
      .orderBy("name")
      .execute();
    return { figures: rows.map(figureWire) };
  });

  mount(mounting, deleteFigure, async ({ services, caller, params }) => {
    checkAgent(caller, params.id as string);
    const slug = await slugOfAgent(services.db, caller.accountId, params.id as string);
    const gone = await services.db
      .deleteFrom("figures")
      .where("account_id", "=", caller.accountId)
      .where("slug", "=", slug)
      .where("name", "=", params.name as string)
      .executeTakeFirst();
    if (Number(gone.numDeletedRows) === 0)
      throw notFound(`figure ${params.name}`, "List them with GET /agents/{id}/figures.");
    return { ok: true, deleted: true };
  });
}
